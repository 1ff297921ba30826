import {FettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';

/** Where a server over HTTP is. Throws CONFIG where that is no address. */
export function addressOf({name, url}: McpServer): URL {
  const parsed = url === undefined ? null : URL.parse(url);
  if (parsed !== null) return parsed;
  throw new FettleError({code: 'CONFIG', message: `The MCP server ${name} has no usable address.`, hint: 'Set its `url`.'});
}
