import {childEnvironment} from '../../exec/variables/child-environment.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {openCode} from './code-access.ts';
import {codeServers} from './code-servers.ts';

export interface CodeTools {
  readonly context: Pick<ToolContext, 'code' | 'servers' | 'diagnosing'>;
  close(): Promise<void>;
}

interface CodeToolsRequest {
  readonly session: SessionSettings;
  /** The real path of the workspace. */
  readonly root: string;
  /** Commands run in a sandbox. */
  readonly sandboxed: boolean;
  readonly readOnly: boolean;
}

/** Opens access to the code index and to language servers for the tools of a session. Neither is started before a tool asks. */
export function openCodeTools({session, root, sandboxed, readOnly}: CodeToolsRequest): CodeTools {
  const {index, diagnostics_s: seconds} = session.settings.code;
  const servers = readOnly ? undefined : codeServers(session, {root, env: childEnvironment(session.env), sandboxed});
  const code = index ? openCode({root, cacheDir: session.paths.cacheDir, servers}) : undefined;
  const diagnosing = servers === undefined ? undefined : {servers, root, ms: seconds * 1000};
  return {
    context: {code, servers, diagnosing},
    close: async () => void (await Promise.all([code?.close(), servers?.close()])),
  };
}
