import {createHash} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import type {McpServer} from '../../../src/config/settings.ts';
import {scratch} from '../../support/scratch.ts';

/** A server of tools that wants a login, with its issuer at the same address; real HTTP, the rules of the RFCs that a client must keep. */
export interface GuardedServer {
  readonly server: McpServer;
  readonly url: string;
  readonly place: {readonly env: Record<string, string>; readonly cwd: string; readonly stateDir: string; readonly version: string};
  /** What came: `POST /mcp Bearer t1`, and the token requests with what matters in them. */
  readonly seen: string[];
  /** The tokens that count, with their scopes. */
  readonly valid: Map<string, string>;
  /** How the issuer behaves. */
  readonly ways: {
    scope: string;
    answer: (params: URLSearchParams) => void;
    refuseRefresh: (() => Promise<void>) | undefined;
    /** A refresh token counts once; one that comes again ends the login (OAuth 2.1 › 4.3.1, rotation). */
    rotates: boolean;
    /** So many refused requests are answered together. */
    gathered: number;
    metadata: object;
    hasResource: boolean;
  };
}

export async function guardedServer(): Promise<GuardedServer> {
  const seen: string[] = [];
  const valid = new Map<string, string>();
  const ways: GuardedServer['ways'] = {
    scope: 'read',
    answer: () => undefined,
    refuseRefresh: undefined,
    rotates: false,
    gathered: 1,
    metadata: {},
    hasResource: true,
  };
  const refused: (() => void)[] = [];
  const codes = new Map<string, {challenge: string; resource: string; scope: string}>();
  let granted = 0;
  const http = createServer((request, response) => {
    void (async () => {
      const {status = 200, headers = {}, body = {}} = await answer(request);
      response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(body));
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const url = `${origin}/mcp`;
  const name = 'web';

  const metadata = (): object => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    ...ways.metadata,
  });

  async function answer(request: IncomingMessage): Promise<Answer> {
    const {pathname, searchParams} = new URL(request.url ?? '', origin);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      return ways.hasResource ? {body: {resource: url, authorization_servers: [origin]}} : {status: 404};
    }
    if (pathname.startsWith('/.well-known/')) return {body: metadata()};
    if (pathname === '/register') return {status: 201, body: {...JSON.parse(await text(request)), client_id: 'registered'}};
    if (pathname === '/authorize') return authorize(searchParams);
    if (pathname === '/token') return token(new URLSearchParams(await text(request)));
    return tools(request);
  }

  function authorize(asked: URLSearchParams): Answer {
    const code = `code-${codes.size + 1}`;
    const of = (key: string): string => asked.get(key) ?? '';
    codes.set(code, {challenge: of('code_challenge'), resource: of('resource'), scope: of('scope')});
    const params = new URLSearchParams({code, state: of('state'), iss: origin});
    ways.answer(params);
    return {status: 302, headers: {location: `${of('redirect_uri')}?${params.toString()}`}};
  }

  async function token(asked: URLSearchParams): Promise<Answer> {
    seen.push(`token ${asked.get('grant_type')} for ${asked.get('resource') === url ? 'the resource' : asked.get('resource')}`);
    const {challenge, scope} = codes.get(asked.get('code') ?? '') ?? {};
    const proof = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const isRefresh = asked.get('grant_type') === 'refresh_token';
    if (isRefresh) await ways.refuseRefresh?.();
    if (isRefresh ? ways.refuseRefresh !== undefined : challenge !== proof) return {status: 400, body: {error: 'invalid_grant'}};
    if (isRefresh && ways.rotates && asked.get('refresh_token') !== `r${granted}`) {
      granted += 1; // no token that was given out counts any more
      valid.clear();
      return {status: 400, body: {error: 'invalid_grant'}};
    }
    granted += 1;
    const access = `t${granted}`;
    valid.set(access, isRefresh ? ways.scope : (scope ?? ''));
    return {body: {access_token: access, token_type: 'Bearer', refresh_token: `r${granted}`}};
  }

  async function tools(request: IncomingMessage): Promise<Answer> {
    const {authorization = 'without a token'} = request.headers;
    seen.push(`${request.method} ${request.url} ${authorization}`);
    await text(request);
    const scopes = valid.get(authorization.replace('Bearer ', ''));
    const where = `scope="${ways.scope}", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    if (scopes === undefined) await gather();
    if (scopes === undefined) return {status: 401, headers: {'www-authenticate': `Bearer error="invalid_token", ${where}`}};
    if (scopes.split(' ').includes(ways.scope)) return {body: {ok: true}};
    return {status: 403, headers: {'www-authenticate': `Bearer error="insufficient_scope", ${where}`}};
  }

  async function gather(): Promise<void> {
    const {promise, resolve} = Promise.withResolvers<void>();
    refused.push(resolve);
    if (refused.length >= ways.gathered) for (const answerNow of refused.splice(0)) answerNow();
    await promise;
  }

  const place = {env: {}, cwd: '/', stateDir: await scratch(), version: '1'};
  return {server: {name, transport: 'http', url, auth: 'oauth'}, url, place, seen, valid, ways};
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}
