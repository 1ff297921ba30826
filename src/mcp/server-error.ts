import {FettleError, isFettleError, toFettleError} from '../base/errors.ts';
import {cleanText} from './clean-text.ts';
import {withoutSecrets} from './server-secrets.ts';

/** Anything that went wrong with a server, as one error with its name and the last lines of its stderr. */
export function serverError(thrown: unknown, trouble: Trouble): FettleError {
  const known = authRefusal(thrown) ?? toFettleError(thrown);
  if (isFettleError(thrown) && (thrown.code === 'CANCELLED' || thrown.code === 'CONFIG')) return thrown;
  const {server} = trouble;
  const message = messageOf(known, trouble);
  if (statusOf(thrown) === 401 || statusOf(thrown) === 403 || nameOf(thrown) === 'UnauthorizedError') {
    return new FettleError({
      code: 'AUTH',
      message,
      hint: 'Set `api_key_env` of the server to the variable with its key, or `auth = "oauth"` where it wants a login.',
      cause: thrown,
    });
  }
  const code = known.code === 'INTERNAL' ? 'UNAVAILABLE' : known.code;
  return new FettleError({code, message, hint: known.hint ?? `\`fettle mcp test ${server}\` tries it out.`, cause: thrown});
}

function messageOf({message}: FettleError, {server, doing, stderr = '', secrets = []}: Trouble): string {
  const said = withoutSecrets(stderr, secrets).split('\n').slice(-3).join(' | ');
  const last = stderr === '' ? '' : ` Its last lines on stderr: ${cleanText(said, 400)}`;
  return `MCP server ${server}: ${doing}: ${cleanText(withoutSecrets(message, secrets), 600)}${last}`;
}

export interface Trouble {
  readonly server: string;
  /** `starting`, `calling echo`. */
  readonly doing: string;
  readonly stderr?: string | undefined;
  /** What must not be shown of its definition. */
  readonly secrets?: readonly string[] | undefined;
}

/** A request that was refused for want of a login, however deep the SDK has wrapped it. */
export function authRefusal(thrown: unknown): FettleError | undefined {
  let at = thrown;
  for (let depth = 0; depth < 5 && at instanceof Error; depth += 1, at = at.cause) {
    if (isFettleError(at) && at.code === 'AUTH') return at;
  }
  return undefined;
}

/** The HTTP status that an error of the SDK carries. */
export function statusOf(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('data' in thrown)) return undefined;
  const {data} = thrown;
  return typeof data === 'object' && data !== null && 'status' in data && typeof data.status === 'number' ? data.status : undefined;
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : '';
}
