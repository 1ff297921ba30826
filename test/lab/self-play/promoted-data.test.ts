import {expect, it} from 'vitest';
import {provenanceOf} from '../../../src/lab/export/task-export.ts';
import {promotedResults} from '../../../src/lab/self-play/promoted-data.ts';

it('says in the training data if the hidden verification passes with the promoted patch (guide lab › Self-play)', () => {
  const result = (task: string) => ({
    key: {run: 'r', task, model: 'm', toolset: 't', attempt: 1},
    outcome: 'passed',
    reward: 1,
    artifacts: {},
    version: '1',
  });
  const judgement = (task: string, isRight: boolean) => ({
    task,
    work: {task: {id: task, digest: `${task}-digest`}, patches: [{attempt: 2}], tests: [{attempt: 1}]},
    promoted: {patch: 0, tests: [0], mutants: 1, noticed: 1, isRight},
  });
  const results = ['a.fix.2', 'a.fix.1', 'a.test.1', 'b.fix.2', 'b.test.1'].map(result);
  const promoted = promotedResults([judgement('a', true), judgement('b', false)] as never, results as never);
  const lines = promoted.map((one) => provenanceOf(one, {run: {name: 'r', suiteName: 's'}} as never));
  expect(lines.map(({task, attempt, reward, hidden_verification: hidden}) => [task, attempt, reward, hidden])).toEqual([
    ['a', 2, 1, 'passed'],
    ['a', 1, 1, 'passed'],
    ['b', 2, 1, 'failed'],
    ['b', 1, 1, 'failed'],
  ]);
});
