import {spawn} from 'node:child_process';
import {systemErrorCode, toFettleError} from '../../base/errors.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import type {GitEnvironment} from '../../workspace/ignore/git-settings.ts';

export interface RipgrepRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: GitEnvironment;
  /** Takes a piece of the output; false: enough, the process is ended. */
  readonly onOutput: (chunk: Buffer) => boolean;
}

/** The end of a run. */
export interface RipgrepEnd {
  /** 0 found, 1 nothing found, 2 error (even if only some files could not be read); null: it was ended by us or a signal. */
  readonly code: number | null;
  readonly stderr: string;
  /** The program is missing or cannot be run here. */
  readonly unusable: boolean;
}

/** Runs ripgrep without a shell and without its config file; an abort kills it. Resolves when it is gone. */
export function runRipgrep({program, args, cwd, env, onOutput}: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['--no-config', ...args], {
      cwd,
      env: {...env, RIPGREP_CONFIG_PATH: undefined},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    let open = true;
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (!open || onOutput(chunk)) return;
      open = false;
      kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (stderr.length < MOST_STDERR) stderr += text;
    });
    child.on('error', (error) => {
      leave();
      if (CANNOT_RUN.has(systemErrorCode(error) ?? '')) resolve({code: null, stderr, unusable: true});
      else reject(toFettleError(error));
    });
    child.on('close', (code) => {
      leave();
      const isForeign = code !== null && code > 0 && stderr !== '' && !stderr.startsWith('rg: ');
      resolve({code, stderr, unusable: isForeign});
    });
    const leave = onAbort(signal, kill);
  });
}

/** A program of another machine is handed to the shell by the C library, and that complains in its own words. */
const CANNOT_RUN = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENOEXEC']);
const MOST_STDERR = 8192;
