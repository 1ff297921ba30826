import {execFile} from 'node:child_process';
import {FettleError} from '../../base/errors.ts';
import type {ContainerEngine} from './engine.ts';

export interface EngineCall {
  readonly args: readonly string[];
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** Exit codes besides 0 that are not a failure. */
  readonly accepts?: readonly number[] | 'all' | undefined;
}

export interface EngineAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the engine to its end. What it leaves running, such as the monitor of a container, is not ended: containers are stopped by the
 * engine. Throws UNAVAILABLE with the last line that the engine said, NOT_FOUND if its program is not there, TIMEOUT, CANCELLED.
 */
export async function runEngine(
  {program, env}: Pick<ContainerEngine, 'program' | 'env'>,
  {args, timeoutMs, accepts = []}: EngineCall,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  return await new Promise((resolve, reject) => {
    const options = {env: {...env}, encoding: 'utf8', maxBuffer: MAX_ANSWER, timeout: timeoutMs, signal} as const;
    const child = execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number' && (code === 0 || accepts === 'all' || accepts.includes(code))) resolve({code, stdout, stderr});
      else reject(engineError({program, args, timeoutMs, stderr, error}));
    });
    child.stdin?.end();
  });
}

const MAX_ANSWER = 16 * 1024 * 1024;

interface Failed {
  readonly program: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  readonly stderr: string;
  readonly error: (Error & {code?: unknown; killed?: boolean}) | null;
}

function engineError({program, args, timeoutMs, stderr, error: cause}: Failed): FettleError {
  const call = `${program} ${args[0] ?? ''}`;
  if (cause?.code === 'ENOENT')
    return new FettleError({code: 'NOT_FOUND', message: `${program} is not on PATH`, hint: 'Install it.', cause});
  if (cause?.name === 'AbortError') return new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause});
  if (cause?.killed === true) {
    const message = `\`${call}\` did not end in ${timeoutMs / 1000} s.`;
    return new FettleError({code: 'TIMEOUT', message, hint: `Check that ${program} works: ${program} info`, cause});
  }
  const said = lastLine(stderr) || (cause?.message.split('\n', 1)[0] ?? '');
  return new FettleError({code: 'UNAVAILABLE', message: `\`${call}\` failed: ${said}`, hint: 'Try the command by hand.', cause});
}

/** The last line with text, at most 300 characters: engines say the reason at the end. */
export function lastLine(text: string): string {
  const line = text.split('\n').findLast((one) => one.trim() !== '') ?? '';
  return line.trim().slice(0, 300);
}
