import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import {normalUri, type NormalUri} from '../../base/normal-uri.ts';
import type {EffectiveCall} from '../../tools/operation.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {Tool, ToolReply} from '../../tools/toolset.ts';
import {cleanLine} from '../clean-text.ts';
import type {RunningServer} from '../connection/connection.ts';
import {resourceList} from './resource-list.ts';
import {contentsText, fromServer} from './result-text.ts';

const INPUT = z.object({
  server: z.optional(z.string().check(z.describe('its name; needed where several have resources'))),
  uri: z.optional(z.string().check(z.describe('the resource to read; without it they are listed'))),
});

const MAX_URI = 2000;

/**
 * `mcp_resources`: lists the resources of servers, or reads one. Listing reveals nothing to a server and is a read; reading sends the address
 * to the server, and is evaluated like a call of one of its tools: rules know it as `mcp__<server>`.
 */
export function resourceTool(servers: readonly RunningServer[]): Tool {
  const names = servers.map(({server}) => server.name).join(', ');
  return {
    name: 'mcp_resources',
    description: `List or read resources (documents, files, records) of the MCP servers ${names}. A listed template becomes a uri by filling in its {names}.`,
    input: INPUT,
    aliases: {server_name: 'server', url: 'uri', resource: 'uri'},
    sideEffect: servers.some(({server}) => server.transport === 'stdio') ? 'execute' : 'network',
    permission: 'mcp_resources',
    prepare(validated) {
      const {server, uri: asked} = validated as z.output<typeof INPUT>;
      const uri = asked === undefined ? undefined : judgedUri(asked);
      return {
        args: {server, uri},
        effectiveCall: effectOf(servers, {server, uri}),
        resolve: async () => ({
          subjects: uri === undefined ? [] : [{kind: 'name', name: uri, address: 'uri'}],
          // oxlint-disable-next-line require-yield -- a tool is a generator; a resource has no progress
          async *run(ctx) {
            return uri === undefined ? await list(selected(servers, server), ctx) : await read(oneOf(servers, server), uri, ctx);
          },
        }),
      };
    },
  };
}

interface Asked {
  readonly server: string | undefined;
  readonly uri: string | undefined;
}

function effectOf(servers: readonly RunningServer[], {server, uri}: Asked): EffectiveCall {
  if (uri === undefined) return {permission: 'mcp_resources', sideEffect: 'read'};
  const {name, transport} = oneOf(servers, server).server;
  return {permission: `mcp__${name}`, sideEffect: transport === 'stdio' ? 'execute' : 'network'};
}

function selected(servers: readonly RunningServer[], name: string | undefined): readonly RunningServer[] {
  return name === undefined ? servers : [oneOf(servers, name)];
}

function oneOf(servers: readonly RunningServer[], name: string | undefined): RunningServer {
  const found = name === undefined && servers.length === 1 ? servers[0] : servers.find(({server}) => server.name === name);
  if (found !== undefined) return found;
  const message =
    name === undefined ? 'Several servers have resources: `server` is needed.' : `No server ${cleanLine(name, 60)} has resources.`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: `There are: ${servers.map(({server}) => server.name).join(', ')}.`});
}

async function list(servers: readonly RunningServer[], {signal, askUser}: ToolContext): Promise<ToolReply> {
  const options = {signal, askUser, onProgress: () => undefined};
  const lists = await Promise.all(servers.map((running) => resourceList(running, options)));
  const text = lists.map((one) => one.text).join('\n\n');
  const count = lists.reduce((sum, one) => sum + one.count, 0);
  return {text, summary: `${count} resource${count === 1 ? '' : 's'}`, structured: {text}, isError: false, changes: []};
}

/** The normal form, which rules are compared with and the server gets. */
function judgedUri(asked: string): string {
  const normal: NormalUri = asked.length > MAX_URI ? {problem: `is longer than ${MAX_URI} characters`} : normalUri(asked);
  if ('uri' in normal) return normal.uri;
  const message = `"${cleanLine(asked, 120)}" is not the uri of a resource: it ${normal.problem}.`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'Use a uri from the list, or fill in a template.'});
}

async function read({server, connection}: RunningServer, uri: string, {signal, askUser}: ToolContext): Promise<ToolReply> {
  const {contents} = await connection.request(
    {doing: `reading ${cleanLine(uri, 200)}`, send: (client, options) => client.readResource({uri}, options)},
    {signal, askUser, onProgress: () => undefined},
  );
  const text = contentsText(contents);
  return {
    text: text === '' ? '(the resource is empty)' : fromServer(server.name, text),
    summary: `${server.name}: ${cleanLine(uri, 80)}`,
    structured: {text},
    isError: false,
    changes: [],
  };
}
