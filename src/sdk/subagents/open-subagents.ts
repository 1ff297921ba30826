import {TASK_FAMILY, narrowerMode, type SubagentProfile} from '../../agent/delegation/profile.ts';
import type {SubagentTools} from '../../agent/delegation/child-thread.ts';
import type {ChildOrder, OpenedChild} from '../../agent/delegation/live-child.ts';
import type {Children} from '../../agent/delegation/children.ts';
import type {CallScope} from '../../agent/tool-calls.ts';
import type {Meter} from '../../agent/meter.ts';
import type {LoadedInstructions} from '../../context/instructions/load-instructions.ts';
import type {Provider} from '../../models/provider.ts';
import type {Policy} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {advertisedTools} from '../../tools/toolsets/advertised-tools.ts';
import type {AgentRunner, ChildAgents} from '../../tools/ports/agent-runner.ts';
import {createDispatcher} from '../../tools/dispatch/dispatcher.ts';
import type {ToolContext} from '../../tools/context.ts';
import type {Dispatcher, DispatcherOptions, DispatchListener} from '../../tools/dispatch/dispatch.ts';
import {createFileMemory} from '../../tools/file-memory.ts';
import {restrictToolset} from '../../tools/toolsets/restrict-toolset.ts';
import {toolSchemas} from '../../tools/arguments/schema.ts';
import {createTodoList} from '../../tools/ports/todo-list.ts';
import type {Toolset} from '../../tools/toolset.ts';
import type {Delegation} from './open-delegation.ts';

export interface SubagentsOptions {
  readonly delegation: Delegation;
  readonly provider: Provider;
  /** Absolute. */
  readonly folder: string;
  /** Of the thread: subagents follow the same. */
  readonly instructions: LoadedInstructions;
  /** Of the thread that starts subagents: what they use counts there. */
  readonly meter: Meter;
  readonly now: () => number;
  readonly emit: (event: ThreadEvent) => void;
  readonly scope: Pick<CallScope, 'turnId' | 'refuse'>;
  /** Of the thread: subagents share its permissions, its person and the one question at a time. */
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
}

/** The subagents of a thread. What runs them is loaded with the first. */
export function openSubagents(options: SubagentsOptions): AgentRunner {
  const {delegation, emit, scope} = options;
  let children: Promise<Children> | undefined;
  return {
    profiles: delegation.profiles,
    async run(request, signal) {
      const [{createTaskRunner}, {openChild}] = await Promise.all([
        import('../../agent/delegation/task-runner.ts'),
        import('./open-child.ts'),
      ]);
      const {threadId, profiles, slots, record, tasks, tracked} = delegation;
      const open = (order: ChildOrder): Promise<OpenedChild> => openChild(options, order);
      const runner = createTaskRunner({threadId, profiles, slots, record, tasks, emit, scope, open});
      return await tracked(runner.run(request, signal));
    },
    children: later(() => (children ??= openChildren(options))),
  };
}

async function openChildren(options: SubagentsOptions): Promise<Children> {
  const {delegation, scope} = options;
  const [{createChildren}, {openChild}, worktrees] = await Promise.all([
    import('../../agent/delegation/children.ts'),
    import('./open-child.ts'),
    import('./worktree-place.ts'),
  ]);
  const {session, threadId, profiles, slots, record} = delegation;
  const children = createChildren({
    threadId,
    profiles,
    slots,
    record,
    emit: options.emit,
    refuse: scope.refuse,
    open: (order) => openChild(options, order),
    changes: (child) => worktrees.proposedFiles(session.paths.stateDir, child),
    async proposal(child) {
      const {openProposal} = await import('./merge-worktree.ts');
      return await openProposal(session, child);
    },
  });
  delegation.attach(children);
  return children;
}

/** The same, loaded when the first call comes. */
function later(load: () => Promise<ChildAgents>): ChildAgents {
  return {
    spawn: async (order) => await (await load()).spawn(order),
    send: async (order) => await (await load()).send(order),
    wait: async (order, signal) => await (await load()).wait(order, signal),
    resume: async (order) => await (await load()).resume(order),
    close: async (id) => await (await load()).close(id),
    list: async () => await (await load()).list(),
    proposal: async (id) => await (await load()).proposal(id),
  };
}

export async function providerFor(
  {model}: SubagentProfile,
  {provider, delegation}: Pick<SubagentsOptions, 'provider' | 'delegation'>,
): Promise<Provider> {
  if (model === undefined || model === provider.model) return provider;
  const {openProvider} = await import('../../models/open-provider.ts');
  return await openProvider(model, delegation.session.providerSettings);
}

export interface OwnTools extends SubagentTools {
  readonly toolset: Toolset;
  /** @param own what a subagent has for itself */
  createDispatcher(listener: DispatchListener, own?: Pick<ToolContext, 'recall'>): Dispatcher;
}

/** What a profile takes away from its thread. */
type Freedom = Pick<SubagentProfile, 'allows' | 'mode' | 'rules' | 'isolation'>;

/** Some of the tools of a thread, under the same permissions or stricter ones. What it reads and plans is its own; nobody's editor moves. */
export async function subagentTools(
  profile: Freedom,
  provider: Provider,
  dispatcher: Omit<DispatcherOptions, 'listener'>,
): Promise<OwnTools> {
  const {NO_FURTHER_AGENTS} = await import('../../agent/delegation/task-runner.ts');
  // A tool that starts subagents can be called, so that the answer is why it does not; models are not told of it.
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
  };
  const shown = restrictToolset(toolset, (tool) => profile.allows(tool));
  return {
    // Short tasks: not worth the words that tools made of other tools cost.
    schemas: toolSchemas({tools: advertisedTools(shown, {model: provider.model, compositeTools: false, hasPerson: false})}),
    toolset,
    createDispatcher: (listener, own = {}) =>
      createDispatcher({
        ...dispatcher,
        policy: () => narrowed(dispatcher.policy(), profile),
        toolset,
        context: {...context, ...own},
        listener,
      }),
  };
}

/** A profile takes away; it never adds. What is edited in a copy of the repository is looked at when it is merged, and not each time. */
function narrowed(policy: Policy, {mode, rules = [], isolation}: Freedom): Policy {
  const base = isolation === 'worktree' && policy.mode === 'ask' ? 'accept-edits' : policy.mode;
  return {...policy, mode: mode === undefined ? base : narrowerMode(base, mode), rules: [...rules, ...policy.rules]};
}
