import {describe, expect, it} from 'vitest';
import {endOfChild, withAgentHooks} from '../../../src/agent/hooks/agent-hooks.ts';
import type {HookAnswer} from '../../../src/agent/hooks/hook-answer.ts';
import type {Hooks} from '../../../src/agent/hooks/hooks.ts';
import type {JsonObject} from '../../../src/base/json.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {AgentRunner, ChildAgents} from '../../../src/tools/ports/agent-runner.ts';

/** Hooks that give these answers, in turn. */
function answering(answers: readonly Partial<HookAnswer>[]): Hooks & {readonly asked: JsonObject[]} {
  const asked: JsonObject[] = [];
  return {
    asked,
    of: (event) => [{event, command: 'x', matcher: () => true, timeoutMs: undefined, foreign: false, from: 'user'}],
    async ask(_, payload) {
      asked.push(payload);
      return {notices: [], ...answers[asked.length - 1]};
    },
    takeStop: () => undefined,
  };
}

function runnerOf(spawned: string[]): AgentRunner {
  const children = {
    spawn: async ({task}: {task: string}) => {
      spawned.push(task);
      return {id: 'worker-1', profile: 'worker', status: 'queued', task} as const;
    },
  } as Partial<ChildAgents> as ChildAgents;
  return {profiles: [], children, run: async ({task}) => ({response: `did: ${task}`, turnsUsed: 1, completed: false})};
}

const REQUEST = {callId: 'c1', task: 'look', profile: 'explore', onProgress: () => undefined};
const never = new AbortController().signal;

describe('hooks around agents', () => {
  it('add to the task and to the answer, and are told of both', async () => {
    const hooks = answering([{context: 'in src'}, {verdict: 'deny', reason: 'thin', context: 'look again'}]);
    expect(await withAgentHooks(runnerOf([]), hooks).run(REQUEST, never)).toEqual({
      response: 'did: look\n\n[hook: in src]\n\n[hook: thin]\n\n[hook: look again]',
      turnsUsed: 1,
      completed: false,
    });
    const agent = {agent_id: 'c1', agent_type: 'explore'};
    expect(hooks.asked).toEqual([
      {...agent, prompt: 'look'},
      {...agent, status: 'stopped', last_assistant_message: 'did: look\n\n[hook: in src]', stop_hook_active: false},
    ]);
  });

  it('are asked for agents that work beside the thread, which may be refused', async () => {
    const spawned: string[] = [];
    const runner = withAgentHooks(runnerOf(spawned), answering([{context: 'in src'}, {verdict: 'deny', reason: 'busy'}]));
    await runner.children?.spawn({profile: 'worker', task: 'a', callId: 'c1'});
    await expect(runner.children?.spawn({profile: 'worker', task: 'b', callId: 'c2'})).rejects.toThrow(
      'A hook does not let worker start: busy',
    );
    expect(spawned).toEqual(['a\n\n[hook: in src]']);
  });

  it('hear of their end by their status', () => {
    const event = (status: string): ThreadEvent =>
      ({
        type: 'agent.status',
        thread_id: 't',
        agent_id: 'worker-1',
        agent: 'worker',
        child_thread_id: 'c',
        status,
        run_id: 'r',
        task: 'a',
      }) as ThreadEvent;
    const statuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'closed'];
    expect(statuses.map((status) => endOfChild(event(status))?.status)).toEqual([
      undefined,
      undefined,
      undefined,
      'completed',
      'stopped',
      'stopped',
    ]);
    // The call that waited for it asks the hooks itself.
    expect(endOfChild({...event('completed'), role: 'task'} as ThreadEvent)).toBe(undefined);
  });
});
