import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';

/** The MCP server of that name. Throws USAGE with the names that there are. */
export function configuredServer(servers: readonly McpServer[], name: string): McpServer {
  const server = servers.find((candidate) => candidate.name === name);
  if (server !== undefined) return server;
  const names = servers.map((candidate) => candidate.name).join(', ');
  const hint = names === '' ? 'None is configured.' : `There are: ${names}.`;
  throw new FettleError({code: 'USAGE', message: `There is no MCP server ${name} in the configuration.`, hint});
}
