import type {ChildOrder, OpenedChild} from '../../agent/delegation/live-child.ts';
import type {Children} from '../../agent/delegation/children.ts';
import type {AgentRunner, ChildAgents} from '../../tools/ports/agent-runner.ts';
import type {SubagentsOptions} from './subagents-options.ts';

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
