import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {addressOf} from '../server-address.ts';
import {boundedFetch} from './bounded-fetch.ts';
import {authorizedFetch} from '../oauth/authorized-fetch.ts';
import {isLoopback} from '../oauth/is-loopback.ts';
import {oauthServer} from '../oauth/oauth-server.ts';
import {reconnectPace} from './reconnect-delay.ts';
import type {ServerPlace} from './server-place.ts';

/**
 * Streamable HTTP to a server. A redirect is followed only within its origin; a key goes over https, or over the loopback of this machine,
 * and so does the token of a login, which the requests themselves see to.
 * Throws CONFIG for an address that cannot be used.
 */
export function createHttpTransport(server: McpServer, place: ServerPlace): StreamableHTTPClientTransport {
  const url = addressOf(server);
  const key = apiKey(server, place.env);
  const hasSecret = key !== undefined || Object.keys(server.headers ?? {}).length > 0;
  if (hasSecret && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new FettleError({
      code: 'CONFIG',
      message: `The MCP server ${server.name} would get its key in clear text.`,
      hint: 'Use an https:// address, or leave `api_key_env` and `headers` out.',
    });
  }
  return new StreamableHTTPClientTransport(url, {
    fetch: server.auth === 'oauth' ? authorizedFetch(oauthServer(server, place)) : boundedFetch,
    requestInit: {headers: {...server.headers, ...(key === undefined ? {} : {Authorization: `Bearer ${key}`})}},
    reconnectionOptions: {maxRetries: 2, initialReconnectionDelay: 500, maxReconnectionDelay: 5000, reconnectionDelayGrowFactor: 2},
    reconnectionScheduler: reconnectPace(),
  });
}

/** The key of a server; undefined if it has none, or the variable is not set. */
export function apiKey({api_key_env: variable}: McpServer, env: ServerPlace['env']): string | undefined {
  const value = variable === undefined ? undefined : env[variable];
  return value === '' ? undefined : value;
}
