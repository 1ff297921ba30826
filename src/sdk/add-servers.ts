import type {OpenedServers} from '../mcp/open-servers.ts';
import {selectTools} from '../tools/select-tools.ts';
import type {Tool, Toolset} from '../tools/toolset.ts';
import type {AskUser} from '../tools/user-questions.ts';
import type {SessionSettings} from './load-settings.ts';
import type {OpenedTools} from './open-tools.ts';
import {VERSION} from './version.ts';

/** Tools with those of the MCP servers behind them. */
export interface ServedTools extends OpenedTools {
  /** What the servers say of themselves, framed, for the end of the system prompt; '' where there is nothing to say. */
  readonly serverWords: string;
  /**
   * The text of a prompt of a server, for the model: `mcp__<server>__<prompt>` with its arguments behind it. Throws BAD_ARGS, naming what there
   * is, and what keeps the server from answering.
   */
  serverPrompt(line: string, signal: AbortSignal): Promise<string>;
  /** Ends the servers. */
  close(): Promise<void>;
}

export interface ServedFor {
  readonly signal: AbortSignal;
  readonly askUser?: AskUser | undefined;
  /** Told in one line which servers are waited for, where they take longer than a second. */
  readonly onWait?: ((line: string) => void) | undefined;
}

/**
 * Starts the configured MCP servers, and loads what that takes, where there are any. Never rejects: a server that fails is a notice. What is
 * not as a person accepted it is put to `askUser`, and withheld where that is missing.
 */
export async function addServers(tools: OpenedTools, session: SessionSettings, {signal, askUser, onWait}: ServedFor): Promise<ServedTools> {
  const servers = session.settings.mcp_servers.filter((server) => server.disabled !== true);
  if (servers.length === 0) return withoutServers(tools);
  const {openServers} = await import('../mcp/open-servers.ts');
  const place = {env: session.env, cwd: session.cwd, stateDir: session.paths.stateDir, version: VERSION, askUser, onWait};
  const opened = await openServers(servers, place, signal);
  return {
    ...(await withTools(tools, opened, session)),
    notices: [...tools.notices, ...opened.notices],
    serverWords: opened.words,
    async serverPrompt(line, until) {
      const {runPrompt} = await import('../mcp/prompts.ts');
      return await runPrompt(opened.running, line, until);
    },
    close: opened.close,
  };
}

/** The same where there are no servers, or none is wanted. */
export function withoutServers(tools: OpenedTools): ServedTools {
  return {
    ...tools,
    serverWords: '',
    async serverPrompt(line, signal) {
      const {runPrompt} = await import('../mcp/prompts.ts');
      return await runPrompt([], line, signal);
    },
    close: async () => undefined,
  };
}

async function withTools(tools: OpenedTools, opened: OpenedServers, {settings}: SessionSettings): Promise<OpenedTools> {
  const added = await withResources({...tools.toolset, tools: [...tools.toolset.tools, ...opened.tools]}, opened.resources);
  const selected = selectTools(added, settings);
  const toolset: Toolset = {
    ...selected,
    refusal: (name) => selected.refusal?.(name) ?? refusalOf(opened, name),
  };
  const {dispatcher} = tools;
  return {...tools, toolset, dispatcher: {...dispatcher, toolset, secrets: [...(dispatcher.secrets ?? []), ...opened.secrets]}};
}

function refusalOf({withheld}: OpenedServers, name: string): string | undefined {
  const reason = withheld.get(name);
  return reason === undefined ? undefined : `${name} is withheld: ${reason}`;
}

/** Found by tool_search where the toolset has that, so that no request pays for it; else shown like any other. */
async function withResources(toolset: Toolset, resources: Tool | undefined): Promise<Toolset> {
  if (resources === undefined) return toolset;
  const {deferred, tools} = toolset;
  if (deferred === undefined || !tools.some(isSearch)) return {...toolset, tools: [...tools, resources]};
  const all = async (): Promise<readonly Tool[]> => [resources, ...(await deferred())];
  const {sessionTools} = await import('../tools/toolsets/fettle-session.ts');
  const search = sessionTools(all).find(isSearch);
  return {...toolset, deferred: all, tools: tools.map((tool) => (isSearch(tool) ? (search ?? tool) : tool))};
}

function isSearch({permission}: Tool): boolean {
  return permission === 'tool_search';
}
