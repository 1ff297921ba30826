/** How much of a conversation a model can take. Tokens. */
export interface ContextWindow {
  /** Input and output together. */
  readonly size: number;
  /** The longest reply. */
  readonly maxOutput: number;
}

/** From how many tokens of input on a conversation is compacted. @param share of what is left beside the reply, 0 to 1 */
export function compactionLimit({size, maxOutput}: ContextWindow, share: number): number {
  return Math.floor((size - reservedOutput({size, maxOutput})) * share);
}

/** Less room than this holds no conversation. Tokens. */
export const SMALLEST_ROOM = 2000;

/** A model that may write half its window rarely does: a quarter is kept free at most. */
function reservedOutput({size, maxOutput}: ContextWindow): number {
  return Math.min(maxOutput, Math.floor(size / 4), 32_000);
}
