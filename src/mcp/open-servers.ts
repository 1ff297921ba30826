import {toFettleError} from '../base/errors.ts';
import type {McpServer} from '../config/settings.ts';
import {createOneAtATime} from '../tools/mutex.ts';
import type {Tool} from '../tools/toolset.ts';
import {acceptsByPerson} from './trust/accept-changes.ts';
import {cleanLine} from './clean-text.ts';
import {STARTUP_S} from './connection/connect.ts';
import type {RunningServer} from './connection/connection.ts';
import type {ServerPlace} from './connection/server-place.ts';
import {resourceTool} from './tools/resource-tool.ts';
import {serverSecrets, withoutSecrets} from './connection/server-secrets.ts';
import {serverInstructions} from './tools/server-instructions.ts';
import {startServer, withheldError, type StartedServer} from './connection/start-server.ts';
import {startRequestQueue} from './connection/request-queue.ts';

/** The tools of all configured servers. `close` must be called: it ends their processes and sessions. */
export interface OpenedServers {
  /** In the order of the configuration, those of one server by name: the same bytes in every request. */
  readonly tools: readonly Tool[];
  /** Lists and reads the resources of the servers that have any; undefined: none has. */
  readonly resources: Tool | undefined;
  /** Reasons why existing tools may not be called, by their published names. */
  readonly withheld: ReadonlyMap<string, string>;
  /** Instructions of the servers, framed, for the system prompt; '' if there are none. */
  readonly words: string;
  readonly running: readonly RunningServer[];
  /** One line for each server that could not be used, or only in part. */
  readonly notices: readonly string[];
  /** Values that must not be shown: keys and headers. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

const MAX_PARALLEL = 4;

/** Starts every server that is not disabled, some at the same time. One that fails costs its notice, never the others. */
export async function openServers(servers: readonly McpServer[], place: ServerPlace, signal: AbortSignal): Promise<OpenedServers> {
  const wanted = servers.filter((server) => server.disabled !== true);
  const opened: OpenedServer[] = [];
  const queue = [...wanted.entries()];
  const asking = createOneAtATime();
  const waiting = startRequestQueue({
    servers: wanted,
    parallel: MAX_PARALLEL,
    usualSeconds: STARTUP_S,
    say: place.onWait ?? (() => undefined),
  });
  const {askUser} = place;
  const ask: typeof askUser =
    askUser === undefined ? undefined : (questions, until) => waiting.whilePaused(() => askUser(questions, until));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [at, server] = next;
      const accepts = acceptsByPerson({server: server.name, askUser: ask, asking}, signal);
      opened[at] = await openOne({server, place, accepts, remembers: true}, signal);
      waiting.done(server.name);
    }
  };
  await Promise.all(Array.from({length: MAX_PARALLEL}, worker)).finally(waiting.end);
  const started = opened.flatMap(({server, started: one}) => (one === undefined ? [] : [{server, ...one}]));
  const withResources = started.filter(({connection}) => connection.offers.resources);
  return {
    tools: started.flatMap(({tools}) => tools),
    resources: withResources.length === 0 ? undefined : resourceTool(withResources),
    withheld: new Map(started.flatMap(({server, withheld, changes}) => withheld.map(({name}) => [name, refusal(server, changes)]))),
    words: serverInstructions(
      started.map(({server, instructions, connection}) => ({name: server.name, instructions, offers: connection.offers})),
    ),
    running: started.map(({server, connection}) => ({server, connection})),
    notices: opened.flatMap(({notices}) => notices),
    secrets: opened.flatMap(({secrets}) => secrets),
    close: async () => void (await Promise.all(started.map(({connection}) => connection.close()))),
  };
}

interface OpenedServer {
  readonly server: McpServer;
  readonly started: StartedServer | undefined;
  readonly notices: readonly string[];
  readonly secrets: readonly string[];
}

async function openOne(request: Parameters<typeof startServer>[0], signal: AbortSignal): Promise<OpenedServer> {
  const {server, place} = request;
  try {
    const started = await startServer(request, signal);
    const secrets = await serverSecrets(server, place);
    const changeNotices = started.changes.length === 0 ? [] : [noticeOf(withheldError(server.name, started.changes))];
    if (started.connection === undefined) return {server, started: undefined, notices: changeNotices, secrets};
    return {server, started, notices: [...started.notices, ...changeNotices], secrets};
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    const secrets = await serverSecrets(server, place);
    const said = cleanLine(withoutSecrets(message, secrets), 1200);
    return {server, started: undefined, notices: [`${said} Its tools are not there.${hint === undefined ? '' : ` ${hint}`}`], secrets};
  }
}

function noticeOf({message, hint}: {readonly message: string; readonly hint: string | undefined}): string {
  return `${message} ${hint ?? ''}`.trimEnd();
}

function refusal(server: McpServer, changes: StartedServer['changes']): string {
  const {hint = ''} = withheldError(server.name, changes);
  return `the MCP server ${server.name} describes it in another way than a person accepted. ${hint}`.replace(/\.$/, '');
}
