import {spawn, type ChildProcess} from 'node:child_process';
import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {systemErrorCode} from '../../base/errors.ts';
import {watchTree} from '../../exec/process/orphan-reaper.ts';
import {treeOf, type ProcessTree} from '../../exec/process/process-tree.ts';
import type {ProgramCommand} from './supervisor-ports.ts';

/** One attempt at a run, with the folder of its files. */
export interface Attempt {
  readonly folder: string;
  readonly attempt: number;
}

/** A program that has been made ready and has not begun. */
export interface Gate {
  readonly pid: number;
  /** All processes of the run. */
  readonly tree: ProcessTree;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the leader of the group has ended. */
  readonly exited: Promise<ProgramExit>;
  /** Lets the program begin. */
  open(): void;
  /** To be called when the run is over: until then, its processes are killed if this process dies. */
  release(): void;
}

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a shell that waits for `open`, leaves a mark that the run has begun, runs the program, and writes down its exit code. If this process
 * dies before `open`, the program never begins; if it dies later, the files say whether the program has begun, and how it ended. Throws where
 * no process can be started.
 */
export async function startGate(command: ProgramCommand, {cwd, ...attempt}: Attempt & {readonly cwd: string}): Promise<Gate> {
  const marker = markerOf(attempt);
  const unwatch = watchTree({marker});
  const at = performance.now();
  const args = ['-c', SCRIPT, 'fettle-run', markFile(attempt), exitFile(attempt), command.file, ...command.args];
  const [name = '', value] = marker.split('=');
  const child = spawn('/bin/sh', args, {
    cwd,
    env: {...command.env, [name]: value},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  try {
    await once(child, 'spawn');
  } catch (thrown) {
    unwatch();
    throw thrown;
  }
  const tree = treeOf(child.pid ?? 0, marker, at);
  watchTree({marker, leader: tree.leader});
  return {
    pid: tree.leader,
    tree,
    ...outputsOf(child),
    exited: once(child, 'exit').then(([code, signal]: unknown[]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    })),
    open: () => openPipe(child),
    release: unwatch,
  };
}

/**
 * The leader outlives a SIGTERM, so that it can write down the exit code of the program. The mark is made with O_EXCL (POSIX shell › set -C):
 * whoever makes it first has decided whether this attempt begins.
 */
const SCRIPT = `
trap : HUP INT TERM
mark=$1 exit=$2; shift 2
read -r go <&3 || exit 1
exec 3<&-
set -C
if ! true 2>/dev/null >"$mark"; then exit 1; fi
set +C
"$@"
code=$?
echo $code 2>/dev/null >"$exit"
exit $code
`;

/** Returns the `NAME=value` that all processes of an attempt inherit. */
export function markerOf({folder, attempt}: Attempt): string {
  return `FETTLE_SCHEDULED_RUN=${createHash('sha256').update(`${folder}\0${attempt}`).digest('hex').slice(0, 32)}`;
}

/** Says whether the program of an attempt has begun. */
export function hasBegun(attempt: Attempt): boolean {
  return existsSync(markFile(attempt));
}

/**
 * Prevents an attempt from beginning. False: it has begun, or may have. Throws other errors of the system: nothing is decided then, and it may
 * be tried again.
 */
export function preventBegin(attempt: Attempt): boolean {
  try {
    writeFileSync(markFile(attempt), '', {flag: 'wx', mode: 0o600});
    return true;
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    // A folder that somebody removed: its program may have begun.
    if (code === 'EEXIST' || code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw thrown;
  }
}

/** Returns the exit code that an attempt has left; undefined where it has left none. */
export function writtenExitCode(attempt: Attempt): number | undefined {
  const file = exitFile(attempt);
  const text = existsSync(file) ? readFileSync(file, 'latin1') : '';
  return /^\d+\n$/.test(text) ? Number(text) : undefined;
}

function markFile({folder, attempt}: Attempt): string {
  return join(folder, `begun-${attempt}`);
}

function exitFile({folder, attempt}: Attempt): string {
  return join(folder, `exit-${attempt}`);
}

function outputsOf({stdout, stderr}: ChildProcess): Pick<Gate, 'stdout' | 'stderr'> {
  if (stdout === null || stderr === null) throw new Error('a child has no pipes');
  return {stdout, stderr};
}

function openPipe({stdio}: ChildProcess): void {
  const pipe = stdio[3];
  if (pipe === null || pipe === undefined || !('write' in pipe)) return;
  pipe.on('error', () => undefined); // it has ended already: its exit says the rest
  pipe.end('go\n');
}
