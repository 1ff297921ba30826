import {hash} from 'node:crypto';
import type {CallToolResult, Progress, Tool} from '@modelcontextprotocol/client';
import {FettleError} from '../base/errors.ts';
import type {Json, JsonObject} from '../base/json.ts';
import type {McpServer} from '../config/settings.ts';
import type {AskUser} from '../tools/user-questions.ts';
import {connectServer, type LiveServer, type ServerPlace} from './connect.ts';
import {answerElicitation} from './elicitation.ts';
import {createPatience, type Patience} from './patience.ts';
import {serverError, statusOf} from './server-error.ts';

/** One server for the life of a thread: one process or session, used by all calls, started again once when it dies. */
export interface ServerConnection {
  readonly tools: readonly Tool[];
  /** For people: protocol version and what the server says that it is. */
  readonly about: {readonly protocol: string; readonly server: string};
  call(tool: Tool, args: JsonObject, options: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly askUser: AskUser | undefined;
  readonly onProgress: (progress: Progress) => void;
}

const TOOL_S = 60;
/** Questions that one call may put to the person. */
const MAX_QUESTIONS = 8;

/** Throws what `connectServer` throws. */
export async function openConnection(opened: {server: McpServer; place: ServerPlace}, signal: AbortSignal): Promise<ServerConnection> {
  const {server} = opened;
  const running = new Set<RunningCall>();
  const connect = (until: AbortSignal): Promise<LiveServer> =>
    connectServer({...opened, onElicit: (params) => elicited(params, server.name, running)}, until);
  let live = await connect(signal);
  const {tools} = live;
  let restarts = 1;

  const reconnected = async (options: CallOptions): Promise<LiveServer> => {
    const why = live.ended();
    if (why === undefined) return live;
    if (restarts === 0) throw serverError(new Error(why), {server: server.name, doing: 'it is gone', stderr: live.stderr()});
    restarts -= 1;
    await live.close();
    live = await connect(options.signal);
    return live;
  };

  const callOnce = async (tool: Tool, args: JsonObject, options: CallOptions): Promise<CallToolResult> => {
    const at = await reconnected(options);
    if (at.tools !== tools && !at.tools.some((now) => fingerprint(now) === fingerprint(tool))) {
      const hint = 'Start a new session to see its tools as they are now.';
      throw new FettleError({
        code: 'STALE',
        message: `MCP server ${server.name} was started again and describes ${tool.name} in another way.`,
        hint,
      });
    }
    const call: RunningCall = {options, patience: createPatience((server.tool_timeout_s ?? TOOL_S) * 1000), questions: 0};
    running.add(call);
    try {
      const result = await at.client.callTool({name: tool.name, arguments: args}, requestOptions(call));
      restarts = 1;
      return result;
    } catch (thrown) {
      throw callError(thrown, {call, at, server, tool});
    } finally {
      running.delete(call);
      call.patience.end();
    }
  };

  return {
    tools,
    about: aboutServer(live),
    async call(tool, args, options) {
      try {
        return await callOnce(tool, args, options);
      } catch (thrown) {
        // 404: the server lost the session, and did nothing (MCP 2025-11-25 › session management).
        if (!(thrown instanceof FettleError) || statusOf(thrown.cause) !== 404 || restarts === 0) throw thrown;
        restarts -= 1;
        await live.close();
        live = await connect(options.signal);
        return await callOnce(tool, args, options);
      }
    },
    close: () => live.close(),
  };
}

interface RunningCall {
  readonly options: CallOptions;
  readonly patience: Patience;
  questions: number;
}

type ElicitParams = Parameters<typeof answerElicitation>[0];

/** A question is put to the person of the newest running call; without a call nobody is asked. */
function elicited(params: ElicitParams, server: string, running: ReadonlySet<RunningCall>): ReturnType<typeof answerElicitation> {
  const call = [...running].at(-1);
  if (call === undefined) return Promise.resolve({action: 'decline'});
  call.questions += 1;
  const {askUser, signal} = call.options;
  if (call.questions > MAX_QUESTIONS) return Promise.resolve({action: 'decline'});
  return call.patience.whilePaused(() => answerElicitation(params, {server, askUser, signal}));
}

function requestOptions({options, patience}: RunningCall): object {
  return {
    signal: AbortSignal.any([options.signal, patience.signal]),
    timeout: 2 ** 31 - 1, // `patience` ends it: it knows when a person is thinking
    onprogress: (progress: Progress) => {
      patience.touch();
      options.onProgress(progress);
    },
  };
}

function callError(
  thrown: unknown,
  {call, at, server, tool}: {call: RunningCall; at: LiveServer; server: McpServer; tool: Tool},
): FettleError {
  if (call.options.signal.aborted) return new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: thrown});
  const trouble = {server: server.name, doing: `calling ${tool.name}`, stderr: at.stderr()};
  if (call.patience.signal.aborted) {
    const message = `no answer within ${server.tool_timeout_s ?? TOOL_S} s; whether the call had an effect is not known.`;
    return serverError(new FettleError({code: 'TIMEOUT', message, hint: '`tool_timeout_s` of the server sets the limit.'}), trouble);
  }
  const ended = at.ended();
  if (ended === undefined) return serverError(thrown, {...trouble, stderr: undefined});
  return serverError(new FettleError({code: 'UNAVAILABLE', message: `${ended}; whether the call had an effect is not known.`}), trouble);
}

function fingerprint({name, description, inputSchema}: Tool): string {
  return hash('sha256', JSON.stringify([name, description ?? null, inputSchema as Json]));
}

function aboutServer({client}: LiveServer): ServerConnection['about'] {
  const info = client.getServerVersion();
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    server: info === undefined ? '' : `${info.name} ${info.version}`,
  };
}
