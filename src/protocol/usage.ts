import * as z from 'zod/mini';
import type {Known} from './known.ts';

/** Tokens of one or more model requests. `input_tokens` is the total and includes tokens read from or written to a cache. */
export const Usage = z.looseObject({
  input_tokens: z.number(),
  cached_input_tokens: z.number(),
  cache_creation_tokens: z.number(),
  output_tokens: z.number(),
  reasoning_tokens: z.number(),
});
export type Usage = Known<z.infer<typeof Usage>>;

export const NO_USAGE: Usage = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_creation_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    cache_creation_tokens: a.cache_creation_tokens + b.cache_creation_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  };
}
