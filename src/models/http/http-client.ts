import type * as http from 'node:http';
import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';
import type * as https from 'node:https';
import {systemErrorCode} from '../../base/errors.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';

interface HttpPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or its bytes in pieces; bytes of another type if the headers name it. */
  readonly body: string | Uint8Array | readonly Uint8Array[];
  readonly signal: AbortSignal;
}

export interface HttpHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpClient {
  /**
   * Sends the request; gives the head of the answer and then the bytes of its body. Rejects with the error of the system (`ECONNREFUSED` …),
   * even if the body breaks off. Aborting the signal destroys the socket. Redirects are not followed.
   */
  post(request: HttpPost): AsyncGenerator<HttpHead | Uint8Array>;
}

export interface HttpReader extends HttpClient {
  /** The same without a body. */
  get(request: Omit<HttpPost, 'body'>): AsyncGenerator<HttpHead | Uint8Array>;
}

/**
 * HTTP over `node:http`, not `fetch`, and not imported: an import of `node:http` or `node:https` loads the whole of `fetch` for its
 * `WebSocket` export, which doubles the time to the first request and takes 13 MB. No name is looked up and no socket opened before that;
 * idle sockets are kept for the next request and do not keep the process alive. `env` is asked for HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 * FETTLE_MODEL_SOCKET, which the lab sets inside of containers, names a Unix socket to which every request goes with its whole address, as to a proxy
 * (RFC 9112, 3.2.2).
 */
export function createHttpClient(env: Readonly<Record<string, string | undefined>>): HttpReader {
  const options = {keepAlive: true, ...(PROXY_VARIABLES.some((name) => env[name]) ? {proxyEnv: env} : {})};
  const socketPath = env['FETTLE_MODEL_SOCKET'];
  let plain: Transport | undefined;
  let secure: Transport | undefined;

  const transportFor = (url: URL): Transport => {
    if (socketPath !== undefined) return (plain ??= {...transport(process.getBuiltinModule('node:http'), {keepAlive: true}), socketPath});
    if (url.protocol === 'https:') return (secure ??= transport(process.getBuiltinModule('node:https'), options));
    return (plain ??= transport(process.getBuiltinModule('node:http'), options));
  };

  async function* exchange(request: HttpRequest): AsyncGenerator<HttpHead | Uint8Array> {
    const way = transportFor(request.url);
    const answer = await send(way, request).catch((error: unknown) => {
      // The server closed an idle socket just as it was used again: nothing was answered yet, so send once more.
      if (error instanceof StaleSocketError) return send(way, request);
      throw error;
    });
    try {
      yield {status: answer.statusCode ?? 0, headers: answer.headers};
      yield* answer as AsyncIterable<Uint8Array>;
    } finally {
      // A body that nothing reads would keep the socket, and with it the process.
      if (!answer.readableEnded) answer.destroy();
    }
  }

  return {post: (request) => exchange({...request, method: 'POST'}), get: (request) => exchange({...request, body: '', method: 'GET'})};
}

interface HttpRequest extends HttpPost {
  readonly method: 'GET' | 'POST';
}

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

interface Transport {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
  readonly socketPath?: string;
}

function transport({request, Agent}: typeof http | typeof https, options: http.AgentOptions): Transport {
  return {request, agent: new Agent(options)};
}

class StaleSocketError extends Error {}

/** A socket has no name of its own for the header Host. */
const RELAY = new URL('http://localhost');

function send({request, agent, socketPath}: Transport, {url, method, headers, body, signal}: HttpRequest): Promise<IncomingMessage> {
  const pieces = piecesOf(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(socketPath === undefined ? url : RELAY, {
      ...(socketPath === undefined ? {} : {socketPath, path: url.href}),
      method,
      agent,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'fettle', // some gateways refuse requests without one
        accept: 'text/event-stream, application/json',
        'accept-encoding': 'identity',
        ...headers,
        'content-length': pieces.reduce((sum, {byteLength}) => sum + byteLength, 0),
      },
    });
    // The option `signal` of Node does the same, at three times the cost.
    const leave = onAbort(signal, () => void outgoing.destroy(new Error('The request was aborted.')));
    outgoing.on('close', leave);
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => undefined); // also reported by the iterator; without a listener it would end the process
      resolve(incoming);
    });
    outgoing.on('error', (error) => {
      const stale = outgoing.reusedSocket && systemErrorCode(error) === 'ECONNRESET' && !signal.aborted;
      reject(stale ? new StaleSocketError(error.message, {cause: error}) : error);
    });
    for (const piece of pieces) outgoing.write(piece);
    outgoing.end();
  });
}

function piecesOf(body: HttpPost['body']): readonly Uint8Array[] {
  if (typeof body === 'string') return body === '' ? [] : [Buffer.from(body)];
  return body instanceof Uint8Array ? [body] : body;
}
