import {selectTools} from '../tools/select-tools.ts';
import type {Tool} from '../tools/toolset.ts';
import type {SessionSettings} from './load-settings.ts';
import type {OpenedTools} from './open-tools.ts';
import {VERSION} from './version.ts';

/** Tools with those of the MCP servers behind them. */
export interface ServedTools extends OpenedTools {
  /** Ends the servers. */
  close(): Promise<void>;
}

/** Starts the configured MCP servers, and loads what that takes, where there are any. Never rejects: a server that fails is a notice. */
export async function addServers(tools: OpenedTools, session: SessionSettings, signal: AbortSignal): Promise<ServedTools> {
  const servers = session.settings.mcp_servers.filter((server) => server.disabled !== true);
  if (servers.length === 0) return {...tools, close: async () => undefined};
  const {openServers} = await import('../mcp/open-servers.ts');
  const opened = await openServers(
    servers,
    {env: session.env, cwd: session.cwd, stateDir: session.paths.stateDir, version: VERSION},
    signal,
  );
  const served = withTools(tools, opened, session);
  return {...served, notices: [...tools.notices, ...opened.notices], close: opened.close};
}

function withTools(
  tools: OpenedTools,
  added: {tools: readonly Tool[]; secrets: readonly string[]},
  {settings}: SessionSettings,
): OpenedTools {
  const toolset = selectTools({...tools.toolset, tools: [...tools.toolset.tools, ...added.tools]}, settings);
  const {dispatcher} = tools;
  return {...tools, toolset, dispatcher: {...dispatcher, toolset, secrets: [...(dispatcher.secrets ?? []), ...added.secrets]}};
}
