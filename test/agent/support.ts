import type {ModelEvent, ModelReply, ModelRequest, Provider} from '../../src/models/provider.ts';
import type {AssistantPart, StopReason} from '../../src/protocol/messages.ts';
import {NO_USAGE, type Usage} from '../../src/protocol/usage.ts';

export type Step =
  | readonly ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => readonly ModelEvent[] | Promise<readonly ModelEvent[]>);

/** A provider that gives one step for each request, and keeps the requests. */
export function stepProvider(steps: readonly Step[]): Provider & {readonly requests: ModelRequest[]} {
  const requests: ModelRequest[] = [];
  return {
    model: 'test/steps',
    requests,
    async *stream(request, signal) {
      const step = steps[requests.length] ?? [];
      requests.push(request);
      yield* typeof step === 'function' ? await step(request, signal) : step;
    },
  };
}

export const USAGE: Usage = {...NO_USAGE, input_tokens: 10, output_tokens: 2};

export function done(parts: readonly AssistantPart[], over: Partial<ModelReply> = {}): ModelEvent {
  const stopReason: StopReason = parts.some((part) => part.type === 'tool_call') ? 'tool_calls' : 'end';
  return {type: 'done', reply: {message: {role: 'assistant', parts}, stopReason, usage: USAGE, costUsd: 0.01, retries: 0, ...over}};
}

export const text = (words: string): AssistantPart => ({type: 'text', text: words});
export const call = (id: string, name: string, args: object): AssistantPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: JSON.stringify(args),
});
