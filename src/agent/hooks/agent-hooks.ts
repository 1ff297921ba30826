import {FettleError} from '../../base/errors.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {AgentRunner, ChildAgents} from '../../tools/ports/agent-runner.ts';
import type {HookAnswer} from './hook-answer.ts';
import type {Hooks} from './hooks.ts';
import {askAll} from './turn-hooks.ts';

/** An agent runner with hooks around each agent: they may block it, add to its task, and comment on its answer. */
export function withAgentHooks(runner: AgentRunner, hooks: Hooks): AgentRunner {
  return {
    ...runner,
    async run(request, signal) {
      const {profile, callId, task} = request;
      const agent = {agent_id: callId, agent_type: profile};
      const answer = await askToStart(hooks, {...agent, prompt: task}, signal);
      const result = await runner.run({...request, task: answer}, signal);
      const status = result.completed ? 'completed' : 'stopped';
      const answers = await notifyStopped(hooks, {...agent, status, last_assistant_message: result.response}, signal);
      const said = answers.flatMap(wordsOf);
      return said.length === 0 ? result : {...result, response: [result.response, ...said].join('\n\n')};
    },
    children: runner.children === undefined ? undefined : withStartHooks(runner.children, hooks),
  };
}

/** Runs when the status of an agent beside the thread shows its end. Hooks cannot add to its answer then. */
export function endOfChild(event: ThreadEvent): EndedAgent | undefined {
  if (event.type !== 'agent.status' || event.role !== undefined || !ENDED.has(event.status)) return undefined;
  const status = event.status === 'completed' ? 'completed' : 'stopped';
  return {agent_id: event.agent_id, agent_type: event.agent, status, last_assistant_message: event.response ?? ''};
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'closed']);

interface EndedAgent {
  readonly agent_id: string;
  readonly agent_type: string;
  readonly status: 'completed' | 'stopped';
  readonly last_assistant_message: string;
}

export async function notifyStopped(hooks: Hooks, agent: EndedAgent, signal: AbortSignal): Promise<readonly HookAnswer[]> {
  const payload = {...agent, stop_hook_active: false};
  return await askAll(hooks, {event: 'subagent_stop', name: agent.agent_type, payload}, signal);
}

function withStartHooks(children: ChildAgents, hooks: Hooks): ChildAgents {
  return {
    ...children,
    async spawn(order) {
      // The name that the agent gets when it starts.
      const agent = {agent_id: '', agent_type: order.profile, prompt: order.task};
      return await children.spawn({...order, task: await askToStart(hooks, agent, new AbortController().signal)});
    },
  };
}

interface NewAgent {
  readonly agent_id: string;
  readonly agent_type: string;
  readonly prompt: string;
}

/** Returns the task with the additions of hooks. Throws DENIED if one refuses the agent. */
async function askToStart(hooks: Hooks, agent: NewAgent, signal: AbortSignal): Promise<string> {
  const answers = await askAll(hooks, {event: 'subagent_start', name: agent.agent_type, payload: {...agent}}, signal);
  const no = answers.find(({verdict}) => verdict === 'deny');
  if (no === undefined) return [agent.prompt, ...answers.flatMap(wordsOf)].join('\n\n');
  throw new FettleError({code: 'DENIED', message: `A hook does not let ${agent.agent_type} start: ${no.reason ?? 'no reason'}`});
}

function wordsOf({verdict, reason = 'no reason', context}: HookAnswer): string[] {
  return [...(verdict === 'deny' ? [reason] : []), ...(context === undefined ? [] : [context])].map((text) => `[hook: ${text}]`);
}
