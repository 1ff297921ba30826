import {auth, extractWWWAuthenticateParams, validateAuthorizationResponseIssuer} from '@modelcontextprotocol/client';
import {FettleError, isFettleError, toFettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {boundedFetch} from '../connection/bounded-fetch.ts';
import {cleanServerText} from '../clean-text.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import {issuerFetch} from './issuer-fetch.ts';
import {createLoginProvider, issuerOf, type LoginProvider} from './login-provider.ts';
import {openLoopback} from './loopback.ts';
import {oauthServer} from './oauth-server.ts';
import {scopeUnion} from './scopes.ts';
import type {Challenge, TokenStore} from './token-store.ts';

export interface Login {
  readonly server: McpServer;
  readonly place: ServerPlace;
  /** Shows the address of the login to the person; it is https, or on this machine. */
  readonly visit: (address: URL) => Promise<void>;
  /** Time for the person; 5 minutes. */
  readonly timeoutMs?: number;
}

/**
 * Logs in to a server: authorization code with PKCE (S256) over the loopback of this machine, for this resource alone (RFC 8707), the
 * `iss` of the answer checked (RFC 9207). The tokens are in the token store afterwards.
 * Throws AUTH (refused, or the server cannot do it), TIMEOUT, CANCELLED, CONFIG (the server has no such login).
 */
export async function login(request: Login, signal: AbortSignal): Promise<{readonly issuer: string; readonly scope: string | undefined}> {
  const {server, place, visit, timeoutMs = 5 * 60_000} = request;
  const {url, store, clientSecret} = oauthServer(server, place);
  const loopback = await openLoopback(timeoutMs);
  try {
    const {redirectUrl, state} = loopback;
    const provider = createLoginProvider({server, url, store, clientSecret, redirectUrl, state, visit});
    const wanted = (await store.wanted()) ?? (await challengeOf(url, signal));
    const options = {
      serverUrl: url,
      ...optional(scopeUnion(server.scopes?.join(' '), wanted.scope), wanted.resourceMetadataUrl),
      fetchFn: issuerFetch(url, signal),
    };
    await auth(provider, {...options, forceReauthorization: true});
    const answer = await loopback.answer(signal);
    await auth(provider, {...options, ...codeIn(answer, provider)});
    return await granted(store);
  } catch (thrown) {
    throw loginError(thrown, server.name, signal);
  } finally {
    loopback.close();
  }
}

/** Asks the server without a token for its challenge. If it lets anyone in, its metadata must do. */
async function challengeOf(url: URL, signal: AbortSignal): Promise<Challenge> {
  const response = await boundedFetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
    body: JSON.stringify({jsonrpc: '2.0', id: 0, method: 'tools/list'}),
  });
  await response.body?.cancel();
  const {scope, resourceMetadataUrl} = extractWWWAuthenticateParams(response);
  return {scope, resourceMetadataUrl: resourceMetadataUrl?.href};
}

function optional(scope: string | undefined, metadataUrl: string | undefined): {scope?: string; resourceMetadataUrl?: URL} {
  const resourceMetadataUrl = metadataUrl === undefined ? null : URL.parse(metadataUrl);
  return {...(scope === undefined ? {} : {scope}), ...(resourceMetadataUrl === null ? {} : {resourceMetadataUrl})};
}

/** The issuer is checked before anything else of the answer is believed, its error message too. */
function codeIn(answer: URLSearchParams, provider: LoginProvider): {authorizationCode: string; iss?: string} {
  const {issuer, metadata} = issuerOf(provider.discoveryState());
  const iss = answer.get('iss') ?? undefined;
  const issParameterSupported =
    'authorization_response_iss_parameter_supported' in metadata && metadata['authorization_response_iss_parameter_supported'] === true;
  validateAuthorizationResponseIssuer({iss, expectedIssuer: issuer, issParameterSupported});
  const code = answer.get('code');
  if (code !== null && code !== '') return {authorizationCode: code, ...(iss === undefined ? {} : {iss})};
  const why = [answer.get('error'), answer.get('error_description')].filter((part) => part !== null).join(': ');
  throw new FettleError({code: 'AUTH', message: `the login was refused (${cleanServerText(why, 300) || 'no reason'}).`});
}

async function granted(store: TokenStore): Promise<{issuer: string; scope: string | undefined}> {
  const access = await store.access();
  if (access === undefined) throw new FettleError({code: 'AUTH', message: 'nothing was granted.'});
  return {issuer: access.issuer, scope: access.tokens.scope};
}

function loginError(thrown: unknown, name: string, signal: AbortSignal): FettleError {
  if (signal.aborted) return new FettleError({code: 'CANCELLED', message: 'The login was cancelled.', cause: thrown});
  const {code, message, hint} = toFettleError(thrown);
  if (isFettleError(thrown) && code !== 'AUTH') return thrown;
  return new FettleError({
    code: code === 'INTERNAL' ? 'AUTH' : code,
    message: `MCP server ${name}: logging in: ${cleanServerText(message, 600)}`,
    hint: hint ?? `\`fettle mcp login ${name}\` starts again.`,
    cause: thrown,
  });
}
