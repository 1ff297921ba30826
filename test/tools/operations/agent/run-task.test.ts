import {describe, expect, it} from 'vitest';
import {FettleError} from '../../../../src/base/errors.ts';
import type {AgentRequest, AgentRunner} from '../../../../src/tools/ports/agent-runner.ts';
import type {ToolContext} from '../../../../src/tools/context.ts';
import {runTask} from '../../../../src/tools/operations/agent/run-task.ts';
import type {ToolStreamEvent} from '../../../../src/tools/stream-event.ts';
import {outcomeOf} from '../../support/run-operation.ts';

const {signal} = new AbortController();

async function run(task: string, agents?: AgentRunner): Promise<{outcome: unknown; events: ToolStreamEvent[]}> {
  const events: ToolStreamEvent[] = [];
  const ctx = {callId: 'call_7', signal, agents} as ToolContext;
  const outcome = await outcomeOf(runTask, {task, agent: 'explore', maxTurns: 3}, {ctx, events});
  return {outcome, events};
}

describe('vibe tool system › Task Tool', () => {
  it('"Streams ToolStreamEvent items with subagent progress", a line each, and gives the result', async () => {
    const seen: unknown[] = [];
    const answered = {response: 'There.', turnsUsed: 2, completed: true};
    const agents: AgentRunner = {
      profiles: [],
      async run({onProgress, ...request}: AgentRequest, given) {
        seen.push(request, given === signal);
        onProgress('grep: 3 matches');
        await Promise.resolve();
        onProgress('read: a.txt: 1 line');
        return answered;
      },
    };
    expect(await run('Find it.', agents)).toEqual({
      outcome: answered,
      events: [
        {type: 'output', stream: 'progress', text: 'grep: 3 matches\n'},
        {type: 'output', stream: 'progress', text: 'read: a.txt: 1 line\n'},
      ],
    });
    expect(seen).toEqual([{callId: 'call_7', task: 'Find it.', profile: 'explore', maxTurns: 3, maxToolCalls: undefined}, true]);
  });

  it('what the runner throws is the failure of the call', async () => {
    const agents: AgentRunner = {
      profiles: [],
      run: async () => {
        throw new FettleError({code: 'LIMIT', message: 'Too deep.'});
      },
    };
    expect((await run('Find it.', agents)).outcome).toEqual({code: 'LIMIT', message: 'Too deep.'});
  });

  it('an empty task, and no model to run one', async () => {
    const agents: AgentRunner = {profiles: [], run: async () => expect.unreachable()};
    expect((await run(' ', agents)).outcome).toMatchObject({code: 'BAD_ARGS', message: 'The task is empty.'});
    expect((await run('Find it.')).outcome).toEqual({
      code: 'UNAVAILABLE',
      message: 'No model is available to run a subagent.',
      hint: 'Do the task yourself, with the other tools.',
    });
  });
});
