import type {McpServer} from '../config/settings.ts';
import type {Tool} from '../tools/toolset.ts';
import type {ServerConnection} from './connection.ts';
import {remoteTool} from './remote-tool.ts';
import {publishedNames} from './tool-names.ts';

/** Providers refuse requests with more functions than this. */
const MAX_TOOLS = 100;

/** The tools of a connected server under their published names, sorted by them, and what a person should know of them. */
export function publishTools(server: McpServer, connection: ServerConnection): {tools: readonly Tool[]; notices: readonly string[]} {
  const wanted = connection.tools.filter((tool) => !(server.disabled_tools ?? []).includes(tool.name));
  const distinct = [...new Map(wanted.toReversed().map((tool) => [tool.name, tool])).values()];
  const names = publishedNames(
    server.name,
    wanted.map((tool) => tool.name),
  );
  const tools = distinct
    .map((listed) => remoteTool({server, connection, listed, name: names.get(listed.name) ?? ''}))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const notices = [
    ...(distinct.length < wanted.length
      ? [`MCP server ${server.name}: ${wanted.length - distinct.length} tools have the name of another; the first one counts.`]
      : []),
    ...(tools.length > MAX_TOOLS
      ? [
          `MCP server ${server.name}: only the first ${MAX_TOOLS} of ${tools.length} tools are published; \`disabled_tools\` leaves some out.`,
        ]
      : []),
  ];
  return {tools: tools.slice(0, MAX_TOOLS), notices};
}
