import type {Message} from '../../protocol/messages.ts';
import {messageTokens} from './estimate-tokens.ts';

/** A conversation cut in two: the part to summarise, and the newest whole replies, which stay as they are. */
export interface SplitHistory {
  readonly old: readonly Message[];
  readonly tail: readonly Message[];
}

/**
 * The tail begins at a reply of the model (never between a call and its result), and holds as many of the newest ones as fit; the last
 * one always, with everything after it, or the model would not know what it just did or was asked. @param maxTokens an estimate
 */
export function splitTail(messages: readonly Message[], maxTokens: number): SplitHistory {
  // The last message of the person has not been answered yet.
  let start = messages.findLastIndex(({role}) => role !== 'user') + 1;
  let size = messages.slice(start).reduce((sum, message) => sum + messageTokens(message), 0);
  let found = false;
  for (const [at, message] of [...messages.slice(0, start).entries()].toReversed()) {
    size += messageTokens(message);
    if (size > maxTokens && found) break;
    if (message.role !== 'assistant') continue;
    start = at;
    found = true;
  }
  return {old: messages.slice(0, start), tail: messages.slice(start)};
}
