import {spawn} from 'node:child_process';
import {once} from 'node:events';
import type {Readable} from 'node:stream';
import {text} from 'node:stream/consumers';
import type {Run} from '../measure.ts';
import {treeKib} from './tree-memory.ts';

export interface Command {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends a run that hangs. */
  readonly timeoutMs: number;
}

export interface RunningTree {
  /** Notes the memory of the tree now, and from now on until it ends. */
  watchMemory(): void;
  /** Throws when the command fails or hangs: a broken run is not a measurement. */
  readonly ended: Promise<Run>;
}

// The shell counts the CPU time of what it waited for, whatever that is written in.
const SCRIPT = '"$@" 3>&-; code=$?; times >&3; exit $code';
const EVERY_MS = 10;

/** Starts a command of any kind, and measures it with all that it starts. */
export function runTree({argv, cwd, env, timeoutMs}: Command): RunningTree {
  const startedAt = performance.now();
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'] as const;
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', ...argv], {cwd, env, stdio: [...stdio], detached: true});
  const pid = child.pid ?? 0;
  let peakKib = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    peakKib = Math.max(peakKib, treeKib(pid));
  };
  const stop = setTimeout(() => killTree(pid), timeoutMs);
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-2000)));
  const times = text(child.stdio[3] as Readable);
  const finish = async (): Promise<Run> => {
    // What it leaves behind may keep the streams open.
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    const wallMs = performance.now() - startedAt;
    clearInterval(timer);
    clearTimeout(stop);
    child.stderr?.destroy();
    killTree(pid);
    if (code !== 0) throw new Error(`ended with ${signal ?? code}: ${complaints.trim().slice(-500)}`);
    return {startedAt, wallMs, peakKib, cpuMs: cpuOf(await times)};
  };
  return {
    watchMemory() {
      look();
      timer ??= setInterval(look, EVERY_MS);
    },
    ended: finish(),
  };
}

/** Returns milliseconds from what `times` of a POSIX shell prints: its second line has user and system time of its children. */
export function cpuOf(times: string): number {
  const parts = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0);
}

function killTree(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}
