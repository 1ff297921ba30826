import type {Usage} from '../protocol/usage.ts';

/** US dollars for a million tokens. */
export interface Rates {
  readonly input: number;
  /** Input that came from a cache. */
  readonly cachedInput: number;
  /** Input that was written to a cache. */
  readonly cacheWrite: number;
  /** Output, reasoning included. */
  readonly output: number;
}

export interface Prices extends Rates {
  /** The rates of a whole request with more input tokens than `above`. */
  readonly long?: Rates & {readonly above: number};
}

/** US dollars of one request; null if no price is known. `input_tokens` includes tokens read from or written to a cache. */
export function costUsd(usage: Usage, prices: Prices | undefined): number | null {
  if (prices === undefined) return null;
  const rates = prices.long !== undefined && usage.input_tokens > prices.long.above ? prices.long : prices;
  const fresh = Math.max(0, usage.input_tokens - usage.cached_input_tokens - usage.cache_creation_tokens);
  const perMillion =
    fresh * rates.input +
    usage.cached_input_tokens * rates.cachedInput +
    usage.cache_creation_tokens * rates.cacheWrite +
    usage.output_tokens * rates.output;
  return perMillion / 1_000_000;
}
