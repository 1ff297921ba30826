import type {CallToolResult, Client, Progress, RequestOptions, Tool} from '@modelcontextprotocol/client';
import {FettleError} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {McpServer} from '../../config/settings.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import {checkToolOutput} from './check-output.ts';
import {createCallDeadline} from './call-deadline.ts';
import {cleanLine} from '../clean-text.ts';
import {connectServer, type LiveServer} from './connect.ts';
import {answerElicitation} from './elicitation.ts';
import {fingerprintTool} from '../trust/fingerprint.ts';
import {serverError, statusOf} from './server-error.ts';
import {configuredSecrets} from './server-secrets.ts';
import {runsFromFolder} from './start-folder.ts';
import type {UnusableTool} from '../tools/drop-unusable-tools.ts';
import type {ServerPlace} from './server-place.ts';

/**
 * One server for the life of a thread: one process or session, used by all calls, started again once when it dies. A server whose program is
 * in the working folder is not restarted: the program may have changed.
 */
export interface ServerConnection {
  readonly tools: readonly Tool[];
  /** Listed tools that nobody could call. */
  readonly leftOut: readonly UnusableTool[];
  /** For people: protocol version, and the server's name and version. */
  readonly about: {readonly protocol: string; readonly server: string};
  /** The server's own instructions, unchanged; '' if it sends none. */
  readonly instructions: string;
  readonly offers: {readonly resources: boolean; readonly prompts: boolean};
  call(tool: Tool, args: JsonObject, options: CallOptions): Promise<CallToolResult>;
  /** Any other request, with the same limits. `doing` is for messages: `reading file:///a`. */
  request<T>(asked: ServerRequest<T>, options: CallOptions): Promise<T>;
  close(): Promise<void>;
}

/** A server that runs. */
export interface RunningServer {
  readonly server: McpServer;
  readonly connection: ServerConnection;
}

export interface ServerRequest<T> {
  readonly doing: string;
  send(client: Client, options: RequestOptions): Promise<T>;
  /** Throws if the restarted server is no longer the same one. */
  check?(live: LiveServer): void;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly askUser: AskUser | undefined;
  readonly onProgress: (progress: Progress) => void;
}

const TOOL_S = 60;
/** Questions that one call may put to the person. */
const MAX_QUESTIONS = 8;

/** Opens a connection. Throws the errors of `connectServer`. */
export async function openConnection(opened: {server: McpServer; place: ServerPlace}, signal: AbortSignal): Promise<ServerConnection> {
  const {server} = opened;
  const running = new Set<RunningCall>();
  const onElicit = (params: ElicitParams): ReturnType<typeof answerElicitation> => elicited(params, server.name, running);
  const connect = (until: AbortSignal): Promise<LiveServer> => connectServer({...opened, onElicit}, until);
  let live = await connect(signal);
  const secrets = configuredSecrets(server, opened.place.env);
  const most = runsFromFolder(server, opened.place) ? 0 : 1;
  let restarts = most;

  const reconnected = async (options: CallOptions): Promise<LiveServer> => {
    const why = live.ended();
    if (why === undefined) return live;
    if (restarts === 0) throw lost({why, at: live, server, secrets, isOwn: most === 0});
    restarts -= 1;
    await live.close();
    live = await connect(options.signal);
    return live;
  };

  const once = async <T>({doing, send, check}: ServerRequest<T>, options: CallOptions): Promise<T> => {
    const at = await reconnected(options);
    check?.(at);
    const call: RunningCall = {options, deadline: createCallDeadline((server.tool_timeout_s ?? TOOL_S) * 1000), questions: 0};
    running.add(call);
    try {
      const result = await send(at.client, requestOptions(call));
      restarts = most;
      return result;
    } catch (thrown) {
      throw callError(thrown, {call, at, server, doing, secrets});
    } finally {
      running.delete(call);
      call.deadline.end();
    }
  };

  const request = async <T>(asked: ServerRequest<T>, options: CallOptions): Promise<T> => {
    try {
      return await once(asked, options);
    } catch (thrown) {
      // 404: the server lost the session, and did nothing (MCP 2025-11-25 › session management).
      if (!(thrown instanceof FettleError) || statusOf(thrown.cause) !== 404 || restarts === 0) throw thrown;
      restarts -= 1;
      await live.close();
      live = await connect(options.signal);
      return await once(asked, options);
    }
  };

  const {tools, leftOut} = live;
  return {
    tools,
    leftOut,
    ...selfDescription(live),
    request,
    call: (tool, args, options) =>
      request({doing: `calling ${tool.name}`, check: (at) => sameOrThrow({at, tools, server}, tool), send: calling(tool, args)}, options),
    close: () => live.close(),
  };
}

