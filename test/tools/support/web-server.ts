import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {onTestFinished} from 'vitest';
import type {WebAccess} from '../../../src/tools/web/web-access.ts';

/** A server on the loopback that plays the hosts `*.example`. */
export interface WebServer {
  /** The address of a path on a host, which `access` finds here. */
  url(path: string, host?: string): string;
  /** `METHOD host path`, in order. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  readonly bodies: string[];
  /** A way to the web on which those hosts are here, and may be. */
  access(over?: Partial<WebAccess>): WebAccess;
}

type Answer = (request: IncomingMessage, response: ServerResponse, server: WebServer) => void;

/** Ends with the test, however many connections are open. */
export async function webServer(answer: Answer): Promise<WebServer> {
  const [requests, headers, bodies]: [string[], IncomingMessage['headers'][], string[]] = [[], [], []];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${(request.headers.host ?? '').split(':', 1)[0]} ${request.url}`);
    headers.push(request.headers);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      answer(request, response, web);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const web: WebServer = {
    url: (path, host = 'docs.example') => `http://${host}:${port}${path}`,
    requests,
    headers,
    bodies,
    access: (over = {}) => ({
      userAgent: 'fettle/test',
      privateHosts: ['docs.example', 'www.docs.example', 'other.example'],
      secrets: [],
      lookup: async () => [{address: '127.0.0.1', family: 4}],
      ...over,
    }),
  };
  return web;
}

/** A page or another text. */
export function send(response: ServerResponse, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, {'content-type': 'text/html; charset=utf-8', ...headers});
  response.end(body);
}
