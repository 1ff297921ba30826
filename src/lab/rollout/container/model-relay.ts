import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {once} from 'node:events';
import {chmod} from 'node:fs/promises';
import {FettleError, toFettleError} from '../../../base/errors.ts';
import {createHttpClient, type HttpReader} from '../../../models/http/http-client.ts';
import type {ModelUpstream} from '../rollout-request.ts';

interface RelayOptions {
  /** Path of the Unix socket, absolute; at most 100 bytes. */
  readonly socket: string;
  readonly upstreams: readonly ModelUpstream[];
  /** Used in the container in place of the keys. */
  readonly token: string;
  /** The owner's variables, for proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ModelRelay {
  /** Ends every request. */
  close(): Promise<void>;
}

/**
 * Passes requests of an agent in a container on to the providers of its model, and to nothing else: the keys stay outside. The agent sends the whole address
 * of each request, as to a proxy, with the token instead of the key.
 */
export async function openModelRelay({socket, upstreams, token, env}: RelayOptions): Promise<ModelRelay> {
  if (Buffer.byteLength(socket) > MAX_SOCKET_BYTES) {
    const message = `The path of the scratch folder is too long for a socket: ${socket}`;
    throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Set XDG_CACHE_HOME to a shorter path.'});
  }
  const http = createHttpClient({...env, FETTLE_MODEL_SOCKET: undefined});
  const server = createServer((request, response) => {
    void relay({http, upstreams, token, request, response}).catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, toFettleError(thrown).message);
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  // The user of an image may be another one; who is outside does not get through the scratch folder.
  await chmod(socket, 0o666);
  return {close: async () => await closeServer(server)};
}

/** unix(7) has 108. */
const MAX_SOCKET_BYTES = 100;

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

interface Relayed extends Pick<RelayOptions, 'upstreams' | 'token'> {
  readonly http: HttpReader;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function relay({http, upstreams, token, request, response}: Relayed): Promise<void> {
  const {method = '', url: address = ''} = request;
  const upstream = upstreams.find(({baseUrl}) => isBelow(baseUrl, address));
  if (upstream === undefined) return refuse(response, 403, `not an address of the model: ${address}`);
  const {header, key, headers: own} = upstream;
  if (key !== undefined && request.headers[header] !== headerValue(header, token))
    return refuse(response, 401, 'not the agent of this rollout');
  const over = new AbortController();
  response.on('close', () => over.abort());
  const headers = {...passedOn(request.headers), ...(key === undefined ? {} : {[header]: headerValue(header, key)}), ...own};
  const outgoing = {url: withLogin(address, upstream.baseUrl), headers, signal: over.signal};
  await answerWith(response, method === 'GET' ? http.get(outgoing) : http.post({...outgoing, body: await bodyOf(request)}), over.signal);
}

async function answerWith(response: ServerResponse, answer: ReturnType<HttpReader['get']>, signal: AbortSignal): Promise<void> {
  for await (const piece of answer) {
    if (!(piece instanceof Uint8Array)) response.writeHead(piece.status, passedOn(piece.headers));
    else if (!response.write(piece)) await once(response, 'drain', {signal});
  }
  response.end();
}

function headerValue(header: ModelUpstream['header'], key: string): string {
  return header === 'authorization' ? `Bearer ${key}` : key;
}

/** Compares what a server would see: the parts of a path are resolved before. */
function isBelow(baseUrl: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const [base, url] = [new URL(baseUrl), new URL(address)];
  return url.origin === base.origin && url.pathname.startsWith(`${base.pathname.replace(/\/+$/, '')}/`);
}

/** A name and password in the address of a server are secrets, too. */
function withLogin(address: string, baseUrl: string): URL {
  const [url, {username, password}] = [new URL(address), new URL(baseUrl)];
  return Object.assign(url, {username, password});
}

const NOT_PASSED = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'proxy-authorization',
  'te',
  'upgrade',
  'trailer',
]);

function passedOn(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !NOT_PASSED.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new FettleError({code: 'TOO_LARGE', message: 'the request is too large'});
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const MAX_BODY_BYTES = 256 * 1024 * 1024;

/** In the form that every provider's errors have. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify({error: {type: 'relay_error', message}}));
}
