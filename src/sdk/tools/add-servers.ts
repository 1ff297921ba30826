import type {OfferedResource} from '../../mcp/tools/offered-resource.ts';
import type {OpenedServers} from '../../mcp/open-servers.ts';
import {selectTools} from '../../tools/toolsets/select-tools.ts';
import type {Tool, Toolset} from '../../tools/toolset.ts';
import type {AskUser} from '../../tools/ports/user-questions.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {VERSION} from '../version.ts';
import type {OpenedTools} from './opened-tools.ts';

/** Tools, followed by those of the MCP servers. */
export interface ServedTools extends OpenedTools {
  /** Instructions of the servers, framed, for the end of the system prompt; '' if there are none. */
  readonly serverInstructions: string;
  /**
   * The text of a prompt of a server, for the model: `mcp__<server>__<prompt>` followed by its arguments. Throws BAD_ARGS with the known
   * prompts, and errors of the server.
   */
  serverPrompt(line: string, signal: AbortSignal): Promise<string>;
  /** The names of the servers that have resources. */
  readonly resourceServers: readonly string[];
  /** Lists the resources of all servers; a server that does not answer has none. */
  offered(signal: AbortSignal): Promise<readonly OfferedResource[]>;
  /** Ends the servers. */
  close(): Promise<void>;
}

/**
 * Starts the configured MCP servers; their code is loaded only if there are any. Never rejects: a server that
 * fails is a notice. Servers and tools that differ from what a person accepted are put to `askUser`, and
 * withheld if it is missing.
 */
export async function addServers(tools: OpenedTools, session: SessionSettings, options: ServersOptions): Promise<ServedTools> {
  const opened = await openWanted(session, options);
  if (opened === undefined) return withoutServers(tools);
  const {dispatcher} = tools;
  const toolset = await withServers(tools.toolset, opened, session);
  return {
    ...tools,
    toolset,
    dispatcher: {...dispatcher, toolset, secrets: [...(dispatcher.secrets ?? []), ...opened.secrets]},
    notices: [...tools.notices, ...opened.notices],
    serverInstructions: opened.words,
    async serverPrompt(line, until) {
      const {runPrompt} = await import('../../mcp/tools/prompts.ts');
      return await runPrompt(opened.running, line, until);
    },
    resourceServers: opened.running.filter(({connection}) => connection.offers.resources).map(({server}) => server.name),
    async offered(until) {
      const {offeredResources} = await import('../../mcp/tools/offered-resources.ts');
      return (await Promise.all(opened.running.map((server) => offeredResources(server, until).catch(() => [])))).flat();
    },
    close: opened.close,
  };
}

export interface ServersOptions {
  readonly signal: AbortSignal;
  readonly askUser?: AskUser | undefined;
  /** Called with a line that names the servers that are still starting, if they take longer than a second. */
  readonly onWait?: ((line: string) => void) | undefined;
  /** Names of the servers to start; absent: all of them. */
  readonly only?: readonly string[] | undefined;
}

/** A toolset with the tools of the servers, for listing: they are started, asked, and ended. */
export async function listedWithServers(
  toolset: Toolset,
  session: SessionSettings,
  options: ServersOptions,
): Promise<{readonly toolset: Toolset; readonly notices: readonly string[]}> {
  const opened = await openWanted(session, options);
  if (opened === undefined) return {toolset, notices: []};
  await opened.close();
  return {toolset: await withServers(toolset, opened, session), notices: opened.notices};
}

async function openWanted(session: SessionSettings, {signal, askUser, onWait, only}: ServersOptions): Promise<OpenedServers | undefined> {
  const servers = session.settings.mcp_servers.filter(
    ({name, disabled}) => disabled !== true && (only === undefined || only.includes(name)),
  );
  if (servers.length === 0) return undefined;
  const {openServers} = await import('../../mcp/open-servers.ts');
  const place = {env: session.env, cwd: session.cwd, stateDir: session.paths.stateDir, version: VERSION, askUser, onWait};
  return await openServers(servers, place, signal);
}

/** Returns the tools alone, if there are no servers or none is wanted. */
export function withoutServers(tools: OpenedTools): ServedTools {
  return {
    ...tools,
    serverInstructions: '',
    async serverPrompt(line, signal) {
      const {runPrompt} = await import('../../mcp/tools/prompts.ts');
      return await runPrompt([], line, signal);
    },
    resourceServers: [],
    offered: async () => [],
    close: async () => undefined,
  };
}

async function withServers(toolset: Toolset, opened: OpenedServers, {settings}: SessionSettings): Promise<Toolset> {
  const added = await withResources({...toolset, tools: [...toolset.tools, ...opened.tools]}, opened.resources);
  const selected = selectTools(added, settings);
  return {...selected, refusal: (name) => selected.refusal?.(name) ?? refusalOf(opened, name)};
}

function refusalOf({withheld}: OpenedServers, name: string): string | undefined {
  const reason = withheld.get(name);
  return reason === undefined ? undefined : `${name} is withheld: ${reason}`;
}

/** The tool is left to `tool_search` if the toolset has that, so that no request pays for it; otherwise it is advertised. */
async function withResources(toolset: Toolset, resources: Tool | undefined): Promise<Toolset> {
  if (resources === undefined) return toolset;
  const {deferred, tools} = toolset;
  if (deferred === undefined || !tools.some(isSearch)) return {...toolset, tools: [...tools, resources]};
  const all = async (): Promise<readonly Tool[]> => [resources, ...(await deferred())];
  const {sessionTools} = await import('../../tools/toolsets/fettle/fettle-session.ts');
  const search = sessionTools(all).find(isSearch);
  return {...toolset, deferred: all, tools: tools.map((tool) => (isSearch(tool) ? (search ?? tool) : tool))};
}

function isSearch({permission}: Tool): boolean {
  return permission === 'tool_search';
}
