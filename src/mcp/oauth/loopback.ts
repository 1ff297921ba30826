import {randomBytes, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {FettleError} from '../../base/errors.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';

/** A loopback server to which a browser returns after a login (RFC 8252 section 7.3). */
export interface Loopback {
  readonly redirectUrl: string;
  /** The random `state` that the redirect must carry, so that no other program or page on this machine can forge it. */
  readonly state: string;
  /** The parameters of the one answer. Rejects with TIMEOUT, or with CANCELLED when the signal aborts. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

const PATH = '/callback';

/**
 * Listens on 127.0.0.1 at any free port. The first request with the right path, `Host` and `state` is the answer, and closes it; any other
 * is refused and changes nothing, so that a page that knocks at ports cannot end a login.
 */
export async function openLoopback(timeoutMs: number): Promise<Loopback> {
  const state = randomBytes(32).toString('base64url');
  const answered = Promise.withResolvers<URLSearchParams>();
  const late = setTimeout(() => answered.reject(noAnswer(timeoutMs)), timeoutMs);
  answered.promise.catch(() => undefined); // it may arrive before anything awaits it
  const server = createServer({maxHeaderSize: 16 * 1024, requestTimeout: 10_000}, (request, response) => {
    const params = answerIn(request, `127.0.0.1:${portOf(server.address())}`, state);
    if (params === undefined) return say(response, 400, 'This is not the answer to a login that is under way.');
    say(response, 200, params.has('error') ? 'The login was refused. You can close this page.' : 'You can close this page.');
    answered.resolve(params);
    server.close();
  });
  const close = (): void => {
    clearTimeout(late);
    server.close();
    server.closeAllConnections();
  };
  server.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (thrown) {
    close();
    throw thrown;
  }
  return {
    redirectUrl: `http://127.0.0.1:${portOf(server.address())}${PATH}`,
    state,
    answer: (signal) => orAbort(answered.promise, signal, () => new FettleError({code: 'CANCELLED', message: 'The login was cancelled.'})),
    close,
  };
}

function answerIn({method, url = '', headers}: IncomingMessage, host: string, state: string): URLSearchParams | undefined {
  if (method !== 'GET' || headers.host !== host) return undefined;
  const parsed = URL.parse(url, `http://${host}`);
  if (parsed?.pathname !== PATH) return undefined;
  const received = Buffer.from(parsed.searchParams.get('state') ?? '');
  const wanted = Buffer.from(state);
  return received.length === wanted.length && timingSafeEqual(received, wanted) ? parsed.searchParams : undefined;
}

function say(response: ServerResponse, status: number, text: string): void {
  const headers = {'content-type': 'text/plain', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', connection: 'close'};
  response.writeHead(status, headers).end(`${text}\n`);
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function noAnswer(ms: number): FettleError {
  return new FettleError({
    code: 'TIMEOUT',
    message: `The browser did not come back within ${ms / 1000} s.`,
    hint: 'Start the login again.',
  });
}
