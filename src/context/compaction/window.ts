/** The size of a conversation that a model can take. Tokens. */
export interface WindowSize {
  /** Input and output together. */
  readonly size: number;
  /** The longest reply. */
  readonly maxOutput: number;
}

/** Returns the number of input tokens from which on a conversation is compacted. @param share of the window beside the reply, 0 to 1 */
export function compactionLimit({size, maxOutput}: WindowSize, share: number): number {
  return Math.floor((size - reservedOutput({size, maxOutput})) * share);
}

/**
 * Returns the tokens that messages may have after a compaction: the requested target, or half of the room that
 * the limit leaves beside the fixed part of a request. In a small window that is little, but never more than
 * fits.
 */
export function roomFor({
  limit,
  fixed,
  wanted,
  scale,
}: {
  readonly limit: number;
  readonly fixed: number;
  readonly wanted: number | undefined;
  readonly scale: number;
}): number {
  const free = Math.max(0, limit / scale - fixed);
  const room = wanted === undefined ? free / 2 : wanted / scale - fixed;
  return Math.floor(Math.max(room, Math.min(SMALLEST_ROOM, free * MOST_OF_FREE)));
}

/** The least room for a conversation, if the window is large enough. Tokens. */
const SMALLEST_ROOM = 2000;
const MOST_OF_FREE = 0.6;

/** A model that may write half its window rarely does: a quarter is kept free at most. */
function reservedOutput({size, maxOutput}: WindowSize): number {
  return Math.min(maxOutput, Math.floor(size / 4), 32_000);
}
