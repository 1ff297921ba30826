import type {AssistantPart, Message, ToolResultPart} from '../../protocol/messages.ts';
import {RECORD_START} from '../memory/render-memory.ts';
import {totalTokens} from './estimate-tokens.ts';
import {shortenArguments} from './shorten-arguments.ts';

/**
 * Shortens results and arguments of tools, the long ones first, then also written texts, until the messages fit;
 * the log keeps the full texts. Gives up at a few hundred characters each.
 */
export function fitMessages(messages: readonly Message[], maxTokens: number): readonly Message[] {
  let fitted = messages;
  for (const {tools, words} of STEPS) {
    if (totalTokens(fitted) <= maxTokens) break;
    fitted = messages.map((message) => shortened(message, tools, words));
  }
  return fitted;
}

/** Longest texts that are tried, in characters: of tools, and of messages. */
const STEPS = [
  ...[40_000, 20_000, 10_000, 5000, 2000].map((tools) => ({tools, words: Infinity})),
  ...[20_000, 8000, 2000].map((words) => ({tools: 1000, words})),
  {tools: 300, words: 1000},
];

function shortened(message: Message, tools: number, words: number): Message {
  if (message.role === 'tool') return {...message, results: message.results.map((result) => shortResult(result, tools))};
  if (message.role === 'assistant') return {...message, parts: message.parts.map((part) => shortPart(part, tools, words))};
  if (message.text.length <= words || message.text.startsWith(RECORD_START)) return message;
  return {...message, text: ends(message.text, words, '; the log of the session has all of it')};
}

function shortResult(result: ToolResultPart, most: number): ToolResultPart {
  if (result.text.length <= most) return result;
  const recall = result.item === undefined ? '' : `; recall {"item": ${result.item}} shows it`;
  return {...result, text: ends(result.text, most, recall), shortened: true};
}

function shortPart(part: AssistantPart, tools: number, words: number): AssistantPart {
  if (part.type === 'tool_call') return shortenArguments(part, tools);
  // Reasoning goes back as it came, or a provider refuses it.
  if (part.type === 'reasoning' || part.text.length <= words) return part;
  return {type: 'text', text: ends(part.text, words, '')};
}

function ends(text: string, most: number, recall: string): string {
  const half = Math.floor(most / 2);
  const [head, tail] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()];
  return `${head}\n[… ${text.length - 2 * half} characters left out${recall} …]\n${tail}`;
}
