import type {Transport} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import {childEnvironment} from '../../exec/variables/child-environment.ts';
import {orLate} from '../../base/waiting/or-late.ts';
import {createHttpTransport} from './http-transport.ts';
import {createMessageCount, FLOODED} from './message-count.ts';
import {startFolder} from './start-folder.ts';
import {StdioTransport} from './stdio-transport.ts';
import {dropUnusableTools, type UnusableTool} from '../tools/drop-unusable-tools.ts';
import type {ServerPlace} from './server-place.ts';

/** The transport to one server, of any kind, with bounded messages. */
export interface OpenedTransport {
  readonly transport: Transport;
  /** Listed tools that nobody could call. */
  readonly leftOut: readonly UnusableTool[];
  /** Returns why the transport is over, if known. */
  ended(): string | undefined;
  /** '' for a server that is not a process of ours. */
  stderr(): string;
  /** Ends the session on the server, if it keeps one. */
  leave(): Promise<void>;
}

/** Starts nothing yet. Throws CONFIG for a server that cannot be reached as it is configured. */
export function openTransport(server: McpServer, place: ServerPlace): OpenedTransport {
  if (server.transport === 'http') return openHttp(server, place);
  const transport = new StdioTransport(commandOf(server, place));
  const leftOut = dropUnusableTools(transport);
  return {transport, leftOut, ended: () => transport.ended, stderr: () => transport.stderr, leave: async () => undefined};
}

/** Over HTTP the SDK has the transport, and nothing else bounds how many messages its streams bring. */
function openHttp(server: McpServer, place: ServerPlace): OpenedTransport {
  const transport = createHttpTransport(server, place);
  const count = createMessageCount();
  let ended: string | undefined;
  const leftOut = dropUnusableTools(transport, (message) => {
    if (count.received(message)) return true;
    if (ended === undefined) {
      ended = `${FLOODED}, and was ended`;
      void transport.close();
    }
    return false;
  });
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    count.sent(message);
    await send(message, options);
  };
  const leave = async (): Promise<void> => {
    if (transport.sessionId !== undefined) await endSession(transport);
  };
  return {transport, leftOut, ended: () => ended, stderr: () => '', leave};
}

function commandOf(server: McpServer, place: ServerPlace): ConstructorParameters<typeof StdioTransport>[0] {
  if (server.command === undefined) {
    throw new FettleError({code: 'CONFIG', message: `The MCP server ${server.name} has no command.`, hint: 'Set its `command`.'});
  }
  return {
    program: server.command,
    args: server.args ?? [],
    cwd: startFolder(server, place),
    env: {...childEnvironment(place.env), ...server.env},
  };
}

/** Ends the session on a server that has sessions; it may not support that. */
async function endSession(transport: ReturnType<typeof createHttpTransport>): Promise<void> {
  await orLate(transport.terminateSession(), 1000).catch(() => undefined);
}
