import {describe, expect, it, onTestFinished} from 'vitest';
import {openLedger, type RewardLedger} from '../../../src/optimization/ledger/ledger.ts';
import {featureVector} from '../../../src/optimization/policies/feature-vector.ts';
import {typicalTokens} from '../../../src/optimization/typical-tokens.ts';
import {affordable} from '../../../src/sdk/optimization/expected-price.ts';

const EXEC = {kind: 'exec', language: 'rust'};

function ledgerWith(outcomes: readonly (readonly [Readonly<Record<string, string | number>>, number | undefined])[]): RewardLedger {
  const ledger = openLedger();
  onTestFinished(() => ledger.close());
  for (const [features, tokens] of outcomes) {
    const choice = ledger.addChoice({decision: 'model', action: 'a', vector: featureVector(features)});
    ledger.addOutcome({signal: {action: 'a', success: true, ...(tokens === undefined ? {} : {tokens})}, of: {choice}});
  }
  return ledger;
}

describe('typicalTokens', () => {
  const typical = (...outcomes: Parameters<typeof ledgerWith>[0]) => typicalTokens(ledgerWith(outcomes).outcomesAfter('model', 0), EXEC);

  it('is the median of the runs with the same features, whatever else they have', () => {
    expect(
      typical([EXEC, 100], [{...EXEC, size: 0.7}, 900], [EXEC, 500], [{kind: 'chat', language: 'rust'}, 9], [EXEC, undefined]),
    ).toEqual({
      tokens: 500,
      runs: 3,
      isOfKind: true,
    });
  });

  it('is that of all runs where none is of the kind', () => {
    expect(typical([{kind: 'chat'}, 9], [{}, 7])).toEqual({tokens: 9, runs: 2, isOfKind: false});
  });

  it('is not known without tokens', () => {
    expect(typical([EXEC, undefined])).toBeUndefined();
  });
});

describe('affordable', () => {
  const [dear, cheap, local] = ['openai/gpt-6.2-astra', 'openai/gpt-6-luna', 'ollama/m'];

  it('multiplies the rates by the typical tokens', () => {
    // 0.8 x 0.40 + 0.15 x 8 + 0.05 x 40 dollars for a million tokens.
    const typical = {tokens: 1_000_000, runs: 12, isOfKind: true};
    expect(affordable([dear, cheap, local], {limitUsd: 3.52, typical})).toEqual({models: [dear, cheap, local], notices: []});
    expect(affordable([dear, cheap, local], {limitUsd: 3.51, typical})).toEqual({
      models: [cheap, local],
      notices: [
        'openai/gpt-6.2-astra is left out: it is expected to cost $3.52 (1,000k tokens, the median of 12 earlier runs of this kind), and a run may cost $3.51.',
      ],
    });
  });

  it('goes by the rates alone, for one request, where nothing is known', () => {
    expect(affordable([dear, cheap], {limitUsd: 0.04, typical: undefined}).models).toEqual([dear, cheap]);
    expect(affordable([dear, cheap], {limitUsd: 0.03, typical: undefined})).toEqual({
      models: [cheap],
      notices: ['openai/gpt-6.2-astra is left out: it is expected to cost $0.04 (one request), and a run may cost $0.03.'],
    });
  });

  it('leaves the cheapest where all are expected to cost too much: the limit of the run still holds', () => {
    const typical = {tokens: 100_000_000, runs: 1, isOfKind: false};
    expect(affordable([dear, cheap], {limitUsd: 1, typical})).toEqual({
      models: [cheap],
      notices: [
        'openai/gpt-6.2-astra is left out: it is expected to cost $352.00 (100,000k tokens, the median of 1 earlier run), and a run may cost $1.',
      ],
    });
  });
});
