import {isJsonObject, parseJson} from '../../base/json.ts';
import type {Conversation, Turn} from './conversation.ts';
import type {ChatMessage, PreferenceMessage, PreferenceRecord, RlRecord, SftRecord} from './records.ts';

/** The conversation as a line of OpenAI's fine-tuning format; undefined if the model said nothing in it. An empty reply is not to be learned. */
export function sftRecord({turns, tools}: Conversation): SftRecord | undefined {
  const last = turns.findLastIndex(({action}) => !isEmpty(action));
  const messages = turns.slice(0, last + 1).flatMap(({observation, action}): readonly ChatMessage[] => {
    return [...observation, isEmpty(action) ? {...action, weight: 0} : action];
  });
  return messages.length === 0 ? undefined : {messages, ...toolFields(tools)};
}

function isEmpty({content, tool_calls: calls}: Turn['action']): boolean {
  return content.trim() === '' && calls === undefined;
}

/** The messages up to the first reply, and from there on what each side did; undefined where the two were not asked the same. */
export function preferenceRecord(chosen: Conversation, rejected: Conversation): PreferenceRecord | undefined {
  const [good, bad] = [partedAtReply(chosen), partedAtReply(rejected)];
  const [asked, other] = [good.prompt, bad.prompt].map((messages) => JSON.stringify(messages.filter(({role}) => role !== 'system')));
  const sameTools = JSON.stringify(chosen.tools) === JSON.stringify(rejected.tools);
  if (asked !== other || !sameTools) return undefined;
  const [prompt, did, didNot] = [good.prompt, good.rest, bad.rest].map(preferenceMessages);
  return {prompt: prompt ?? [], chosen: did ?? [], rejected: didNot ?? [], ...toolFields(chosen.tools)};
}

function preferenceMessages(messages: readonly ChatMessage[]): PreferenceMessage[] {
  const names = new Map<string, string>();
  return messages.map((message): PreferenceMessage => {
    if (message.role === 'tool') return {...message, name: names.get(message.tool_call_id) ?? 'unknown'};
    if (message.role !== 'assistant') return message;
    if (message.tool_calls === undefined) return {role: 'assistant', content: message.content};
    const calls = message.tool_calls.map(({id, type, function: {name, arguments: json}}) => {
      names.set(id, name);
      const parsed = parseJson(json);
      return {id, type, function: {name, arguments: isJsonObject(parsed) ? {...parsed} : {}}};
    });
    return {role: 'assistant', content: message.content, tool_calls: calls};
  });
}

function partedAtReply({turns}: Conversation): {readonly prompt: ChatMessage[]; readonly rest: ChatMessage[]} {
  const [first, ...others] = turns;
  return {prompt: [...(first?.observation ?? [])], rest: [...(first === undefined ? [] : [first.action]), ...others.flatMap(messagesOf)]};
}

/** One step of a rollout as it is rewarded. */
export interface RewardedStep {
  readonly conversations: readonly Conversation[];
  /** Its part of the reward of the rollout. */
  readonly reward: number;
}

export interface EpisodeEnd {
  readonly episode: string;
  readonly truncated: boolean;
}

/** A transition for each reply of all steps; the reward of a step comes with its last one. */
export function rlRecords(steps: readonly RewardedStep[], {episode, truncated}: EpisodeEnd): readonly RlRecord[] {
  const rows = steps.flatMap(({conversations, reward}) => {
    const own = conversations.flatMap(({turns, tools}) =>
      turns.map((turn, at) => ({turn, tools: at === 0 ? tools : undefined, begins: at === 0})),
    );
    return own.map((row, at) => ({...row, reward: at === own.length - 1 ? reward : 0}));
  });
  return rows.map(({turn, tools, begins, reward}, t) => {
    const isLast = t === rows.length - 1;
    return {
      episode,
      t,
      observation: [...turn.observation],
      context: begins ? 'replace' : 'append',
      action: turn.action,
      ...toolFields(tools),
      reward,
      terminated: isLast && !truncated,
      truncated: isLast && truncated,
      info: infoOf(turn),
    };
  });
}

function infoOf({request}: Turn): RlRecord['info'] {
  if (request === undefined) return {};
  const {usage, cost_usd: cost, logprobs, temperature} = request;
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    ...(cost === null ? {} : {cost_usd: cost}),
    ...(logprobs === undefined ? {} : {logprobs}),
    ...(temperature === undefined ? {} : {temperature}),
  };
}

function messagesOf({observation, action}: Turn): readonly ChatMessage[] {
  return [...observation, action];
}

function toolFields(tools: Conversation['tools']): {tools?: SftRecord['tools']} {
  return tools === undefined ? {} : {tools: [...tools]};
}
