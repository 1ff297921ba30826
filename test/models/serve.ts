import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Number of the connection it came on, from 0. */
  readonly connection: number;
}

export type Answer = (response: ServerResponse, received: Received) => void;

export interface Served {
  readonly url: string;
  readonly received: readonly Received[];
  /** The promise of the n-th request, from 0. */
  arrived(index: number): Promise<Received>;
}

/** A loopback server: answers request n with answer n, and all after it with the last one. Ends with the test. */
export async function serve(...answers: readonly Answer[]): Promise<Served> {
  const received: Received[] = [];
  const waiting = new Map<number, PromiseWithResolvers<Received>>();
  const arrival = (index: number): PromiseWithResolvers<Received> => {
    const known = waiting.get(index) ?? Promise.withResolvers<Received>();
    waiting.set(index, known);
    return known;
  };
  const sockets: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const entry = {url: request.url ?? '', headers: request.headers, body, connection: sockets.indexOf(request.socket)};
      const index = received.push(entry) - 1;
      arrival(index).resolve(entry);
      (answers[index] ?? answers.at(-1))?.(response, entry);
    });
  });
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const {port} = server.address() as AddressInfo;
  return {url: `http://127.0.0.1:${port}`, received, arrived: (index) => arrival(index).promise};
}

/** Answers with server-sent events, one for each value; strings stand as they are. */
export function events(...values: readonly unknown[]): Answer {
  return (response) => {
    response.writeHead(200, {'content-type': 'text/event-stream'});
    response.end(values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join(''));
  };
}

export function refuse(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, {'content-type': typeof body === 'string' ? 'text/plain' : 'application/json', ...headers});
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}
