import type {AssistantMessage, Message} from '../../protocol/messages.ts';
import type {ReplayStep} from './replay-recording.ts';

/** Input between two replies. */
interface Input {
  readonly texts: string[];
  readonly results: {readonly id: string; readonly name: string}[];
}

/**
 * The first place where a conversation is not the recorded one, or undefined. `steps` end with the one that is to be answered.
 * After a compaction only what came later is compared: the summary is the harness's own.
 */
export function firstDifference(steps: readonly ReplayStep[], messages: readonly Message[]): string | undefined {
  const {inputs, replies} = split(messages);
  const all = withoutSilence(steps);
  const compacted = all.findLastIndex((step) => step.compacted);
  const recorded = compacted < 0 ? all : all.slice(compacted);
  const skipped = compacted < 0 ? 0 : inputs.length - recorded.length;
  if (skipped < 0 || inputs.length !== recorded.length + skipped) {
    return `the recording has ${count(recorded.length - 1, 'reply', 'replies')} before it, this conversation has ${replies.length}.`;
  }
  for (const [index, step] of recorded.entries()) {
    const before = recorded[index - 1];
    const input = inputs[skipped + index] ?? {texts: [], results: []};
    const difference =
      (before === undefined ? undefined : differenceOfReply(before.reply.message, {now: replies[skipped + index - 1], ...input})) ??
      (step.compacted ? undefined : differenceOfTexts(step.texts, input.texts));
    if (difference !== undefined) return `before reply ${steps.length - recorded.length + index + 1}, ${difference}`;
  }
  return undefined;
}

/** A reply of nothing but reasoning leaves no message behind: the messages before and after it become adjacent. */
function withoutSilence(steps: readonly ReplayStep[]): readonly ReplayStep[] {
  const heard: ReplayStep[] = [];
  for (const step of steps) {
    const before = heard.at(-1);
    if (before === undefined || before.reply.message.parts.some(({type}) => type !== 'reasoning')) heard.push(step);
    else heard[heard.length - 1] = {...step, texts: [...before.texts, ...step.texts], compacted: before.compacted || step.compacted};
  }
  return heard;
}

/** One input more than there are replies. */
function split(messages: readonly Message[]): {inputs: readonly Input[]; replies: readonly AssistantMessage[]} {
  const inputs: Input[] = [{texts: [], results: []}];
  const replies: AssistantMessage[] = [];
  for (const message of messages) {
    const input = inputs.at(-1);
    if (message.role === 'assistant') {
      replies.push(message);
      inputs.push({texts: [], results: []});
    } else if (message.role === 'user') {
      input?.texts.push(message.text);
    } else {
      input?.results.push(...message.results.map(({callId, name}) => ({id: callId, name})));
    }
  }
  return {inputs, replies};
}

/** The calls of the reply and the results of these calls: each has one, even if the recorded run was cut off before. */
function differenceOfReply(
  recorded: AssistantMessage,
  {now, results}: {now: AssistantMessage | undefined; results: Input['results']},
): string | undefined {
  const expected = describe(callsOf(recorded));
  const called = describe(now === undefined ? [] : callsOf(now));
  if (called !== expected) return `the recorded reply called ${expected}, this one ${called}.`;
  const answered = describe(results);
  return answered === expected ? undefined : `the recording has results of ${expected}, this conversation of ${answered}.`;
}

function callsOf({parts}: AssistantMessage) {
  return parts.filter((part) => part.type === 'tool_call');
}

function differenceOfTexts(recorded: readonly string[], now: readonly string[]): string | undefined {
  const index = recorded.findIndex((text, at) => text !== now[at]);
  if (index >= 0) return `the recorded user text is ${quote(recorded[index])}, here it is ${quote(now[index])}.`;
  const extra = now[recorded.length];
  return extra === undefined ? undefined : `there is a user text that was not recorded: ${quote(extra)}.`;
}

/** Results arrive in any order, so the order does not count. */
function describe(calls: readonly {readonly id: string; readonly name: string}[]): string {
  if (calls.length === 0) return 'no tools';
  return calls
    .map(({id, name}) => `${name} (${id})`)
    .sort()
    .join(', ');
}

function quote(text: string | undefined): string {
  return text === undefined ? 'missing' : JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
