import {FettleError} from '../../base/errors.ts';
import type {HookRun} from './hook-answer.ts';

/** A hook on a server (https://code.claude.com/docs/en/hooks › HTTP hooks). */
export interface HttpTarget {
  readonly url: string;
  /** `$NAME` and `${NAME}` stand for variables, where `variables` names them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly variables: readonly string[];
}

export interface HookPost {
  readonly target: HttpTarget;
  /** JSON. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/**
 * Posts an event; the body of the answer counts as the stdout of a command. Redirects are not followed: a person agreed to exactly this address.
 * Throws UNAVAILABLE without an answer, or with a status other than 2xx: then nothing was decided.
 */
export async function postHook({target, input, env, timeoutMs}: HookPost, signal: AbortSignal): Promise<HookRun> {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(target.url, {
      method: 'POST',
      headers: {...filledIn(target, env), 'content-type': 'application/json'},
      body: input,
      redirect: 'error',
      signal: AbortSignal.any([signal, late]),
    });
    const {text, truncated} = await bounded(response);
    if (!response.ok) throw new FettleError({code: 'UNAVAILABLE', message: `${target.url} answered with status ${response.status}.`});
    return {exitCode: 0, signal: null, timedOut: false, stdout: text, stderr: '', truncated};
  } catch (cause) {
    if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    if (late.aborted) return {exitCode: null, signal: null, timedOut: true, stdout: '', stderr: '', truncated: false};
    if (cause instanceof FettleError) throw cause;
    throw new FettleError({code: 'UNAVAILABLE', message: `${target.url} does not answer.`, cause});
  }
}

function filledIn({headers, variables}: HttpTarget, env: HookPost['env']): Record<string, string> {
  const valueOf = (whole: string, name: string): string => (variables.includes(name) ? (env[name] ?? '') : whole);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced: string | undefined, plain: string | undefined) =>
        valueOf(whole, braced ?? plain ?? ''),
      ),
    ]),
  );
}

/** The same limit as for commands. Bytes. */
const MOST = 65_536;

async function bounded(response: Response): Promise<{text: string; truncated: boolean}> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.byteLength;
    // Leaving the loop ends the connection.
    if (bytes > MOST) break;
  }
  return {text: Buffer.concat(pieces).subarray(0, MOST).toString('utf8'), truncated: bytes > MOST};
}
