import {counted} from '../../base/counted.ts';
import {estimateTokens} from '../../context/compaction/estimate-tokens.ts';
import {fitMessages} from '../../context/compaction/fit-messages.ts';
import {transcriptPieces} from '../../context/compaction/transcript-text.ts';
import type {Message} from '../../protocol/messages.ts';
import {historyFromEvents} from '../../sessions/history.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';

/** The log of a run, as it is handed to another run. */
export interface HandedOver {
  /** '' for a log without replies. */
  readonly text: string;
  /** Says what is left out, as the end of a sentence; undefined: nothing is. */
  readonly cut: string | undefined;
}

/**
 * Writes the log of a run for another one, in at most `maxTokens` estimated tokens, with the functions by which a conversation is compacted: long
 * results and arguments are shortened first, then the oldest part is left out. Its prompt is not part of it.
 */
export function handOver(events: readonly LoggedEvent[], maxTokens: number): HandedOver {
  const messages = historyFromEvents(events.map(({event}) => event))
    .filter(({role}) => role !== 'user')
    .map(withoutRecall);
  const fitted = fitMessages(messages, maxTokens);
  const whole = textsOf(messages);
  const shortened = textsOf(fitted).filter((text, at) => text !== whole[at]).length;
  let [text, older]: readonly [string, number] = ['', 0];
  for (const charsPerToken of [3.5, 1]) {
    const maxChars = Math.max(100, Math.floor(maxTokens * charsPerToken) - NOTICE_CHARS);
    const pieces = transcriptPieces(fitted, {maxChars, most: Infinity});
    text = transcriptPieces(fitted, {maxChars, most: 1})[0] ?? '';
    older = pieces.slice(0, -1).reduce((sum, piece) => sum + piece.length, 0);
    if (estimateTokens(text) <= maxTokens) break;
  }
  return {text, cut: cutText(shortened, older)};
}

/** The longest notice of what is left out. */
const NOTICE_CHARS = 100;

function cutText(shortened: number, older: number): string | undefined {
  const parts = [
    ...(shortened === 0 ? [] : [`${counted(shortened, 'long text')} shortened`]),
    ...(older === 0 ? [] : [`the oldest ${counted(older, 'character')} left out`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** The texts of messages that can be shortened, in an order that shortening does not change. */
function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message): readonly string[] => {
    if (message.role === 'user') return [message.text];
    if (message.role === 'tool') return message.results.map(({text}) => text);
    return message.parts.map((part) => (part.type === 'tool_call' ? part.arguments : part.text));
  });
}

/** Another run cannot recall what is left out. */
function withoutRecall(message: Message): Message {
  if (message.role !== 'tool') return message;
  return {...message, results: message.results.map((result) => ({...result, item: undefined}))};
}
