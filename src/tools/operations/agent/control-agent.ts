import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {AgentInfo, ChildAgents} from '../../ports/agent-runner.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';

const args = z.object({
  action: z.enum(['spawn', 'send', 'wait', 'resume', 'close', 'list']),
  /** spawn: a profile; send, resume, close: an id. */
  agent: z.optional(z.string()),
  /** spawn, send, resume. */
  message: z.optional(z.string()),
  /** send: before its next request, not when it is done. */
  now: z.boolean(),
  /** wait: ids; none means all. */
  agents: z.array(z.string()),
  timeoutMs: z.number(),
});

const info = z.object({
  id: z.string(),
  profile: z.string(),
  status: z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'closed']),
  task: z.string(),
  message: z.optional(z.string()),
  response: z.optional(z.string()),
  changes: z.optional(z.array(z.object({path: z.string(), kind: z.enum(['add', 'delete', 'update'])}))),
});

const result = z.object({agents: z.array(info), diff: z.optional(z.string())});

export type ControlAgentArgs = z.infer<typeof args>;
export type ControlAgentResult = z.infer<typeof result>;

/**
 * Starts subagents beside the thread, sends them messages, waits for them and ends them (VT Code › delegation).
 * The call itself changes nothing: the calls of a subagent are evaluated one by one; rules may name the profile
 * (`task:worker`). UNAVAILABLE if none can be started, LIMIT inside a subagent.
 */
export const controlAgent = plainOperation<ControlAgentArgs, ControlAgentResult>({
  id: 'agent.control',
  permission: 'task',
  args,
  result,
  sideEffect: 'read',
  async subjects({action, agent = ''}, ctx) {
    if (action === 'wait' || action === 'list' || action === 'close') return [];
    if (action === 'spawn') return [{kind: 'name', name: agent}];
    const known = await ctx.agents?.children?.list();
    return [{kind: 'name', name: known?.find(({id}) => id === agent)?.profile ?? agent}];
  },
  async *run(order, ctx) {
    const children = childrenOf(ctx);
    const agents = (await carryOut(order, children, ctx)).map(plain);
    const [only] = agents;
    if (order.action !== 'wait' || agents.length !== 1 || only?.changes === undefined) return {agents};
    const {diff} = await children.proposal(only.id);
    // Shown to a person before they are asked about the merge.
    yield {type: 'output', stream: 'stdout', text: `${diff}\n`};
    return {agents, diff};
  },
});

/** Throws if no subagents can be started: there is no model, or a subagent asks. */
export function childrenOf({agents}: Pick<ToolContext, 'agents'>): ChildAgents {
  if (agents?.children !== undefined) return agents.children;
  if (agents?.profiles.length === 0) {
    throw new FettleError({code: 'LIMIT', message: 'A subagent cannot start another.', hint: 'Do this part yourself.'});
  }
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: 'No subagent can be started here.',
    hint: 'Do the task yourself, with the other tools.',
  });
}

async function carryOut(order: ControlAgentArgs, children: ChildAgents, {callId, signal}: ToolContext): Promise<readonly AgentInfo[]> {
  const {action, agents, timeoutMs, now} = order;
  switch (action) {
    case 'list':
      // The answers are returned by `wait` alone.
      return (await children.list()).map((one) => ({...one, response: undefined}));
    case 'wait':
      return await children.wait({ids: agents, timeoutMs, callId}, signal);
    case 'spawn':
      return [await children.spawn({profile: needed(order, 'agent'), task: needed(order, 'message'), callId})];
    case 'send':
      return [await children.send({id: needed(order, 'agent'), message: needed(order, 'message'), now, callId})];
    case 'resume':
      return [await children.resume({id: needed(order, 'agent'), message: order.message, callId})];
    case 'close':
      return [await children.close(needed(order, 'agent'))];
  }
}

function needed(order: ControlAgentArgs, name: 'agent' | 'message'): string {
  const value = order[name];
  if (value !== undefined && value.trim() !== '') return value;
  throw new FettleError({code: 'BAD_ARGS', message: `${order.action} needs ${name}.`, hint: `Send ${name} as well.`});
}

function plain({changes, ...rest}: AgentInfo): ControlAgentResult['agents'][number] {
  return changes === undefined ? rest : {...rest, changes: [...changes]};
}
