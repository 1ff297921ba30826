import type {Progress, Tool as ListedTool} from '@modelcontextprotocol/client';
import * as z from 'zod/mini';
import {createAsyncQueue} from '../../base/async-queue.ts';
import {isJsonObject, type Json} from '../../base/json.ts';
import type {McpServer} from '../../config/settings.ts';
import type {ToolStreamEvent} from '../../tools/stream-event.ts';
import type {Tool, ToolReply} from '../../tools/toolset.ts';
import {cleanLine, cleanServerText} from '../clean-text.ts';
import {cleanSchema} from './clean-schema.ts';
import type {ServerConnection} from '../connection/connection.ts';
import {explicitJson, fromServer, resultText} from './result-text.ts';

export interface RemoteTool {
  readonly server: McpServer;
  readonly connection: ServerConnection;
  readonly listed: ListedTool;
  /** The name it is published under. */
  readonly name: string;
}

const MAX_DESCRIPTION = 1200;
/** Progress that is passed on for one call; a server may send as much as it likes. */
const MAX_PROGRESS = 200;

/**
 * A tool of a server as a tool of the toolset. What the server says about it (`readOnlyHint` …) allows nothing: it is judged like a
 * program or a request to the network. Rules know it by its own name, and by `mcp__<server>` for all tools of the server.
 */
export function remoteTool({server, connection, listed, name}: RemoteTool): Tool {
  return {
    name,
    description: describe(server, listed),
    input: ANY_INPUT,
    foreignSchema: cleanSchema(listed.inputSchema),
    aliases: {},
    sideEffect: server.transport === 'stdio' ? 'execute' : 'network',
    permission: `mcp__${server.name}`,
    prepare: (input) => ({
      args: input,
      resolve: async () => ({
        subjects: [],
        async *run(ctx) {
          const events = createAsyncQueue<ToolStreamEvent>();
          const onProgress = progressInto(events.push);
          const {signal, askUser} = ctx;
          const running = connection.call(listed, isJsonObject(input) ? input : {}, {signal, askUser, onProgress});
          running.then(events.end, events.fail);
          yield* events;
          return reply(await running, server.name);
        },
      }),
    }),
  };
}

const ANY_INPUT = z.looseObject({});

function describe(server: McpServer, {title, description}: ListedTool): string {
  const text = cleanServerText(description ?? title ?? '', MAX_DESCRIPTION);
  const hint = server.prompt === undefined ? '' : `\nHint: ${server.prompt}`;
  return `[${server.name}] ${text}${hint}`.trim();
}

function reply(result: Awaited<ReturnType<ServerConnection['call']>>, server: string): ToolReply {
  const text = resultText(result);
  const isError = result.isError === true;
  return {
    text: fromServer(server, text),
    summary: `${server}: ${cleanLine(text, 80) || (isError ? 'failed' : 'done')}`,
    structured: result.structuredContent === undefined ? {text} : explicitJson(result.structuredContent as Json),
    isError,
    changes: [],
  };
}

function progressInto(push: (event: ToolStreamEvent) => void): (progress: Progress) => void {
  let left = MAX_PROGRESS;
  return ({progress, total, message}) => {
    if (left === 0) return;
    left -= 1;
    const count = total === undefined ? `${progress}` : `${progress}/${total}`;
    push({type: 'output', stream: 'progress', text: `${message === undefined ? count : `${count} ${cleanLine(message, 200)}`}\n`});
  };
}
