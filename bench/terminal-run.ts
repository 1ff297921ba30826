import {readFileSync} from 'node:fs';
import {spawn} from '@lydell/node-pty';

export interface TerminalLaunch {
  /** Arguments of node. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** A process in a pseudo-terminal of its own. */
export interface TerminalRun {
  readonly pid: number;
  readonly startedAt: number;
  /** Bytes and writes that arrived up to now. */
  readonly arrived: {readonly bytes: number; readonly chunks: number};
  press(keys: string): void;
  /** Presses keys, and returns the milliseconds until a text arrives. */
  echo(keys: string, text: string): Promise<number>;
  /** The time at which a text has arrived, from the last `until` or `echo` on. Rejects when it does not come. */
  until(text: string): Promise<number>;
  readonly ended: Promise<void>;
  kill(): void;
}

const TIMEOUT_MS = 60_000;

export function runInTerminal({argv, cwd, env, columns, rows}: TerminalLaunch): TerminalRun {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...argv], {cwd, env: {...env, TERM: 'xterm-256color'}, cols: columns, rows});
  const arrived = {bytes: 0, chunks: 0};
  let seen = '';
  let waiting: {readonly text: string; readonly take: (at: number) => void} | undefined;
  const look = (): void => {
    if (waiting === undefined) return;
    const at = seen.indexOf(waiting.text);
    if (at < 0) return;
    seen = seen.slice(at + waiting.text.length);
    const {take} = waiting;
    waiting = undefined;
    take(performance.now());
  };
  child.onData((data) => {
    arrived.bytes += Buffer.byteLength(data);
    arrived.chunks += 1;
    seen = (seen + data).slice(-100_000);
    look();
  });
  const until = (text: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${JSON.stringify(text)} did not come; the end: ${seen.slice(-500)}`)), TIMEOUT_MS);
      waiting = {
        text,
        take(at) {
          clearTimeout(timer);
          resolve(at);
        },
      };
      look();
    });
  return {
    pid: child.pid,
    startedAt,
    arrived,
    press: (keys) => child.write(keys),
    async echo(keys, text) {
      seen = '';
      const pressedAt = performance.now();
      child.write(keys);
      return (await until(text)) - pressedAt;
    },
    until,
    ended: new Promise((resolve) => child.onExit(() => resolve())),
    kill: () => child.kill('SIGKILL'),
  };
}

/** What a process uses now; undefined where the system does not tell in /proc. CPU time comes in steps of 10 ms. */
export function usageOf(pid: number): {readonly mib: number; readonly cpuMs: number} | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return {mib: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024, cpuMs: ticks * 10};
  } catch {
    return undefined;
  }
}
