import type {ModelEvent, ModelRequest, ModelReply, Provider} from '../../models/provider.ts';
import {replyEvents} from '../../models/scripted/script-events.ts';
import type {Message, StopReason} from '../../protocol/messages.ts';
import type {RecordedStep, RecordedTurn} from '../../sessions/replay/recorded-turns.ts';
import type {Divergence} from './replay-report.ts';

/** Answers with the recorded replies of a turn. */
export interface ReplayProvider extends Provider {
  begin(turn: RecordedTurn): void;
  /** The step of the last reply. */
  current(): RecordedStep | undefined;
  /** The recorded step that answers the next request. */
  next(): RecordedStep | undefined;
}

export interface ReplayProviderOptions {
  readonly model: string;
  readonly same: (text: string) => string;
  readonly onDifference: (difference: Pick<Divergence, 'what' | 'message' | 'recorded' | 'now'>) => void;
}

/** Each request must have the recorded messages, apart from values that differ in every run. The first one that does not ends the replay. */
export function createReplayProvider({model, same, onDifference}: ReplayProviderOptions): ReplayProvider {
  let turn: RecordedTurn | undefined;
  let answered = 0;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const step = turn?.steps[answered];
    if (step === undefined) {
      if (turn?.isCompleted === true)
        onDifference({what: 'request', message: MORE, recorded: '', now: messageText(request.messages.at(-1), same)});
      yield {type: 'error', failure: {code: 'CANCELLED', message: 'The recording ends here.', retries: 0}};
      return;
    }
    const difference = differenceOf(step.messages, request.messages, same);
    if (difference !== undefined) {
      onDifference({what: 'request', message: 'The model would be sent something else.', ...difference});
      yield {type: 'error', failure: {code: 'PROVIDER', message: 'The request is not the recorded one.', retries: 0}};
      return;
    }
    answered += 1;
    yield* replyEvents(replyOf(step), signal);
  }

  return {
    model,
    stream,
    begin(next) {
      turn = next;
      answered = 0;
    },
    current: () => turn?.steps[answered - 1],
    next: () => turn?.steps[answered],
  };
}

const MORE = 'The turn goes on, where the recorded one was over.';

function replyOf({reply, answer}: RecordedStep): ModelReply {
  const {usage, cost_usd: costUsd, retries, stop_reason: reason} = answer;
  return {message: reply, stopReason: STOP_REASONS.find((known) => known === reason) ?? 'other', usage, costUsd, retries};
}

const STOP_REASONS: readonly StopReason[] = ['end', 'tool_calls', 'max_tokens', 'refusal', 'other'];

function differenceOf(
  recorded: readonly Message[],
  now: readonly Message[],
  same: (text: string) => string,
): {recorded: string; now: string} | undefined {
  for (let index = 0; index < Math.max(recorded.length, now.length); index += 1) {
    const [before, after] = [messageText(recorded[index], same), messageText(now[index], same)];
    if (before !== after) return {recorded: before, now: after};
  }
  return undefined;
}

/** Returns the parts of a message that are the same in both runs: the texts, and the names of calls. */
function messageText(message: Message | undefined, same: (text: string) => string): string {
  if (message === undefined) return '(no message)';
  if (message.role === 'user') return `user: ${same(message.text)}`;
  if (message.role === 'tool') return message.results.map(({name, text}) => `${name} → ${same(text)}`).join('\n');
  return message.parts
    .map((part) => (part.type === 'tool_call' ? `call ${part.name} ${same(part.arguments)}` : `${part.type}: ${same(part.text)}`))
    .join('\n');
}
