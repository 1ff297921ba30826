import type {JsonObject} from '../../base/json.ts';
import {rememberSecrets} from '../../base/redact.ts';
import {secretValuesOf} from '../../base/secret-variables.ts';
import {isSecretVariable} from '../../base/variable-names.ts';
import {addedVariables} from '../../exec/variables/added-variables.ts';
import {createExecEnvironment} from '../../exec/create-environment.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';
import type {ResourceLimits} from '../../exec/process/resource-watch.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import type {Policy, Rule} from '../../policy/decision.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import {createSearchEngine} from '../../search/create-engine.ts';
import {createCommandSessions, type CommandSessions, type KeptCommand} from '../../tools/shells/command-sessions.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {EditorHost} from '../../tools/ports/editor-host.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {createMemoryEditor} from '../../tools/ports/memory-editor.ts';
import {restrictToolset} from '../../tools/toolsets/restrict-toolset.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import type {Toolset} from '../../tools/toolset.ts';
import {VERIFIERS} from '../../tools/dispatch/verifiers.table.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import {openWorkspace} from '../../workspace/open-workspace.ts';
import type {Skill} from '../../tools/ports/skill.ts';
import {facilitiesOf} from './capabilities.ts';
import {configuredPolicy} from './judge-call.ts';
import type {SessionSettings} from '../settings/load-settings.ts';
import {loadToolset, type LoadedToolset} from './load-toolset.ts';
import {openCodeTools} from './open-code-tools.ts';
import {openCommandSandbox} from './open-command-sandbox.ts';
import {sessionSkills} from '../settings/session-skills.ts';
import {planFile} from '../verification/task-files.ts';
import {walledWorkspace} from './sandboxed-workspace.ts';
import {webAccess} from '../settings/web-access.ts';

export interface ToolsOptions {
  readonly session: SessionSettings;
  /** Where large outputs are kept; made when first needed. */
  readonly spoolDir: string;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Of a front end; without it there is one in memory. */
  readonly editor?: EditorHost | undefined;
  /** The thread that they are for; without it there is no file for its plan. */
  readonly threadId?: string | undefined;
  /** Options of tools for this session, by the name of the tool: above `[tools.<name>]`. */
  readonly toolOptions?: Readonly<Record<string, JsonObject>> | undefined;
}

/** The tools of a workspace under a policy, ready for a dispatcher. */
export interface OpenedTools {
  readonly workspace: Workspace;
  readonly toolset: Toolset;
  readonly policy: () => Policy;
  readonly dispatcher: Omit<DispatcherOptions, 'approve' | 'listener'>;
  /** Where what a person types runs: the same place, without the sandbox. */
  readonly ownExec: ExecEnvironment;
  /** Adds a rule for the rest of the session. */
  grant(rule: string): void;
  /** The commands that run in the background and are not kept: `endJobs` ends them. */
  background(): readonly string[];
  /** Ends the commands that still run, and tells of those that are kept; whoever opened the tools calls it. */
  endJobs(): Promise<readonly KeptCommand[]>;
  /** The tools of users: their files, what is wrong with them, and a way to forget their state. */
  readonly custom: Omit<LoadedToolset, 'toolset' | 'notices'>;
  /** Those that a model can load; none where the tool for it is switched off. */
  readonly skills: readonly Skill[];
  /** What a person should know, one line each. */
  readonly notices: readonly string[];
}

/** Throws NOT_FOUND for a missing folder, CONFIG for an unknown toolset or a broken rule, UNAVAILABLE for a sandbox that is wanted and missing. */
export async function openTools({session, spoolDir, readOnly = false, editor, threadId, toolOptions}: ToolsOptions): Promise<OpenedTools> {
  const [opened, loaded, found] = await Promise.all([
    openWorkspace(session.cwd),
    loadToolset(session, toolOptions),
    sessionSkills(session),
  ]);
  const toolset = readOnly ? restrictToolset(loaded.toolset, (tool) => isReadOnly(tool.sideEffect)) : loaded.toolset;
  const added = addedVariables(session.env, session.settings.environment);
  const configured = await configuredPolicy(session);
  // Last, when nothing else can fail: walls are closed with the commands.
  const {sandbox, workspace, exec, ownExec} = await openPlace({session, opened, spoolDir, readOnly, added});
  const sessions = createCommandSessions({exec, spoolDir});
  const files = createFileMemory();
  const granted: Rule[] = [];
  let {mode} = configured;
  const secrets = [...secretValuesOf(session.env), ...addedSecrets(added)];
  rememberSecrets(secrets);
  const plan = threadId === undefined || readOnly ? undefined : planFile(opened, threadId, secrets);
  const policy = (): Policy => ({...configured, mode, rules: [...granted, ...configured.rules], planFile: plan?.file});
  const web = webAccess(session, secrets);
  const codeTools = openCodeTools({session, root: workspace.root, walled: sandbox !== undefined, readOnly});
  const skills = toolset.tools.some(({needs}) => needs === 'skills') ? found.skills : [];
  return {
    workspace,
    toolset,
    policy,
    ownExec,
    dispatcher: {
      toolset,
      policy,
      spoolDir,
      verifiers: VERIFIERS,
      secrets: [...secrets, ...(web.search?.key === undefined ? [] : [web.search.key])],
      context: {
        workspace,
        search: createSearchEngine(),
        exec,
        sessions,
        files,
        todos: createTodoList(),
        ...codeTools.context,
        web,
        skills,
        plan,
        modes: {current: () => mode, set: (next) => void (mode = next)},
        facilities: facilitiesOf({web, skills, code: codeTools.context.code}, mode),
        editor: editor ?? createMemoryEditor({workspace, files}),
      },
    },
    custom: {files: loaded.files, ofProject: loaded.ofProject, reset: loaded.reset},
    skills,
    notices: [...configured.notices, ...loaded.notices, ...found.problems],
    background: () => sessions.list().flatMap((one) => (one.ended() === undefined && !one.isKept ? [one.command] : [])),
    endJobs: () => endJobs(sessions, [codeTools, sandbox]),
    grant: (text) => void granted.push({text, effect: 'allow', source: 'session'}),
  };
}

async function endJobs(
  sessions: Pick<CommandSessions, 'endAll'>,
  behind: readonly ({close(): Promise<void>} | undefined)[],
): Promise<readonly KeptCommand[]> {
  const kept = await sessions.endAll();
  for (const place of behind) await place?.close();
  return kept;
}

interface PlaceRequest extends Pick<ToolsOptions, 'session' | 'spoolDir'> {
  readonly opened: Workspace;
  readonly readOnly: boolean;
  readonly added: Variables;
}

/** The workspace and the commands in it, behind walls where the session wants them. */
async function openPlace({session, opened, spoolDir, readOnly, added}: PlaceRequest) {
  const sandbox = await openCommandSandbox({session, root: opened.root, spoolDir, readOnly});
  const workspace = sandbox === undefined ? opened : walledWorkspace(opened, sandbox.rules);
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

/** Of a project that nobody has trusted, git runs nothing but itself. */
function safeGit({trusted, trust: {root}, env, home}: SessionSettings): ((cwd: string) => Promise<Variables>) | undefined {
  if (trusted) return undefined;
  return async (cwd) => {
    const {safeGitFor} = await import('../trust/trust-git.ts');
    return await safeGitFor(cwd, {root, env, home});
  };
}

/** Of what commands see because a person has said so: it would come back with their output. */
function addedSecrets(added: Variables): string[] {
  return Object.entries(added).flatMap(([name, value]) => (isSecretVariable(name, value) && value.length >= 8 ? [value] : []));
}