interface Lost {
  readonly why: string;
  readonly at: LiveServer;
  readonly server: McpServer;
  readonly secrets: readonly string[];
  /** Its program is in the working folder. */
  readonly isOwn: boolean;
}

function lost({why, at, server, secrets, isOwn}: Lost): FettleError {
  const error = serverError(new FettleError({code: 'UNAVAILABLE', message: why}), {
    server: server.name,
    doing: 'it is gone',
    stderr: at.stderr(),
    secrets,
  });
  if (!isOwn) return error;
  const hint = 'It is not restarted: its program is in the workspace. Check what was changed, then start a new session.';
  return new FettleError({code: error.code, message: error.message, hint, cause: error});
}

function calling(tool: Tool, args: JsonObject): ServerRequest<CallToolResult>['send'] {
  return async (client, options) => {
    const result = await client.callTool({name: tool.name, arguments: args}, options);
    await checkToolOutput(tool, result);
    return result;
  };
}

interface Listed {
  readonly at: LiveServer;
  /** The process or session that the tools were taken from. */
  readonly tools: readonly Tool[];
  readonly server: McpServer;
}

function sameOrThrow({at, tools, server}: Listed, tool: Tool): void {
  if (at.tools === tools) return;
  const {digest} = fingerprintTool(tool);
  const isSame = at.tools.some((now) => now.name === tool.name && fingerprintTool(now).digest === digest);
  if (!isSame) throw describedOtherwise(server, tool);
}

function selfDescription(live: LiveServer): Pick<ServerConnection, 'about' | 'instructions' | 'offers'> {
  const {resources, prompts} = live.client.getServerCapabilities() ?? {};
  return {
    about: aboutServer(live),
    instructions: live.client.getInstructions() ?? '',
    offers: {resources: resources !== undefined, prompts: prompts !== undefined},
  };
}

function describedOtherwise(server: McpServer, tool: Tool): FettleError {
  return new FettleError({
    code: 'STALE',
    message: `MCP server ${server.name} was restarted and describes ${tool.name} differently.`,
    hint: 'Start a new session to see its tools as they are now.',
  });
}

interface RunningCall {
  readonly options: CallOptions;
  readonly deadline: ReturnType<typeof createCallDeadline>;
  questions: number;
}

type ElicitParams = Parameters<typeof answerElicitation>[0];

/** A question goes to the person of the newest running call; without a call nobody is asked. */
function elicited(params: ElicitParams, server: string, running: ReadonlySet<RunningCall>): ReturnType<typeof answerElicitation> {
  const call = [...running].at(-1);
  if (call === undefined) return Promise.resolve({action: 'decline'});
  call.questions += 1;
  const {askUser, signal} = call.options;
  if (call.questions > MAX_QUESTIONS) return Promise.resolve({action: 'decline'});
  return call.deadline.pauseFor(answerElicitation(params, {server, askUser, signal}));
}

function requestOptions({options, deadline}: RunningCall): RequestOptions {
  return {
    signal: AbortSignal.any([options.signal, deadline.signal]),
    timeout: 2 ** 31 - 1, // `deadline` ends it: it knows when a person is thinking
    onprogress: (progress: Progress) => {
      deadline.touch();
      options.onProgress(progress);
    },
  };
}

interface Failed {
  readonly call: RunningCall;
  readonly at: LiveServer;
  readonly server: McpServer;
  readonly doing: string;
  readonly secrets: readonly string[];
}

function callError(thrown: unknown, {call, at, server, doing, secrets}: Failed): FettleError {
  if (call.options.signal.aborted) return new FettleError({code: 'CANCELLED', message: 'Cancelled.', cause: thrown});
  const trouble = {server: server.name, doing, stderr: at.stderr(), secrets};
  if (call.deadline.signal.aborted) {
    const message = `no answer within ${server.tool_timeout_s ?? TOOL_S} s; whether the call had an effect is not known.`;
    return serverError(new FettleError({code: 'TIMEOUT', message, hint: '`tool_timeout_s` of the server sets the limit.'}), trouble);
  }
  const ended = at.ended();
  if (ended === undefined) return serverError(thrown, {...trouble, stderr: undefined});
  return serverError(new FettleError({code: 'UNAVAILABLE', message: `${ended}; whether the call had an effect is not known.`}), trouble);
}

function aboutServer({client}: LiveServer): ServerConnection['about'] {
  const info = client.getServerVersion();
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? '',
    server: info === undefined ? '' : cleanLine(`${info.name} ${info.version}`, 200),
  };
}
