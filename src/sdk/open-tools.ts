import type {JsonObject} from '../base/json.ts';
import {createExecEnvironment} from '../exec/create-environment.ts';
import {createJobs} from '../exec/jobs.ts';
import {createTerminals} from '../exec/terminals.ts';
import type {Policy, Rule} from '../policy/decision.ts';
import {isReadOnly} from '../protocol/side-effect.ts';
import {createSearchEngine} from '../search/create-engine.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import type {EditorHost} from '../tools/editor-host.ts';
import {createFileMemory} from '../tools/file-memory.ts';
import {createMemoryEditor} from '../tools/memory-editor.ts';
import {restrictToolset} from '../tools/restrict-toolset.ts';
import {createTodoList} from '../tools/todo-list.ts';
import type {Toolset} from '../tools/toolset.ts';
import {VERIFIERS} from '../tools/verifiers.table.ts';
import type {Workspace} from '../workspace/workspace.ts';
import {openWorkspace} from '../workspace/open-workspace.ts';
import {configuredPolicy} from './judge-call.ts';
import type {SessionSettings} from './load-settings.ts';
import {loadToolset, type LoadedToolset} from './load-toolset.ts';

export interface ToolsOptions {
  readonly session: SessionSettings;
  /** Where large outputs are kept; made when first needed. */
  readonly spoolDir: string;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Of a front end; without it there is one in memory. */
  readonly editor?: EditorHost | undefined;
  /** Options of tools for this session, by the name of the tool: above `[tools.<name>]`. */
  readonly toolOptions?: Readonly<Record<string, JsonObject>> | undefined;
}

/** The tools of a workspace under a policy, ready for a dispatcher. */
export interface OpenedTools {
  readonly workspace: Workspace;
  readonly toolset: Toolset;
  readonly policy: () => Policy;
  readonly dispatcher: Omit<DispatcherOptions, 'approve' | 'listener'>;
  /** Adds a rule for the rest of the session. */
  grant(rule: string): void;
  /** Ends the commands that still run, and the terminals; whoever opened the tools calls it. */
  endJobs(): Promise<void>;
  /** The tools of users: their files, what is wrong with them, and a way to forget their state. */
  readonly custom: Omit<LoadedToolset, 'toolset' | 'notices'>;
  /** What a person should know, one line each. */
  readonly notices: readonly string[];
}

/** Throws NOT_FOUND for a missing folder, CONFIG for an unknown toolset or a broken rule. */
export async function openTools({session, spoolDir, readOnly = false, editor, toolOptions}: ToolsOptions): Promise<OpenedTools> {
  const {env} = session;
  const [workspace, loaded] = await Promise.all([openWorkspace(session.cwd), loadToolset(session, toolOptions)]);
  const {files: toolFiles, reset, notices} = loaded;
  const toolset = readOnly ? restrictToolset(loaded.toolset, (tool) => isReadOnly(tool.sideEffect)) : loaded.toolset;
  const exec = createExecEnvironment({cwd: workspace.root, spoolDir, env});
  const jobs = createJobs(exec);
  const terminals = createTerminals(exec);
  const files = createFileMemory();
  const granted: Rule[] = [];
  const configured = await configuredPolicy(session);
  const policy = (): Policy => ({...configured, rules: [...granted, ...configured.rules]});
  return {
    workspace,
    toolset,
    policy,
    dispatcher: {
      toolset,
      policy,
      spoolDir,
      verifiers: VERIFIERS,
      secrets: secretValues(env),
      context: {
        workspace,
        search: createSearchEngine(),
        exec,
        jobs,
        terminals,
        files,
        todos: createTodoList(),
        editor: editor ?? createMemoryEditor({workspace, files}),
      },
    },
    custom: {files: toolFiles, reset},
    notices,
    endJobs: async () => void (await Promise.all([jobs.endAll(), terminals.endAll()])),
    grant: (text) => void granted.push({text, effect: 'allow', source: 'session'}),
  };
}

/** Values of variables that are named like secrets; short ones would hit ordinary words. */
function secretValues(env: SessionSettings['env']): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    SECRET_NAME.test(name) && value !== undefined && value.length >= 8 ? [value] : [],
  );
}

const SECRET_NAME = /(?:_API_KEY|_TOKEN|_SECRET|_SECRET_KEY|_PASSWORD|_ACCESS_KEY)$/i;
