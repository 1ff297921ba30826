import {checkResourceAllowed, extractWWWAuthenticateParams, OAuthError, refreshAuthorization} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import {boundedFetch} from '../connection/bounded-fetch.ts';
import {missingScopes, scopeUnion} from './scopes.ts';
import type {Access, Challenge, TokenStore} from './token-store.ts';
import {issuerFetch} from './issuer-fetch.ts';

export interface AuthorizedServer {
  readonly name: string;
  readonly url: URL;
  readonly store: TokenStore;
  /** The secret of a client that was registered by hand. */
  readonly clientSecret: string | undefined;
}

/**
 * `fetch` with the token of the server's login. The token goes to that resource alone. One that has run out is refreshed, once for a request
 * and once for all requests at the same time. Rejects with AUTH if a person must log in, and notes for that login what the server asked for.
 */
export function authorizedFetch(server: AuthorizedServer): typeof boundedFetch {
  let refreshing: Promise<void> | undefined;
  return async (input, init) => {
    for (let refreshed = false; ; refreshed = true) {
      const access = await server.store.access();
      const response = await boundedFetch(input, withToken(input, {server, access, init}));
      const refusal = refusalIn(response);
      if (refusal === undefined) return response;
      await response.body?.cancel();
      if (refusal.needsScope) throw await scopeNeeded(server, access, refusal.challenge);
      if (refreshed || access === undefined) throw await loginNeeded(server, refusal.challenge);
      refreshing ??= refresh(server, access, refusal.challenge).finally(() => {
        refreshing = undefined;
      });
      await refreshing;
    }
  };
}

interface Sent {
  readonly server: AuthorizedServer;
  readonly access: Access | undefined;
  readonly init: RequestInit | undefined;
}

/** A redirect within the origin may lead to another resource, which gets no token. */
function withToken(input: string | URL, {server, access, init}: Sent): RequestInit {
  const headers = new Headers(init?.headers);
  const isOurs = checkResourceAllowed({requestedResource: input, configuredResource: server.url});
  if (access !== undefined && isOurs) headers.set('authorization', `Bearer ${access.tokens.access_token}`);
  return {...init, headers};
}

/** RFC 6750 section 3.1: 401 for a token that does not count, 403 `insufficient_scope` for one that is not enough. */
function refusalIn(response: Response): {readonly needsScope: boolean; readonly challenge: Challenge} | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const {scope, resourceMetadataUrl, error} = extractWWWAuthenticateParams(response);
  const needsScope = response.status === 403;
  if (needsScope && error !== 'insufficient_scope') return undefined;
  return {needsScope, challenge: {scope, resourceMetadataUrl: resourceMetadataUrl?.href}};
}

/** In turn with all processes: who comes later finds the token that the first one got. */
async function refresh(server: AuthorizedServer, refused: Access, challenge: Challenge): Promise<void> {
  let failed: {readonly cause: unknown} | undefined;
  await server.store.renew(async (now) => {
    if (now === undefined || now.tokens.access_token !== refused.tokens.access_token) return undefined;
    if (now.tokens.refresh_token === undefined) {
      failed = {cause: undefined};
      return undefined;
    }
    try {
      return await renewed(server, now, now.tokens.refresh_token);
    } catch (thrown) {
      if (!(thrown instanceof OAuthError)) throw thrown;
      failed = {cause: thrown};
      return undefined;
    }
  });
  // A login by hand, or an older Fettle that knows no turns, may have been first.
  if (failed !== undefined && !(await isReplaced(server, refused))) throw await loginNeeded(server, challenge, failed.cause);
}

/** Only with the issuer that granted the login, at the endpoint that was found when it did. */
async function renewed(server: AuthorizedServer, access: Access, refreshToken: string): Promise<Access> {
  const {issuer, tokenEndpoint, authMethods, indicator, client, tokens} = access;
  const granted = await refreshAuthorization(issuer, {
    metadata: {
      issuer,
      token_endpoint: tokenEndpoint,
      token_endpoint_auth_methods_supported: authMethods,
      authorization_endpoint: issuer, // not used by a refresh
      response_types_supported: ['code'],
    },
    clientInformation: server.clientSecret === undefined ? client : {...client, client_secret: server.clientSecret},
    refreshToken,
    resource: indicator,
    fetchFn: issuerFetch(server.url),
  });
  const {access_token, refresh_token, scope = tokens.scope} = granted;
  return {...access, tokens: {access_token, refresh_token, scope}};
}

async function isReplaced({store}: AuthorizedServer, {tokens}: Access): Promise<boolean> {
  const now = await store.access();
  return now !== undefined && now.tokens.access_token !== tokens.access_token;
}

async function loginNeeded({name, store}: AuthorizedServer, challenge: Challenge, cause?: unknown): Promise<FettleError> {
  await store.want(challenge);
  return new FettleError({code: 'AUTH', message: 'it requires a login.', hint: hintFor(name), cause});
}

/** More scopes are a matter of a person (step-up). Where the login has them already, another one would change nothing. */
async function scopeNeeded({name, store}: AuthorizedServer, access: Access | undefined, challenge: Challenge): Promise<FettleError> {
  const granted = access?.tokens.scope;
  const missing = missingScopes(challenge.scope, granted);
  if (access !== undefined && missing.length === 0) {
    const message = 'it refuses for want of a scope that the login has.';
    return new FettleError({code: 'AUTH', message, hint: 'Ask the operator of the server what the account may do.'});
  }
  await store.want({...challenge, scope: scopeUnion(granted, challenge.scope)});
  return new FettleError({code: 'AUTH', message: `it requires a login with more scopes: ${missing.join(' ')}.`, hint: hintFor(name)});
}

function hintFor(name: string): string {
  return `Run \`fettle mcp login ${name}\`.`;
}
