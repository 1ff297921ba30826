import {rememberSecrets} from '../../base/redact.ts';
import {secretValuesOf} from '../../base/secret-variables.ts';
import {isSecretVariable} from '../../base/variable-names.ts';
import {addedVariables} from '../../exec/variables/added-variables.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import type {Policy, Rule} from '../../policy/decision.ts';
import {isReadOnly} from '../../protocol/side-effect.ts';
import {createSearchEngine} from '../../search/create-engine.ts';
import {createCommandSessions, type CommandSessions, type KeptCommand} from '../../tools/shells/command-sessions.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {createMemoryEditor} from '../../tools/ports/memory-editor.ts';
import {restrictToolset} from '../../tools/toolsets/restrict-toolset.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import {VERIFIERS} from '../../tools/dispatch/verifiers.table.ts';
import {openWorkspace} from '../../workspace/open-workspace.ts';
import {capabilitiesOf} from './capabilities.ts';
import {loadToolset} from './session-toolset.ts';
import {openCodeTools} from './open-code-tools.ts';
import {sessionSkills} from '../settings/session-skills.ts';
import {planFile} from '../verification/task-files.ts';
import {webAccess} from '../settings/web-access.ts';
import {configuredPolicy} from './configured-policy.ts';
import {openPlace} from './open-place.ts';
import type {OpenedTools, ToolsOptions} from './opened-tools.ts';

/**
 * Opens the tools of a session. Throws NOT_FOUND for a missing folder, CONFIG for an unknown toolset or a broken
 * rule, UNAVAILABLE for a sandbox that is wanted and missing.
 */
export async function openTools(options: ToolsOptions): Promise<OpenedTools> {
  const {session, spoolDir, readOnly = false, editor, schedule, threadId} = options;
  const [opened, loaded, found] = await Promise.all([openWorkspace(session.cwd), loadToolset(session, options), sessionSkills(session)]);
  const toolset = readOnly ? restrictToolset(loaded.toolset, (tool) => isReadOnly(tool.sideEffect)) : loaded.toolset;
  const added = addedVariables(session.env, session.settings.environment);
  const configured = await configuredPolicy(session);
  // Last, when nothing else can fail: the sandbox is closed with the commands.
  const {sandbox, workspace, exec, ownExec} = await openPlace({session, opened, spoolDir, readOnly, added});
  const sessions = createCommandSessions({exec, spoolDir});
  const files = createFileMemory();
  const granted: Rule[] = [];
  // The same list as long as nothing was granted: it is read once.
  let {mode, rules} = configured;
  const secrets = [...secretValuesOf(session.env), ...addedSecrets(added)];
  rememberSecrets(secrets);
  const plan = threadId === undefined || readOnly ? undefined : planFile(opened, threadId, secrets);
  const policy = (): Policy => ({...configured, mode, rules, planFile: plan?.file});
  const web = webAccess(session, secrets);
  const codeTools = openCodeTools({session, root: workspace.root, sandboxed: sandbox !== undefined, readOnly});
  const skills = toolset.tools.some(({requires}) => requires === 'skills') ? found.skills : [];
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
        capabilities: capabilitiesOf({web, skills, code: codeTools.context.code, schedule}, mode),
        schedule,
        editor: editor ?? createMemoryEditor({workspace, files}),
      },
    },
    custom: {files: loaded.files, ofProject: loaded.ofProject, reset: loaded.reset},
    skills,
    notices: [...configured.notices, ...loaded.notices, ...found.problems],
    background: () => sessions.list().flatMap((one) => (one.ended() === undefined && !one.isKept ? [one.command] : [])),
    endJobs: () => endJobs(sessions, [codeTools, sandbox]),
    grant(text) {
      granted.push({text, effect: 'allow', source: 'session'});
      rules = [...granted, ...configured.rules];
    },
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

/** Secrets among the variables that a person added for commands: they could come back with the output. */
function addedSecrets(added: Variables): string[] {
  return Object.entries(added).flatMap(([name, value]) => (isSecretVariable(name, value) && value.length >= 8 ? [value] : []));
}
