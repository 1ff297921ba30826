import {FettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';
import type {PermissionRequest} from '../policy/decision.ts';

/**
 * What is decided on for `mcp__<server>__<tool>`: the name, all tools of the server, and how it is reached. No server is started, so that
 * nothing is known of the tool itself; its arguments decide nothing. Undefined for any other name; BAD_ARGS where no server has that name.
 */
export function servedRequest(tool: string, servers: readonly McpServer[]): PermissionRequest | undefined {
  if (!tool.startsWith('mcp__')) return undefined;
  const [server] = servers.filter(({name}) => tool.startsWith(`mcp__${name}__`)).toSorted((a, b) => b.name.length - a.name.length);
  if (server === undefined) {
    const names = servers.map(({name}) => name).join(', ');
    const hint = names === '' ? 'None is configured.' : `Configured: ${names}.`;
    throw new FettleError({code: 'BAD_ARGS', message: `${tool} is no tool of a configured MCP server.`, hint});
  }
  if (server.disabled === true) throw new FettleError({code: 'BAD_ARGS', message: `The MCP server ${server.name} is disabled.`});
  return {toolNames: [tool, `mcp__${server.name}`], sideEffect: server.transport === 'stdio' ? 'execute' : 'network', subjects: []};
}
