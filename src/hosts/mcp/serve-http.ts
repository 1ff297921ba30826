import {createHash, timingSafeEqual} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {localhostHostValidation, localhostOriginValidation, toNodeHandler} from '@modelcontextprotocol/node';
import {createMcpHandler, isLegacyRequest, type McpServerFactory, type ServerNotifier} from '@modelcontextprotocol/server';
import {createGuessLimit} from './guess-limit.ts';
import {createSessions} from './sessions.ts';

export interface HttpOptions {
  readonly factory: McpServerFactory;
  /** 0: any free port. */
  readonly port: number;
  /** The bearer token that every request must send in `Authorization`; undefined only in tests. */
  readonly token: string | undefined;
}

export interface HttpHost {
  readonly url: string;
  /** Tells subscribed clients that something has changed. */
  readonly notify: ServerNotifier;
  close(): Promise<void>;
}

const MAX_BODY = 4 * 1024 * 1024;
const PATH = '/mcp';
/** Milliseconds until the head of a request, and all of it, must be there. */
const TIMEOUTS = {headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1000};

/**
 * Streamable HTTP on the loopback of this machine, both protocol eras. Any web page can reach a local port: a foreign `Host` or `Origin` is
 * refused (DNS rebinding), and so is every request without the token.
 */
export async function serveHttp({factory, port, token}: HttpOptions): Promise<HttpHost> {
  const modern = createMcpHandler(factory, {legacy: 'reject', maxRequestBodySize: MAX_BODY});
  const sessions = createSessions(factory);
  const handle = toNodeHandler(
    {fetch: async (request) => ((await isLegacyRequest(request)) ? await sessions.fetch(request) : await modern.fetch(request))},
    {maxRequestBodySize: MAX_BODY},
  );
  const hostIsOurs = localhostHostValidation();
  const originIsOurs = localhostOriginValidation();
  const guesses = createGuessLimit();
  const refuse = (request: IncomingMessage, response: ServerResponse): void =>
    guesses.refuse({answer: () => end(response, 401, {'WWW-Authenticate': 'Bearer'}), drop: () => request.destroy()});
  const server = createServer(TIMEOUTS, (request, response) => {
    if (!hostIsOurs(request, response) || !originIsOurs(request, response)) return;
    // The path as it was sent: anything but exactly this path is unknown here, however it may be decoded.
    if (request.url?.split('?')[0] !== PATH) end(response, 404);
    else if (token !== undefined && !hasToken(request, token)) refuse(request, response);
    else void handle(request, response);
  });
  await listen(server, port);
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}${PATH}`,
    notify: modern.notify,
    async close() {
      guesses.end();
      await Promise.all([modern.close(), sessions.close()]);
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

function hasToken({headers}: IncomingMessage, token: string): boolean {
  const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(bearer), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function end(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, headers).end();
}
