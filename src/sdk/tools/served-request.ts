import {FettleError} from '../../base/errors.ts';
import type {McpServer, Settings} from '../../config/settings.ts';
import {publishedNames} from '../../mcp/tools/tool-names.ts';
import type {PermissionRequest} from '../../policy/decision.ts';
import {switchedOff} from '../../tools/toolsets/select-tools.ts';

/**
 * Builds the permission request for `mcp__<server>__<tool>`: the name, all tools of the server, and the command
 * or URL of the server. No server is started, so nothing is known of the tool itself, and its arguments do not
 * matter. Returns undefined for any other name. Throws BAD_ARGS if no server has that name, DENIED if the tool
 * is switched off.
 */
export function servedRequest(
  tool: string,
  settings: Pick<Settings, 'mcp_servers' | 'enabled_tools' | 'disabled_tools'>,
): PermissionRequest | undefined {
  if (!tool.startsWith('mcp__')) return undefined;
  const {mcp_servers: servers} = settings;
  const [server] = servers.filter(({name}) => tool.startsWith(`mcp__${name}__`)).toSorted((a, b) => b.name.length - a.name.length);
  if (server === undefined) {
    const names = servers.map(({name}) => name).join(', ');
    const hint = names === '' ? 'None is configured.' : `Configured: ${names}.`;
    throw new FettleError({code: 'BAD_ARGS', message: `${tool} is not a tool of a configured MCP server.`, hint});
  }
  if (server.disabled === true) throw new FettleError({code: 'BAD_ARGS', message: `The MCP server ${server.name} is disabled.`});
  const off = switchedOff(settings)?.(tool) ?? leftOut(tool, server);
  if (off !== undefined) throw new FettleError({code: 'DENIED', message: `${off}.`});
  return {toolNames: [tool, `mcp__${server.name}`], sideEffect: server.transport === 'stdio' ? 'execute' : 'network', subjects: []};
}

/** Judged by the name that the tool is published under when no other tool of the server has nearly the same. */
function leftOut(tool: string, {name, disabled_tools: disabled = []}: McpServer): string | undefined {
  const hit = disabled.find((original) => publishedNames(name, [original]).get(original) === tool);
  return hit === undefined ? undefined : `${tool} is switched off: disabled_tools of the server ${name} has "${hit}"`;
}
