import * as z from 'zod/mini';
import {createAsyncQueue} from '../../../base/async-queue.ts';
import {FettleError} from '../../../base/errors.ts';
import {plainOperation} from '../../operation.ts';
import type {ToolStreamEvent} from '../../stream-event.ts';

const args = z.object({
  task: z.string(),
  /** The name of a subagent profile. */
  agent: z.string(),
  /** At most the limit of the profile. */
  maxTurns: z.optional(z.number()),
  maxToolCalls: z.optional(z.number()),
});

const result = z.object({
  response: z.string(),
  turnsUsed: z.number(),
  completed: z.boolean(),
});

export type RunTaskArgs = z.infer<typeof args>;
export type RunTaskResult = z.infer<typeof result>;

/**
 * Gives a task to a subagent and waits for its answer (vibe tool system › Task Tool). The call itself changes
 * nothing: the calls of the subagent are evaluated one by one; rules may name the agent (`task:explore`). Throws
 * UNAVAILABLE without a model, BAD_ARGS for a profile that is not a subagent, LIMIT inside a subagent.
 */
export const runTask = plainOperation<RunTaskArgs, RunTaskResult>({
  id: 'agent.task',
  permission: 'task',
  args,
  result,
  sideEffect: 'read',
  subjects: async ({agent}) => [{kind: 'name', name: agent}],
  async *run({task, agent, maxTurns, maxToolCalls}, ctx) {
    if (ctx.agents === undefined) throw new FettleError(NO_MODEL);
    if (task.trim() === '') throw new FettleError({code: 'BAD_ARGS', message: 'The task is empty.', hint: 'Say what to find out or do.'});
    const progress = createAsyncQueue<ToolStreamEvent>();
    const onProgress = (line: string): void => progress.push({type: 'output', stream: 'progress', text: `${line}\n`});
    const running = ctx.agents.run({callId: ctx.callId, task, profile: agent, maxTurns, maxToolCalls, onProgress}, ctx.signal);
    running.then(
      () => progress.end(),
      () => progress.end(),
    );
    yield* progress;
    return await running;
  },
});

const NO_MODEL = {
  code: 'UNAVAILABLE',
  message: 'No model is available to run a subagent.',
  hint: 'Do the task yourself, with the other tools.',
} as const;
