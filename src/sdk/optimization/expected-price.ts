import {modelInfo} from '../../models/catalog.ts';
import type {Rates} from '../../models/cost.ts';
import type {TypicalTokens} from '../../optimization/typical-tokens.ts';

/** The limit of a run, and the tokens that runs of its kind took. */
export interface PriceFacts {
  /** US dollars. */
  readonly limitUsd: number;
  /** Undefined: nothing is known, and the price of one request decides. */
  readonly typical: TypicalTokens | undefined;
}

export interface Affordable {
  /** At least one: if all are expected to cost too much, the cheapest. */
  readonly models: readonly string[];
  /** A line on each model that was left out. */
  readonly notices: readonly string[];
}

/** Leaves out the models whose expected price is above the limit. A model without a known price stays: nothing can be expected of it. */
export function affordable(models: readonly string[], {limitUsd, typical}: PriceFacts): Affordable {
  const tokens = typical?.tokens ?? ONE_REQUEST;
  const priced = models.map((model) => ({model, usd: expectedUsd(model, tokens)}));
  const within = priced.filter(({usd}) => usd === undefined || usd <= limitUsd);
  const [cheapest] = priced.toSorted((a, b) => (a.usd ?? 0) - (b.usd ?? 0));
  const kept = within.length > 0 || cheapest === undefined ? within : [cheapest];
  const basis = basisOf(typical);
  return {
    models: kept.map(({model}) => model),
    notices: priced
      .filter((one) => !kept.includes(one))
      .map(
        ({model, usd = 0}) =>
          `${model} is left out: it is expected to cost $${usd.toFixed(2)} (${basis}), and a run may cost $${limitUsd}.`,
      ),
  };
}

/** Tokens of a first request, with its prompt and tools. */
const ONE_REQUEST = 10_000;

function expectedUsd(model: string, tokens: number): number | undefined {
  const {prices} = modelInfo(model);
  return prices === undefined ? undefined : (tokens * mixedRate(prices)) / 1_000_000;
}

/** US dollars for a million tokens of an ordinary run: most of its input is repeated and comes from a cache. */
function mixedRate({cachedInput, input, output}: Rates): number {
  return 0.8 * cachedInput + 0.15 * input + 0.05 * output;
}

function basisOf(typical: TypicalTokens | undefined): string {
  if (typical === undefined) return 'one request';
  const {tokens, runs, isOfKind} = typical;
  const size = `${Math.round(tokens / 1000).toLocaleString('en')}k tokens`;
  return `${size}, the median of ${runs} earlier run${runs === 1 ? '' : 's'}${isOfKind ? ' of this kind' : ''}`;
}
