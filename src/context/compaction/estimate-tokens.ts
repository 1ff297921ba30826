import type {AssistantPart, Message} from '../../protocol/messages.ts';

/**
 * A cautious guess of the tokens of a text, without a tokenizer: 3.5 characters of ASCII make a token, other characters one each.
 * Real counts come from the usage that providers report; this fills the gap for what was added since.
 */
export function estimateTokens(text: string): number {
  // Most texts have no others, and that is found out a hundred times quicker than they are counted.
  if (Buffer.byteLength(text) === text.length) return Math.ceil(text.length / 3.5);
  const other = text.replaceAll(ASCII, '').length;
  return Math.ceil((text.length - other) / 3.5 + other);
}

const ASCII = /[\0-\x7f]+/g;

/** Estimates the tokens of a message, with a little for its frame. Computed once for each message object. */
export function messageTokens(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = FRAME + textsOf(message).reduce((sum, text) => sum + estimateTokens(text) + PART, 0);
  counted.set(message, tokens);
  return tokens;
}

export function totalTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

const counted = new WeakMap<Message, number>();
const FRAME = 4;
const PART = 8;

function textsOf(message: Message): readonly string[] {
  if (message.role === 'user') return [message.text];
  return message.role === 'tool' ? message.results.map(({text}) => text) : message.parts.map(partText);
}

function partText(part: AssistantPart): string {
  const own = part.type === 'tool_call' ? `${part.name}${part.arguments}` : part.text;
  // Signatures and encrypted reasoning travel, and are counted, too.
  return part.native === undefined ? own : `${own}${JSON.stringify(part.native.data)}`;
}
