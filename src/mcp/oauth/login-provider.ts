import type {OAuthClientProvider, OAuthDiscoveryState, StoredOAuthClientInformation} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {isSafeAddress} from './issuer-fetch.ts';
import type {Access, TokenStore} from './token-store.ts';

export interface LoginAttempt {
  readonly server: McpServer;
  readonly url: URL;
  readonly store: TokenStore;
  readonly clientSecret: string | undefined;
  readonly redirectUrl: string;
  readonly state: string;
  /** Shows the address to the person. */
  readonly visit: (address: URL) => Promise<void>;
}

/** Storage for the SDK during one login. Everything is forgotten except what was finally granted. */
export interface LoginProvider extends OAuthClientProvider {
  discoveryState(): OAuthDiscoveryState | undefined;
}

export function createLoginProvider({server, url, store, clientSecret, redirectUrl, state, visit}: LoginAttempt): LoginProvider {
  const {client_id: id} = server;
  // An https address is a client metadata document, if the issuer supports those.
  const isDocument = id !== undefined && URL.parse(id)?.protocol === 'https:';
  let client: StoredOAuthClientInformation | undefined =
    id === undefined || isDocument ? undefined : {client_id: id, ...(clientSecret === undefined ? {} : {client_secret: clientSecret})};
  let discovered: OAuthDiscoveryState | undefined;
  let verifier = '';
  let indicator: string | undefined;
  let asked: string | undefined;
  return {
    redirectUrl,
    ...(isDocument ? {clientMetadataUrl: id} : {}),
    clientMetadata: {
      client_name: 'Fettle',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information;
    },
    tokens: () => undefined,
    async saveTokens({access_token, refresh_token, scope = asked}) {
      const registered = clientToKeep(client, clientSecret !== undefined);
      await store.save({...endpointOf(discovered), indicator, client: registered, tokens: {access_token, refresh_token, scope}});
    },
    async redirectToAuthorization(address) {
      checkPage(address, {url, discovered});
      asked = address.searchParams.get('scope') ?? undefined;
      await visit(address);
    },
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveResourceUrl(text) {
      indicator = text;
    },
    saveDiscoveryState(found) {
      discovered = found;
    },
    discoveryState: () => discovered,
  };
}

function clientToKeep(client: StoredOAuthClientInformation | undefined, hasOwnSecret: boolean): Access['client'] {
  const {client_id = '', client_secret, ...more} = client ?? {};
  const method = 'token_endpoint_auth_method' in more ? more.token_endpoint_auth_method : undefined;
  return {
    client_id,
    client_secret: hasOwnSecret ? undefined : client_secret, // one from a variable stays there
    token_endpoint_auth_method: typeof method === 'string' ? method : undefined,
  };
}

function endpointOf(discovered: OAuthDiscoveryState | undefined): Pick<Access, 'issuer' | 'tokenEndpoint' | 'authMethods'> {
  const {issuer, metadata} = issuerOf(discovered);
  return {issuer, tokenEndpoint: metadata.token_endpoint, authMethods: metadata.token_endpoint_auth_methods_supported};
}

/** MCP › authorization: without protected resource metadata, and without PKCE by S256, a client must not go on. */
function checkPage(address: URL, {url, discovered}: {readonly url: URL; readonly discovered: OAuthDiscoveryState | undefined}): void {
  if (discovered?.resourceMetadata === undefined) throw unusable('it does not say where to log in');
  const methods = issuerOf(discovered).metadata.code_challenge_methods_supported ?? [];
  if (!methods.includes('S256')) throw unusable('its issuer does not support PKCE with S256');
  if (!isSafeAddress(address, url)) throw unusable('the page for its login is not under https');
}

/** The metadata of the issuer that a login is under way with. Throws AUTH if it has none. */
export function issuerOf(discovered: OAuthDiscoveryState | undefined): {
  readonly issuer: string;
  readonly metadata: NonNullable<OAuthDiscoveryState['authorizationServerMetadata']>;
} {
  const metadata = discovered?.authorizationServerMetadata;
  if (metadata === undefined) throw unusable('it does not say where to log in');
  return {issuer: metadata.issuer, metadata};
}

function unusable(why: string): FettleError {
  return new FettleError({code: 'AUTH', message: `${why}.`, hint: 'Use a key instead (`api_key_env`), or ask the operator of the server.'});
}
