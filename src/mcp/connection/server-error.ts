import {FettleError, isFettleError, toFettleError} from '../../base/errors.ts';
import {explicitText} from '../../base/visible-text.ts';
import {withoutMarks} from '../../tools/toolsets/frame.ts';
import {withoutSecrets} from './server-secrets.ts';

/** Anything that went wrong with a server, as one error with its name and the last lines of its stderr. */
export function serverError(thrown: unknown, trouble: Trouble): FettleError {
  const known = authRefusal(thrown) ?? toFettleError(thrown);
  if (isFettleError(thrown) && (thrown.code === 'CANCELLED' || thrown.code === 'CONFIG')) return thrown;
  const {server} = trouble;
  const message = messageOf(thrown, trouble);
  if (statusOf(thrown) === 401 || statusOf(thrown) === 403 || nameOf(thrown) === 'UnauthorizedError') {
    return new FettleError({
      code: 'AUTH',
      message,
      hint: 'Set `api_key_env` of the server to the variable with its key, or `auth = "oauth"` where it requires a login.',
      cause: thrown,
    });
  }
  const code = known.code === 'INTERNAL' ? 'UNAVAILABLE' : known.code;
  return new FettleError({code, message, hint: known.hint ?? `\`fettle mcp test ${server}\` tries it out.`, cause: thrown});
}

function messageOf(thrown: unknown, {server, doing, stderr = '', secrets = []}: Trouble): string {
  const known = authRefusal(thrown) ?? toFettleError(thrown);
  const message = withoutSecrets(known.message, secrets);
  // An error that is not ours may contain text of the server.
  const detail =
    known === thrown || known.code === 'AUTH' ? withoutMarks(explicitText(message.slice(0, MAX_OWN))) : serverQuote(message, 600);
  const said = withoutSecrets(stderr, secrets).trim().split('\n').slice(-3).join(' | ');
  const last = said === '' ? '' : ` Its last lines on stderr: ${serverQuote(said, 400)}`;
  return `MCP server ${server}: ${doing}: ${detail}${last}`;
}

const MAX_OWN = 1500;

/** Words of a server within a sentence: on one line, between quotes that they cannot close, with nothing in them that acts unseen. */
function serverQuote(text: string, max: number): string {
  const shown = withoutMarks(explicitText(text.slice(0, max).toWellFormed()).replaceAll(/\s+/g, ' ').trim());
  return `"${shown.replaceAll('"', "'")}${text.length > max ? '…' : ''}"`;
}

export interface Trouble {
  readonly server: string;
  /** `starting`, `calling echo`. */
  readonly doing: string;
  readonly stderr?: string | undefined;
  /** Secrets of its definition, which must not be shown. */
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
