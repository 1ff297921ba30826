import {createOrchestration, type Orchestration} from '../../agent/orchestration/orchestration.ts';
import type {CheckResult} from '../../agent/continuation/check-result.ts';
import {openProvider} from '../../models/open-provider.ts';
import type {Provider} from '../../models/provider.ts';
import type {Tool} from '../../tools/toolset.ts';
import type {HarnessParts} from '../thread/harness-parts.ts';
import {handOff} from '../thread/open-continuation.ts';
import {openRoleLog} from './role-log.ts';
import {runDiff} from './run-diff.ts';
import {taskFiles} from '../verification/task-files.ts';
import {VERSION} from '../version.ts';
import {subagentTools} from './subagent-tools.ts';

export interface OrchestrationParts extends HarnessParts {
  readonly checks: () => readonly CheckResult[];
  readonly warnings: () => readonly string[];
}

/** Opens planner and evaluator of a thread, each with its own model where one is configured. */
export function openOrchestration(parts: OrchestrationParts): Orchestration {
  const {session, threadId, todos, memory, dispatcher, emit, meter, provider, checks, warnings} = parts;
  const {workspace} = dispatcher.context;
  const {models, max_revision_rounds: maxRounds} = session.settings.harness;
  const opened = new Map<string, Promise<Provider>>();
  const {agents, messages} = parts;
  const secrets = dispatcher.secrets;
  return createOrchestration({
    threadId,
    place: {cwd: workspace.root, toolset: dispatcher.toolset.name, fettle_version: VERSION},
    freeId: agents.freeId,
    isShown: (text) => messages().some((message) => message.role === 'user' && message.text.includes(text)),
    openLog: async (id) => await openRoleLog({stateDir: session.paths.stateDir, secrets}, id),
    async providerOf(role) {
      const model = models[role];
      if (model === undefined) return provider;
      const open = opened.get(model) ?? openProvider(model, session.providerSettings);
      opened.set(model, open);
      return await open;
    },
    toolsOf: async (role, model) => (role === 'planner' ? await subagentTools({allows: looks}, model, dispatcher) : undefined),
    meter,
    todos,
    files: taskFiles(workspace, threadId, secrets),
    maxRounds,
    checks,
    warnings,
    diff: async () => await runDiff({session, threadId, root: workspace.root, touched: memory.envelope().touched_files}),
    handOff: (blocker) => handOff(parts, blocker),
    emit,
  });
}

/** A planner reads, searches and lists the folder, under the permissions of the thread, and does nothing else. */
function looks({sideEffect, permission}: Pick<Tool, 'sideEffect' | 'permission'>): boolean {
  return sideEffect === 'read' && LOOKING.has(permission);
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'ls']);
