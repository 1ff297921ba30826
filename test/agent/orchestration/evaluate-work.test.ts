import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {passes, type Evaluation} from '../../../src/agent/orchestration/evaluate-work.ts';
import {evaluationMarkdown, findingItems} from '../../../src/agent/orchestration/evaluation-text.ts';

const good: Evaluation = {
  verdict: 'pass',
  summary: 'Fine.',
  scorecard: {contract_fidelity: 4, functionality: 5, code_quality: 4, verification_integrity: 5},
  findings: [{severity: 'low', title: 'A name', detail: ''}],
};

describe('VT Code › evaluator: "pass iff verdict is pass, no high-severity finding, and all four scores ≥ 4"', () => {
  it('passes', () => expect(passes(good)).toBe(true));

  it.each<[string, Partial<Evaluation>]>([
    ['the verdict', {verdict: 'fail'}],
    ['a high finding', {findings: [{severity: ' HIGH', title: 'x', detail: ''}]}],
    ['a critical finding', {findings: [{severity: 'critical', title: 'x', detail: ''}]}],
    ['a finding that is listed as high', {high_severity_findings: ['x']}],
    ['a low score', {scorecard: {...good.scorecard, code_quality: 3}}],
  ])('does not pass: %s', (_, over) => expect(passes({...good, ...over})).toBe(false));

  it('any score below 4 fails, whatever else is said', () => {
    const score = fc.integer({min: 1, max: 5});
    fc.assert(
      fc.property(score, score, score, score, (a, b, c, d) => {
        const scorecard = {contract_fidelity: a, functionality: b, code_quality: c, verification_integrity: d};
        expect(passes({...good, scorecard})).toBe(Math.min(a, b, c, d) >= 4);
      }),
    );
  });

  it('what was found becomes items that stay; where nothing is named, the verdict itself', () => {
    const found = findingItems({...good, unmet_contract_items: ['No readme'], required_tracker_updates: [' ']}, 2);
    expect(found).toEqual([
      {id: 'finding-2-1', content: 'A name', status: 'pending', priority: 'low', pinned: true},
      {id: 'finding-2-2', content: 'No readme', status: 'pending', priority: 'high', pinned: true},
    ]);
    expect(findingItems({...good, findings: [], verdict: 'fail'}, 1).map(({content}) => content)).toEqual([
      'The evaluation failed (verdict fail): Fine.',
    ]);
  });

  it('the file says what counted, not what was claimed', () => {
    expect(evaluationMarkdown({...good, high_severity_findings: ['It leaks']})).toMatch(
      /^# Verdict\n\nnot passed \(the evaluator said: pass\)\n/,
    );
  });
});
