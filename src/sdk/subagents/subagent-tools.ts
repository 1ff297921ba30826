import type {SubagentTools} from '../../agent/delegation/child-thread.ts';
import {narrowerMode, type SubagentProfile, TASK_FAMILY} from '../../agent/delegation/profile.ts';
import type {Provider} from '../../models/provider.ts';
import type {Policy} from '../../policy/decision.ts';
import {toolSchemas} from '../../tools/arguments/schema.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {Dispatcher, DispatcherOptions, DispatchListener} from '../../tools/dispatch/dispatch.ts';
import {lateDispatcher} from '../../tools/dispatch/late-dispatcher.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import type {Toolset} from '../../tools/toolset.ts';
import {advertisedTools} from '../../tools/toolsets/advertised-tools.ts';
import {restrictToolset} from '../../tools/toolsets/restrict-toolset.ts';

/** The tools of a subagent, and the dispatcher for them. */
export interface OwnTools extends SubagentTools {
  readonly toolset: Toolset;
  /** @param own the state that belongs to the subagent alone */
  createDispatcher(listener: DispatchListener, own?: Pick<ToolContext, 'recall'>): Dispatcher;
}

/** Restrictions of a profile against its thread. */
type Freedom = Pick<SubagentProfile, 'allows' | 'mode' | 'rules' | 'isolation'>;

/**
 * Some of the tools of a thread, under the same permissions or stricter ones. The record of read files and the
 * task list are its own; the user's editor is not controlled.
 */
export async function subagentTools(
  profile: Freedom,
  provider: Provider,
  dispatcher: Omit<DispatcherOptions, 'listener'>,
): Promise<OwnTools> {
  const {NO_FURTHER_AGENTS} = await import('../../agent/delegation/task-runner.ts');
  // A tool that starts subagents is not advertised, but can be called: the answer explains why it is not available.
  const toolset = restrictToolset(
    dispatcher.toolset,
    (tool) => profile.allows(tool) || tool.permission === TASK_FAMILY || tool.permission === 'recall',
  );
  const context = {
    ...dispatcher.context,
    files: createFileMemory(),
    todos: createTodoList(),
    agents: NO_FURTHER_AGENTS,
    editor: undefined,
    askUser: undefined,
    modes: undefined,
    recall: undefined,
    schedule: undefined,
    capabilities: withoutSchedule(dispatcher.context.capabilities),
  };
  const shown = restrictToolset(toolset, (tool) => profile.allows(tool));
  return {
    // Tasks of subagents are short: composite tools are not worth their tokens.
    schemas: toolSchemas({tools: advertisedTools(shown, {model: provider.model, compositeTools: false, hasPerson: false})}),
    toolset,
    createDispatcher: (listener, own = {}) =>
      lateDispatcher({
        ...dispatcher,
        policy: () => narrowed(dispatcher.policy(), profile),
        toolset,
        context: {...context, ...own},
        listener,
      }),
  };
}

/** Scheduled tasks run in the conversation of the person: a subagent ends before them. */
function withoutSchedule(capabilities: ToolContext['capabilities']): ToolContext['capabilities'] {
  return capabilities === undefined ? undefined : new Set([...capabilities].filter((one) => one !== 'schedule'));
}

/** A profile removes tools; it never adds any. Edits in a copy of the repository are reviewed when merged, not one by one. */
function narrowed(policy: Policy, {mode, rules = [], isolation}: Freedom): Policy {
  const base = isolation === 'worktree' && policy.mode === 'ask' ? 'accept-edits' : policy.mode;
  return {...policy, mode: mode === undefined ? base : narrowerMode(base, mode), rules: [...rules, ...policy.rules]};
}
