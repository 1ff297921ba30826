import {createExecEnvironment} from '../../exec/create-environment.ts';
import type {ResourceLimits} from '../../exec/process/resource-watch.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type * as TrustGit from '../trust/trust-git.ts';
import {openCommandSandbox} from './open-command-sandbox.ts';
import {sandboxedWorkspace} from './sandboxed-workspace.ts';

interface PlaceRequest {
  readonly session: SessionSettings;
  readonly spoolDir: string;
  readonly opened: Workspace;
  readonly readOnly: boolean;
  readonly added: Variables;
}

/** Opens the workspace and the commands in it, sandboxed if the session wants that. */
export async function openPlace({session, opened, spoolDir, readOnly, added}: PlaceRequest) {
  const sandbox = await openCommandSandbox({session, root: opened.root, spoolDir, readOnly});
  const workspace = sandbox === undefined ? opened : sandboxedWorkspace(opened, sandbox.rules);
  const {env} = session;
  const limits = commandLimits(session.settings.limits);
  const place = {cwd: workspace.root, spoolDir, env, added, addedFor: safeGit(session), limits};
  return {sandbox, workspace, exec: createExecEnvironment({...place, sandbox}), ownExec: createExecEnvironment(place)};
}

function commandLimits({command_memory_mb: memory, command_disk_mb: disk}: SessionSettings['settings']['limits']): ResourceLimits {
  return {
    memoryBytes: memory === undefined ? undefined : memory * MEGABYTE,
    diskBytes: disk === undefined ? undefined : disk * MEGABYTE,
  };
}

const MEGABYTE = 1_000_000;

/** Opens git so that it runs nothing of an untrusted project. */
function safeGit({trusted, trust: {root}, env, home}: SessionSettings): ((cwd: string) => Promise<Variables>) | undefined {
  if (trusted) return undefined;
  let loading: Promise<typeof TrustGit> | undefined;
  return async (cwd) => {
    const {safeGitFor} = await (loading ??= import('../trust/trust-git.ts'));
    return await safeGitFor(cwd, {root, env, home});
  };
}
