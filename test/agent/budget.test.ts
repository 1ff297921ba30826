import {describe, expect, it} from 'vitest';
import {addSpending, excess, NOTHING_SPENT, type Limits, type Spending} from '../../src/agent/budget.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';

const spent = (requests: number, tokens: number, costUsd: number | null): Spending => ({
  requests,
  usage: {...NO_USAGE, input_tokens: tokens - 1, output_tokens: 1},
  costUsd,
});

describe('excess', () => {
  it.each<[string, Limits, Spending, number, string | undefined]>([
    ['no limits', {}, spent(1e6, 1e9, 1e6), 1e9, undefined],
    ['one turn below', {maxTurns: 3}, spent(2, 10, 0), 0, undefined],
    ['turns reached', {maxTurns: 3}, spent(3, 10, 0), 0, 'turn_limit_reached'],
    ['tokens reached, input and output together', {maxTokens: 10}, spent(1, 10, 0), 0, 'token_limit_reached'],
    ['one token below', {maxTokens: 11}, spent(1, 10, 0), 0, undefined],
    ['money reached', {maxCostUsd: 0.5}, spent(1, 10, 0.5), 0, 'budget_limit_reached'],
    ['money of a model without a price is not enforced', {maxCostUsd: 0.5}, spent(1, 10, null), 0, undefined],
    ['time reached', {maxTimeMs: 1000}, spent(1, 10, 0), 1000, 'time_limit_reached'],
    [
      'the first limit in the order turns, tokens, money, time is named',
      {maxTurns: 1, maxTimeMs: 1},
      spent(1, 10, 0),
      5,
      'turn_limit_reached',
    ],
  ])('%s', (_, limits, so, elapsed, outcome) => {
    expect(excess(limits, so, elapsed)?.outcome).toBe(outcome);
  });

  it('says the limit, what was used and how to go on', () => {
    expect(excess({maxCostUsd: 2}, spent(4, 10, 2.25), 0)).toEqual({
      outcome: 'budget_limit_reached',
      message: 'The limit of $2 is reached: $2.2500 was spent.',
      hint: 'The work so far is saved. Continue with --resume and a higher --max-cost.',
    });
  });
});

describe('addSpending', () => {
  it('adds up, and an unknown price makes the sum unknown', () => {
    expect(addSpending(spent(1, 5, 0.1), spent(2, 7, 0.2))).toEqual({
      requests: 3,
      usage: {...NO_USAGE, input_tokens: 10, output_tokens: 2},
      costUsd: expect.closeTo(0.3),
    });
    expect(addSpending(NOTHING_SPENT, spent(1, 1, null)).costUsd).toBeNull();
  });

  it('one request without a price does not free the others from the limit of cost', () => {
    const sum = addSpending(addSpending(spent(1, 5, 0.3), spent(1, 5, null)), spent(1, 5, 0.3));
    expect([sum.costUsd, sum.knownUsd, excess({maxCostUsd: 0.5}, sum, 0)?.outcome, excess({maxCostUsd: 0.7}, sum, 0)]).toEqual([
      null,
      0.6,
      'budget_limit_reached',
      undefined,
    ]);
  });
});
