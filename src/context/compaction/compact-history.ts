import type {Message} from '../../protocol/messages.ts';
import type {SessionMemoryEnvelope} from '../memory/envelope.ts';
import {renderMemory} from '../memory/render-memory.ts';
import {totalTokens} from './estimate-tokens.ts';
import {fitMessages} from './fit-messages.ts';

export interface CompactedHistory {
  readonly messages: readonly Message[];
  readonly memory: SessionMemoryEnvelope;
}

/**
 * Builds the conversation after a compaction: the memory in front, as a message that says that it is a record,
 * then the newest replies as they were. @param maxTokens room for all of it
 */
export function compactHistory({
  tail,
  memory,
  items,
  maxTokens,
  corrections,
}: {
  readonly tail: readonly Message[];
  readonly memory: SessionMemoryEnvelope;
  /** The number of the newest item of the log. */
  readonly items: number;
  readonly maxTokens: number;
  /** Room for the corrections of the person: they are kept even if nothing else fits. Tokens. */
  readonly corrections: number;
}): CompactedHistory {
  const carried: SessionMemoryEnvelope = {...memory, dropped_items: Math.max(memory.dropped_items, firstShown(tail, items) - 1)};
  // The newest replies are cut before the memory: the latest steps can be recalled, lessons cannot.
  const newest = fitMessages(tail, Math.floor(maxTokens * TAIL_AT_MOST));
  const tokens = Math.max(maxTokens - totalTokens(newest), Math.floor(maxTokens * MEMORY_AT_LEAST));
  const record: Message = {role: 'user', text: renderMemory(carried, {tokens, corrections})};
  return {messages: [record, ...newest], memory: carried};
}

const TAIL_AT_MOST = 0.6;
const MEMORY_AT_LEAST = 0.3;

/** Everything before the first result that is still there counts as dropped: the replies in between can be recalled all the same. */
function firstShown(tail: readonly Message[], items: number): number {
  const shown = tail.flatMap((message) => (message.role === 'tool' ? message.results.map(({item}) => item ?? Infinity) : []));
  const first = Math.min(...shown);
  return Number.isFinite(first) ? first : items + 1;
}
