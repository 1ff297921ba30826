import {execFile} from 'node:child_process';
import {FettleError} from '../../base/errors.ts';
import type {Variables} from '../variables/child-environment.ts';

export interface GitCall {
  /** Absolute. */
  readonly cwd: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Variables;
  readonly input?: string | Uint8Array | undefined;
  /** Exit codes besides 0 that do not mean a failure. */
  readonly accepts?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

/** Bytes of an answer, and milliseconds until it must be there. */
const MAX_ANSWER = 256 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * Runs git for Fettle itself, not for a model: no shell, no hooks, no file system monitor, no question. The
 * variables decide which other configuration of the repository applies. Throws UNAVAILABLE if git is missing; IO
 * with git's message if it fails.
 */
export async function runGit({cwd, args, env, input, accepts = [], signal}: GitCall): Promise<GitAnswer> {
  const fixed = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'advice.detachedHead=false', '-c', 'gc.auto=0'];
  return await new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      [...fixed, ...args],
      {cwd, env: {...env}, encoding: 'buffer', maxBuffer: MAX_ANSWER, timeout: TIMEOUT_MS, signal, killSignal: 'SIGKILL'},
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        if (typeof code === 'number' && (code === 0 || accepts.includes(code))) resolve({code, stdout});
        else reject(gitError(args, {error, said: stderr.toString('utf8')}));
      },
    );
    // git may end before it has read all of its input.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

function gitError(args: readonly string[], {error, said}: {error: (Error & {code?: unknown}) | null; said: string}): FettleError {
  if (error?.code === 'ENOENT') {
    return new FettleError({code: 'UNAVAILABLE', message: 'git is not installed.', hint: 'Install git, or work without it.', cause: error});
  }
  if (error?.name === 'AbortError') return new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: error});
  const words = said.trim().split('\n').slice(0, 3).join(' ').slice(0, 500);
  return new FettleError({
    code: 'IO',
    message: `git ${args[0] ?? ''} failed: ${words === '' ? (error?.message ?? '') : words}`,
    cause: error,
  });
}
