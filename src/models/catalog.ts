import type {Prices, Rates} from './cost.ts';

export interface ModelInfo {
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Undefined if no price is known. */
  readonly prices: Prices | undefined;
  /** False: the name is not in the table, and the limits are a cautious guess. */
  readonly isKnown: boolean;
}

/** Looks a model up by its reference `provider/model`; dates and `-latest` at the end of the name do not matter. */
export function modelInfo(modelRef: string): ModelInfo {
  const [provider = '', ...rest] = modelRef.split('/');
  const name = rest.join('/');
  const table = MODELS[CATALOG_OF[provider] ?? ''];
  return table?.get(name) ?? table?.get(name.replace(/-(?:latest|\d{4}-?\d{2}-?\d{2})$/, '')) ?? UNKNOWN;
}

/** The models of a provider that the table knows, without the provider in front. */
export function knownModels(provider: string): readonly string[] {
  return [...(MODELS[CATALOG_OF[provider] ?? '']?.keys() ?? [])];
}

const UNKNOWN: ModelInfo = {contextWindow: 128_000, maxOutputTokens: 16_384, prices: undefined, isKnown: false};

const CATALOG_OF: Readonly<Record<string, string>> = {
  openai: 'openai',
  'openai-chat': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
  mistral: 'mistral',
};

/**
 * As of 2026-11-18. US dollars per million tokens, standard tier, caches of the shortest life: developers.openai.com/api/docs/pricing,
 * platform.claude.com/docs/models, ai.google.dev/gemini-api/docs/pricing, docs.mistral.ai/models. If an introductory price runs out, the price
 * after it is listed: a budget must not be overrun on the day it ends. Without a price for writing to a cache, writing costs as input; for GPT-6
 * it is 1.25 times the input. Mistral has no limit of its own for a reply; the number here leaves room for the input.
 */
const MODELS: Readonly<Record<string, ReadonlyMap<string, ModelInfo>>> = {
  openai: new Map([
    ['gpt-6.2-astra', gpt({input: 8, cachedInput: 0.4, cacheWrite: 10, output: 40})],
    ['gpt-6.2-sol', gpt({input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10})],
    ['gpt-6.1-sol', gpt({input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10})],
    ['gpt-6.1-terra', gpt({input: 1, cachedInput: 0.05, cacheWrite: 1.25, output: 5})],
    ['gpt-6-astra', gpt({input: 10, cachedInput: 1, cacheWrite: 12.5, output: 50})],
    ['gpt-6-sol', gpt({input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10})],
    ['gpt-6-luna', gpt({input: 0.1, cachedInput: 0.01, cacheWrite: 0.125, output: 0.5})],
  ]),
  anthropic: new Map([
    ['claude-fable-5-1', claude({input: 10, cachedInput: 0.25, cacheWrite: 12.5, output: 50})],
    ['claude-opus-5-5', claude({input: 4, cachedInput: 0.2, cacheWrite: 5, output: 20})],
    ['claude-opus-5', claude({input: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25})],
    ['claude-sonnet-5-5', claude({input: 2, cachedInput: 0.1, cacheWrite: 2.5, output: 10})],
    ['claude-sonnet-5', claude({input: 2, cachedInput: 0.2, cacheWrite: 2.5, output: 10})],
    [
      'claude-haiku-5-5',
      claude({
        input: 0.1,
        cachedInput: 0.01,
        cacheWrite: 0.125,
        output: 0.5,
        long: {above: 100_000, input: 0.5, cachedInput: 0.05, cacheWrite: 0.625, output: 2.5},
      }),
    ],
    ['claude-haiku-4-5', known(200_000, 64_000, {input: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5})],
  ]),
  gemini: new Map([
    ['gemini-4-argon', known(1_048_576, 65_536, {input: 4, cachedInput: 0.2, cacheWrite: 4, output: 20})],
    ['gemini-3.8-flash', known(1_048_576, 65_536, {input: 1.5, cachedInput: 0.15, cacheWrite: 1.5, output: 7.5})],
  ]),
  mistral: new Map([
    ['mistral-large-4', known(1_048_576, 65_536, {input: 1.36, cachedInput: 0.14, cacheWrite: 1.36, output: 4.18})],
    ['mistral-large-4-0', known(1_048_576, 65_536, {input: 1.36, cachedInput: 0.14, cacheWrite: 1.36, output: 4.18})],
    ['mistral-medium-3-5', known(262_144, 65_536, {input: 1.5, cachedInput: 0.15, cacheWrite: 1.5, output: 7.5})],
  ]),
};

function known(contextWindow: number, maxOutputTokens: number, prices: Prices): ModelInfo {
  return {contextWindow, maxOutputTokens, prices, isKnown: true};
}

/** Above 272,000 tokens of input the whole request costs double, output half as much again. */
function gpt(rates: Rates): ModelInfo {
  const {input, cachedInput, cacheWrite, output} = rates;
  const long = {above: 272_000, input: input * 2, cachedInput: cachedInput * 2, cacheWrite: cacheWrite * 2, output: output * 1.5};
  return known(1_050_000, 128_000, {...rates, long});
}

function claude(prices: Prices): ModelInfo {
  return known(1_000_000, 128_000, prices);
}
