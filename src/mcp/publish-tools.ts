import type {Tool as ListedTool} from '@modelcontextprotocol/client';
import type {McpServer} from '../config/settings.ts';
import type {Tool} from '../tools/toolset.ts';
import {cleanLine} from './clean-text.ts';
import type {ServerConnection} from './connection.ts';
import {remoteTool} from './remote-tool.ts';
import {publishedNames} from './tool-names.ts';

/** Providers refuse requests with more functions than this. */
const MAX_TOOLS = 100;

export interface PublishedTool {
  readonly listed: ListedTool;
  readonly tool: Tool;
}

export interface PublishedTools {
  readonly tools: readonly PublishedTool[];
  /** What a person should know of them. */
  readonly notices: readonly string[];
}

/** The tools of a connected server under their published names, sorted by them. */
export function publishTools(server: McpServer, connection: ServerConnection): PublishedTools {
  const wanted = connection.tools.filter((tool) => !(server.disabled_tools ?? []).includes(tool.name));
  const distinct = [...new Map(wanted.toReversed().map((tool) => [tool.name, tool])).values()];
  const names = publishedNames(
    server.name,
    wanted.map((tool) => tool.name),
  );
  const published = distinct
    .map((listed) => ({listed, name: names.get(listed.name) ?? ''}))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_TOOLS)
    .map(({listed, name}) => ({listed, tool: remoteTool({server, connection, listed, name})}));
  return {
    tools: published,
    notices: [...unusable(server, connection), ...noticesOf(server, {listed: wanted.length, distinct: distinct.length})],
  };
}

const MAX_NAMED = 5;

function unusable({name}: McpServer, {leftOut}: ServerConnection): string[] {
  if (leftOut.length === 0) return [];
  const names = leftOut.slice(0, MAX_NAMED).map((tool) => cleanLine(tool, MAX_NAME));
  return [
    `MCP server ${name}: tools without a schema of their arguments are left out: ${names.join(', ')}${leftOut.length > MAX_NAMED ? ' …' : ''}.`,
  ];
}

const MAX_NAME = 60;

function noticesOf({name}: McpServer, {listed, distinct}: {readonly listed: number; readonly distinct: number}): string[] {
  return [
    ...(distinct < listed ? [`MCP server ${name}: ${listed - distinct} tools have the name of another; the first one counts.`] : []),
    ...(distinct > MAX_TOOLS
      ? [`MCP server ${name}: only the first ${MAX_TOOLS} of ${distinct} tools are published; \`disabled_tools\` leaves some out.`]
      : []),
  ];
}
