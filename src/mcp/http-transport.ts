import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {FettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';
import {boundedFetch} from './bounded-fetch.ts';

/**
 * Streamable HTTP to a server. A redirect is followed only within its origin; a key goes over https, or over the loopback of this machine.
 * Throws CONFIG for an address that cannot be used.
 */
export function createHttpTransport(server: McpServer, env: Environment): StreamableHTTPClientTransport {
  const url = addressOf(server);
  const key = apiKey(server, env);
  const hasSecret = key !== undefined || Object.keys(server.headers ?? {}).length > 0;
  if (hasSecret && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new FettleError({
      code: 'CONFIG',
      message: `The MCP server ${server.name} would get its key in clear text.`,
      hint: 'Use an https:// address, or leave `api_key_env` and `headers` out.',
    });
  }
  return new StreamableHTTPClientTransport(url, {
    fetch: boundedFetch,
    requestInit: {headers: {...server.headers, ...(key === undefined ? {} : {Authorization: `Bearer ${key}`})}},
    reconnectionOptions: {maxRetries: 2, initialReconnectionDelay: 500, maxReconnectionDelay: 5000, reconnectionDelayGrowFactor: 2},
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The key of a server; undefined where it has none, or the variable is not set. */
export function apiKey({api_key_env: variable}: McpServer, env: Environment): string | undefined {
  const value = variable === undefined ? undefined : env[variable];
  return value === '' ? undefined : value;
}

function addressOf({name, url}: McpServer): URL {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed !== null) return parsed;
  throw new FettleError({code: 'CONFIG', message: `The MCP server ${name} has no usable address.`, hint: 'Set its `url`.'});
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
