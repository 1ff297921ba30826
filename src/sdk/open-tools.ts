import {createExecEnvironment} from '../exec/create-environment.ts';
import type {Policy, Rule} from '../policy/decision.ts';
import {isReadOnly} from '../protocol/side-effect.ts';
import {createSearchEngine} from '../search/create-engine.ts';
import type {DispatcherOptions} from '../tools/dispatch.ts';
import {createFileMemory} from '../tools/file-memory.ts';
import type {Toolset} from '../tools/toolset.ts';
import {toolsetNamed} from '../tools/toolsets/toolset-named.ts';
import {VERIFIERS} from '../tools/verifiers.table.ts';
import type {Workspace} from '../workspace/workspace.ts';
import {openWorkspace} from '../workspace/open-workspace.ts';
import {configuredPolicy} from './judge-call.ts';
import type {SessionSettings} from './load-settings.ts';

export interface ToolsOptions {
  readonly session: SessionSettings;
  /** Where large outputs are kept; made when first needed. */
  readonly spoolDir: string;
  /** Only the tools that change nothing. */
  readonly readOnly?: boolean | undefined;
}

/** The tools of a workspace under a policy, ready for a dispatcher. */
export interface OpenedTools {
  readonly workspace: Workspace;
  readonly toolset: Toolset;
  readonly policy: () => Policy;
  readonly dispatcher: Omit<DispatcherOptions, 'approve' | 'listener'>;
  /** Adds a rule for the rest of the session. */
  grant(rule: string): void;
}

/** Throws NOT_FOUND for a missing folder, CONFIG for an unknown toolset or a broken rule. */
export async function openTools({session, spoolDir, readOnly = false}: ToolsOptions): Promise<OpenedTools> {
  const {settings, env} = session;
  const [workspace, named] = await Promise.all([openWorkspace(session.cwd), toolsetNamed(settings.toolset)]);
  const toolset = readOnly ? {...named, tools: named.tools.filter((tool) => isReadOnly(tool.sideEffect))} : named;
  const exec = createExecEnvironment({cwd: workspace.root, spoolDir, env});
  const granted: Rule[] = [];
  const configured = configuredPolicy(session);
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
      context: {workspace, search: createSearchEngine(), exec, files: createFileMemory()},
    },
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
