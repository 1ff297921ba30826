import {FettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';

/** Returns the address of an HTTP server. Throws CONFIG if it is not one. */
export function addressOf({name, url}: McpServer): URL {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed !== null) return parsed;
  throw new FettleError({code: 'CONFIG', message: `The MCP server ${name} has no usable address.`, hint: 'Set its `url`.'});
}
