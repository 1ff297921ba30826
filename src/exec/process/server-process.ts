import {spawn, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {FettleError, systemErrorCode, toFettleError} from '../../base/errors.ts';
import {orLate} from '../../base/waiting/or-late.ts';
import type {Variables} from '../variables/child-environment.ts';
import {watchTree} from './orphan-reaper.ts';
import {endTree, treeOf} from './process-tree.ts';

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
}

export interface ServerProcess {
  readonly pid: number;
  write(text: string): Promise<void>;
  /** The last lines of stderr. */
  stderr(): string;
  /** Closes stdin, waits a moment, then ends the whole tree. */
  close(): Promise<void>;
}

export interface ProcessListener {
  onData(chunk: Buffer): void;
  /** Once, with the reason in words. */
  onExit(reason: string): void;
}

/** Time that a server has to end by itself once its stdin is closed. */
const LEAVE_MS = 500;
const STDERR_CHARS = 2000;
const MARKER = 'FETTLE_CALL_ID';

/** Starts a server with pipes; it dies with its owner. Throws UNAVAILABLE if it cannot be started. */
export async function startServerProcess(command: ServerCommand, listener: ProcessListener): Promise<ServerProcess> {
  const mark = randomUUID();
  const began = performance.now();
  const child = await started(command, mark);
  const tree = treeOf(child.pid ?? 0, `${MARKER}=${mark}`, began);
  const unwatch = watchTree(tree);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-STDERR_CHARS);
  });
  child.stdout.on('data', listener.onData);
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    stream.on('error', () => undefined); // the exit says the rest
    // An idle server does not keep Fettle alive; a call that is waited for has a timer that does.
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
  child.unref();
  const exited = once(child, 'exit');
  void exited.then(async () => {
    unwatch();
    await endTree(tree);
  });
  // Not at its exit: its last output may still be in the pipe.
  const closed = once(child, 'close');
  void closed.then(() =>
    listener.onExit(child.signalCode === null ? `it ended with exit code ${child.exitCode}` : `it was ended by ${child.signalCode}`),
  );
  return {
    pid: tree.leader,
    stderr: () => errors.trim(),
    async write(text) {
      const refused = await new Promise<unknown>((resolve) => void child.stdin.write(text, resolve));
      if (refused === null || refused === undefined) return;
      await orLate(closed, LEAVE_MS); // a broken pipe is the end of the server, most often: its exit code says more
      throw refused;
    },
    async close() {
      child.stdin.end();
      await orLate(exited, LEAVE_MS);
      await endTree(tree);
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

async function started({program, args, cwd, env}: ServerCommand, mark: string): Promise<ChildProcessWithoutNullStreams> {
  try {
    const child = spawn(program, args, {cwd, env: {...env, [MARKER]: mark}, detached: true, windowsHide: true, stdio: 'pipe'});
    await once(child, 'spawn');
    return child;
  } catch (thrown) {
    const code = systemErrorCode(thrown);
    if (code !== 'ENOENT' && code !== 'EACCES') throw toFettleError(thrown);
    const hint = 'Check `command` and `cwd` of the server; `command` is one program, its arguments go into `args`.';
    throw new FettleError({code: 'UNAVAILABLE', message: `${program} cannot be started in ${cwd} (${code}).`, hint, cause: thrown});
  }
}
