import {randomBytes} from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ServerContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type McpServerFactory,
  type Tool,
} from '@modelcontextprotocol/server';
import type {FettleError} from '../../base/errors.ts';
import {isJsonObject} from '../../base/json.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import {VERSION} from '../../sdk/version.ts';
import {admitCall} from '../../tools/dispatch/admit-call.ts';
import {advertisedTools} from '../../tools/toolsets/advertised-tools.ts';
import {toolSchemas} from '../../tools/arguments/schema.ts';
import {answerToolCall, type Approved, type CalledTool, type ToolHost} from './call-tool.ts';
import {createRunningCalls, type RunningCalls} from './running-calls.ts';

export interface ToolServer {
  /** A server for each connection, or for each request for stateless transports. All share files, rules and order. */
  readonly factory: McpServerFactory;
  /** Resolves when no call runs any more. */
  settled(): Promise<void>;
}

/** Publishes the tools of a toolset. Every call goes through the dispatcher, like one of a model. */
export function createToolServer(host: ToolHost): ToolServer {
  const running = createRunningCalls();
  const codec = createRequestStateCodec<Approved>({key: randomBytes(32), bind: (ctx) => ctx.mcpReq.method});
  const tools = listed(host);
  return {
    settled: running.settled,
    factory: () => createServer({host, running, codec, tools}),
  };
}

interface Parts {
  readonly host: ToolHost;
  readonly running: RunningCalls;
  readonly codec: ReturnType<typeof createRequestStateCodec<Approved>>;
  readonly tools: readonly Tool[];
}

/** Uses the low-level server of the SDK: the other one validates arguments against the schema before aliases could be resolved. */
function createServer({host, running, codec, tools}: Parts): Server {
  const server = new Server(
    {name: 'fettle', title: 'Fettle', version: VERSION},
    {
      capabilities: {tools: {}},
      instructions: `Tools for the folder ${host.root}. Paths may be relative to it.`,
      requestState: {verify: codec.verify},
    },
  );
  server.setRequestHandler('tools/list', () => ({tools: [...tools]}));
  server.setRequestHandler('tools/call', async ({params}, ctx) => {
    const args = params.arguments ?? {};
    const {tool, error} = await meantTool(host, params.name, args);
    if (tool === undefined && error?.code === 'BAD_ARGS') {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    const call = {name: params.name, args, tool, canAsk: canAsk(server, ctx), mint: codec.mint};
    return await running.run(() => answerToolCall(host, call, ctx));
  });
  return server;
}

/** As for a model: advertised and callable tools differ, and names of other agents are understood. */
async function meantTool({dispatcher}: ToolHost, name: string, args: object): Promise<{tool?: CalledTool; error?: FettleError}> {
  const admitted = await admitCall(dispatcher.toolset, {id: '', name, arguments: JSON.stringify(args)});
  return admitted.ok ? {tool: admitted.tool} : {...(admitted.tool === undefined ? {} : {tool: admitted.tool}), error: admitted.error};
}

/** Clients of 2026-07-28 say with each request what they can do, older ones once. */
function canAsk(server: Server, {mcpReq}: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return isJsonObject(capabilities) && capabilities['elicitation'] !== undefined;
}

/** Without the tools that ask the person at our own screen, and those that need our own model: there is neither. */
function listed({dispatcher: {toolset, context}, compositeTools = false}: ToolHost): Tool[] {
  const advertised = advertisedTools(toolset, {model: undefined, compositeTools, hasPerson: false, capabilities: context.capabilities});
  const useful = advertised.filter((tool) => tool.permission !== 'task');
  const readOnly = new Set(useful.filter((tool) => isReadOnly(tool.sideEffect)).map((tool) => tool.name));
  return toolSchemas({tools: useful}).map(({name, description, parameters}) => ({
    name,
    description,
    inputSchema: parameters as Tool['inputSchema'],
    annotations: {readOnlyHint: readOnly.has(name)},
  }));
}
