import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {addressOf} from '../server-address.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import type {AuthorizedServer} from './authorized-fetch.ts';
import {isSafeAddress} from './issuer-fetch.ts';
import {openTokenStore} from './token-store.ts';

/** A configured server with `auth = "oauth"`, and the store of its logins. Throws CONFIG for any other, and for one in clear text. */
export function oauthServer(server: McpServer, {env, stateDir}: Pick<ServerPlace, 'env' | 'stateDir'>): AuthorizedServer {
  const {name, client_secret_env: variable} = server;
  if (server.auth !== 'oauth') {
    throw new FettleError({
      code: 'CONFIG',
      message: `The MCP server ${name} has no login.`,
      hint: 'Set `auth = "oauth"` where it wants one.',
    });
  }
  const url = addressOf(server);
  url.hash = '';
  if (!isSafeAddress(url, url)) {
    throw new FettleError({
      code: 'CONFIG',
      message: `The MCP server ${name} would get its token in clear text.`,
      hint: 'Use an https:// address.',
    });
  }
  const secret = variable === undefined ? undefined : env[variable];
  return {name, url, store: openTokenStore(stateDir, url.href), clientSecret: secret === '' ? undefined : secret};
}
