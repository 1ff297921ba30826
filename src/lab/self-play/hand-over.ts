import {estimateTokens} from '../../context/compaction/estimate-tokens.ts';
import {fitMessages} from '../../context/compaction/fit-messages.ts';
import {transcriptPieces} from '../../context/compaction/transcript-text.ts';
import type {Message} from '../../protocol/messages.ts';
import {historyFromEvents} from '../../sessions/history.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';

/**
 * Writes the log of a run for another one, in at most `maxTokens` estimated tokens: as a compaction does, long results and arguments are shortened
 * first, then the oldest part is left out; the text says both. Its prompt is not part of it.
 */
export function handOver(events: readonly LoggedEvent[], maxTokens: number): string {
  const messages = historyFromEvents(events.map(({event}) => event))
    .filter(({role}) => role !== 'user')
    .map(withoutRecall);
  const fitted = fitMessages(messages, maxTokens);
  let text = '';
  for (const charsPerToken of [3.5, 1]) {
    const maxChars = Math.max(100, Math.floor(maxTokens * charsPerToken) - NOTICE_CHARS);
    text = transcriptPieces(fitted, {maxChars, most: 1})[0] ?? '';
    if (estimateTokens(text) <= maxTokens) break;
  }
  return text;
}

/** The longest notice of what is left out. */
const NOTICE_CHARS = 100;

/** Another run cannot recall what is left out. */
function withoutRecall(message: Message): Message {
  if (message.role !== 'tool') return message;
  return {...message, results: message.results.map((result) => ({...result, item: undefined}))};
}
