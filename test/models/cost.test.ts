import {describe, expect, it} from 'vitest';
import {modelInfo} from '../../src/models/catalog.ts';
import {costUsd} from '../../src/models/cost.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';

const PRICES = {
  input: 2,
  cachedInput: 0.1,
  cacheWrite: 2.5,
  output: 10,
  long: {above: 1_000_000, input: 4, cachedInput: 0.2, cacheWrite: 5, output: 15},
};

describe('costUsd', () => {
  it('counts cached input, written input and the rest at their own rates', () => {
    const usage = {...NO_USAGE, input_tokens: 600_000, cached_input_tokens: 400_000, cache_creation_tokens: 100_000, output_tokens: 50_000};
    expect(costUsd(usage, PRICES)).toBeCloseTo(0.1 * 2 + 0.4 * 0.1 + 0.1 * 2.5 + 0.05 * 10, 12);
  });

  it('takes the rates of long requests for the whole request', () => {
    expect(costUsd({...NO_USAGE, input_tokens: 1_000_000}, PRICES)).toBe(2);
    expect(costUsd({...NO_USAGE, input_tokens: 2_000_000, output_tokens: 1_000_000}, PRICES)).toBe(23);
  });

  it('is unknown without prices', () => {
    expect(costUsd(NO_USAGE, undefined)).toBeNull();
  });
});

describe('modelInfo', () => {
  it('knows models by provider and name', () => {
    expect(modelInfo('openai/gpt-6.2-sol')).toEqual({
      contextWindow: 1_050_000,
      maxOutputTokens: 128_000,
      prices: {
        input: 2,
        cachedInput: 0.1,
        cacheWrite: 2.5,
        output: 10,
        long: {above: 272_000, input: 4, cachedInput: 0.2, cacheWrite: 5, output: 15},
      },
      isKnown: true,
    });
  });

  it('does not mind dates and `-latest`', () => {
    const haiku = modelInfo('anthropic/claude-haiku-4-5');
    expect(haiku.isKnown).toBe(true);
    expect(modelInfo('anthropic/claude-haiku-4-5-20251001')).toBe(haiku);
    expect(modelInfo('openai-chat/gpt-6-luna-2026-09-22')).toBe(modelInfo('openai/gpt-6-luna'));
    expect(modelInfo('mistral/mistral-large-4-latest')).toBe(modelInfo('mistral/mistral-large-4'));
  });

  it.each(['openai/gpt-99', 'ollama/gpt-6.2-sol', 'openrouter/openai/gpt-6.2-sol', 'nonsense', 'openai/constructor', '__proto__/x'])(
    'has no price for %s, and a cautious context',
    (ref) => {
      expect(modelInfo(ref)).toEqual({contextWindow: 128_000, maxOutputTokens: 16_384, prices: undefined, isKnown: false});
    },
  );
});
