import type {Tool as ListedTool} from '@modelcontextprotocol/client';
import {escapedChar, escapeInvisible} from '../../base/escape-invisible.ts';
import type {McpServer} from '../../config/settings.ts';
import type {Tool} from '../../tools/toolset.ts';
import type {ServerConnection} from '../connection/connection.ts';
import {remoteTool} from './remote-tool.ts';
import {publishedNames} from './tool-names.ts';

/** Providers refuse requests with more functions than this. */
const MAX_TOOLS = 100;

export interface OfferedRemoteTool {
  readonly listed: ListedTool;
  readonly tool: Tool;
}

export interface OfferedTools {
  readonly tools: readonly OfferedRemoteTool[];
  /** Notices for the user about the tools. */
  readonly notices: readonly string[];
}

/** The tools of a connected server under their published names, sorted by them. */
export function offeredTools(server: McpServer, connection: ServerConnection): OfferedTools {
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

function unusable({name}: McpServer, {leftOut: all}: ServerConnection): string[] {
  const leftOut = all.filter(({isFault}) => isFault);
  if (leftOut.length === 0) return [];
  const described = leftOut.slice(0, MAX_NAMED).map((tool) => `${shownName(tool.name)} (${tool.why})`);
  const more = leftOut.length - described.length;
  return [`MCP server ${name}: tools that cannot be used are left out: ${described.join(', ')}${more > 0 ? `, ${more} more` : ''}.`];
}

const MAX_NAME = 60;

function shownName(name: string): string {
  return escapeInvisible(name.slice(0, MAX_NAME).toWellFormed()).text.replaceAll(/[\t\n]/g, escapedChar);
}

function noticesOf({name}: McpServer, {listed, distinct}: {readonly listed: number; readonly distinct: number}): string[] {
  return [
    ...(distinct < listed ? [`MCP server ${name}: ${listed - distinct} tools have the name of another; the first one counts.`] : []),
    ...(distinct > MAX_TOOLS
      ? [`MCP server ${name}: only the first ${MAX_TOOLS} of ${distinct} tools are published; \`disabled_tools\` leaves some out.`]
      : []),
  ];
}
