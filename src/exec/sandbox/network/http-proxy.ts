import type {IncomingMessage, Server, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import {pipeline} from 'node:stream';
import {isFettleError, toFettleError} from '../../../base/errors.ts';
import type {Dial} from './dial.ts';

/** A proxy for HTTP, and for everything else by CONNECT (RFC 9110, 7.6 and 9.3.6). It does not listen itself: it is handed open sockets. */
export function createHttpProxy(dial: Dial): Server {
  const http = process.getBuiltinModule('node:http');
  const server = http.createServer((request, response) => void forward(request, response, dial));
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel({request, socket, head}, dial));
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

async function tunnel({request, socket, head}: {request: IncomingMessage; socket: Duplex; head: Buffer}, dial: Dial): Promise<void> {
  socket.on('error', () => socket.destroy());
  try {
    const [, host = '', port] = /^(.*):(\d{1,5})$/s.exec(request.url ?? '') ?? [];
    const upstream = await dial(host, Number(port));
    if (socket.destroyed) return void upstream.destroy();
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    pipeline(socket, upstream, ignore);
    pipeline(upstream, socket, ignore);
  } catch (error) {
    const {status, reason, body} = refusal(error);
    socket.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
  }
}

async function forward(request: IncomingMessage, response: ServerResponse, dial: Dial): Promise<void> {
  const http = process.getBuiltinModule('node:http');
  try {
    const url = new URL(request.url ?? '');
    if (url.protocol !== 'http:' || url.username !== '' || url.password !== '') throw new TypeError('no http: address');
    const upstream = await dial(url.hostname, url.port === '' ? 80 : Number(url.port));
    const headers = {...endToEnd(request.headers), host: url.host, connection: 'close'};
    const sent = http.request({createConnection: () => upstream, method: request.method, path: `${url.pathname}${url.search}`, headers});
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
      pipeline(answer, response, ignore);
    });
    sent.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    pipeline(request, sent, ignore);
  } catch (error) {
    const {status, body} = refusal(error);
    response.writeHead(status, {'content-type': 'text/plain'}).end(body);
  }
}

/** Removes headers that are meant for the proxy alone (RFC 9110, 7.6.1). */
function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly body: string;
}

function refusal(error: unknown): Refusal {
  const {code, message} = toFettleError(error);
  if (isFettleError(error) && code === 'DENIED')
    return {status: 403, reason: 'Forbidden by the sandbox', body: `Forbidden by the sandbox: ${message}\n`};
  return {status: 502, reason: 'Bad Gateway', body: `${message}\n`};
}

function ignore(): void {
  // One side ended: the pipeline has ended the other.
}
