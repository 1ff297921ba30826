import {isSecretVariable} from '../../base/variable-names.ts';
import {hideInArgs, hideInUrl} from '../../config/secret-parts.ts';
import type {McpServer} from '../../config/settings.ts';
import {apiKey} from './http-transport.ts';
import {oauthServer} from '../oauth/oauth-server.ts';
import type {ServerPlace} from './server-place.ts';

/** Shorter ones would hit ordinary words. */
const MIN_CHARS = 6;

/**
 * Lists the secrets of a server that are known without asking a disk: its key, headers, and those in its address, arguments and variables.
 */
export function configuredSecrets(server: McpServer, env: ServerPlace['env']): string[] {
  const found: string[] = [];
  const collect = (secret: string): string => {
    found.push(secret, ...userParts(secret));
    return '';
  };
  if (server.url !== undefined) hideInUrl(server.url, collect);
  hideInArgs(server.args ?? [], collect);
  const variables = Object.entries(server.env ?? {}).flatMap(([name, value]) => (isSecretVariable(name, value) ? [value] : []));
  const key = apiKey(server, env);
  const all = [...(key === undefined ? [] : [key]), ...Object.values(server.headers ?? {}), ...variables, ...found];
  return [...new Set(all.flatMap((secret) => [secret, decoded(secret)]))].filter((secret) => secret.length >= MIN_CHARS);
}

/** With those of its login. */
export async function serverSecrets(server: McpServer, place: ServerPlace): Promise<string[]> {
  return [...configuredSecrets(server, place.env), ...(await loginSecrets(server, place))];
}

/** The text without any secret of the server. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.toSorted((a, b) => b.length - a.length).reduce((left, secret) => left.replaceAll(secret, '(hidden)'), text);
}

/** `user:password` is sent as both. */
function userParts(secret: string): string[] {
  const at = secret.indexOf(':');
  return at < 0 ? [] : [secret.slice(at + 1)];
}

function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    return secret;
  }
}

async function loginSecrets(server: McpServer, place: ServerPlace): Promise<string[]> {
  if (server.auth !== 'oauth') return [];
  try {
    const {store, clientSecret} = oauthServer(server, place);
    const access = await store.access();
    const known = [clientSecret, access?.client.client_secret, access?.tokens.access_token, access?.tokens.refresh_token];
    return known.filter((secret) => secret !== undefined);
  } catch {
    return []; // its notice says why it is missing
  }
}
