import type {Message} from '../../protocol/messages.ts';
import type {SessionMemoryEnvelope} from '../memory/envelope.ts';
import {renderMemory} from '../memory/render-memory.ts';
import {fitResults} from './fit-results.ts';

export interface CompactedHistory {
  readonly messages: readonly Message[];
  readonly memory: SessionMemoryEnvelope;
}

/**
 * The conversation as it goes on: the memory in front, as a message that says that it is a record, then the newest replies as they were.
 * @param maxTokens room for all of it
 */
export function compactHistory({
  tail,
  memory,
  items,
  maxTokens,
}: {
  readonly tail: readonly Message[];
  readonly memory: SessionMemoryEnvelope;
  /** The number of the newest item of the log. */
  readonly items: number;
  readonly maxTokens: number;
}): CompactedHistory {
  const carried: SessionMemoryEnvelope = {...memory, dropped_items: Math.max(memory.dropped_items, firstShown(tail, items) - 1)};
  const record: Message = {role: 'user', text: renderMemory(carried)};
  return {messages: fitResults([record, ...tail], maxTokens), memory: carried};
}

/** Everything before the first result that is still there counts as dropped: the replies in between can be recalled all the same. */
function firstShown(tail: readonly Message[], items: number): number {
  const shown = tail.flatMap((message) => (message.role === 'tool' ? message.results.map(({item}) => item ?? Infinity) : []));
  const first = Math.min(...shown);
  return Number.isFinite(first) ? first : items + 1;
}
