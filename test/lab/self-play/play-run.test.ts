import {describe, expect, it} from 'vitest';
import type {PlayEnd} from '../../../src/lab/self-play/play-run.ts';
import {play, tests} from './support.ts';

const START = {'add.mjs': 'export function add(a, b) {\n  return a * b;\n}\n'};
const HIDDEN = `node -e "import('./add.mjs').then(({add}) => process.exit(add(7, 8) === 15 ? 0 : 1))"`;
const FOUND = {answer: {files: ['add.mjs'], cause: 'It multiplies.'}};
const RIGHT = {lines: ["sed -i 's/a \\* b/a + b/' add.mjs"], answer: {rationale: 'It adds.'}};
const NOTHING = {answer: {rationale: 'It is right as it is.'}};
const HONEST = tests("import assert from 'node:assert';\nimport {add} from '../add.mjs';\nassert.equal(add(2, 3), 5);\n");

function ran({results}: PlayEnd): readonly string[] {
  return results.map(({key}) => key.task).toSorted();
}

describe('playRun', () => {
  it('is greedy first, reads only where it localises, and hands the logs over', async () => {
    const work = {'localise.1': FOUND, 'localise.2': FOUND, 'fix.1': RIGHT, 'fix.2': RIGHT, 'test.1': HONEST, 'test.2': HONEST};
    const fixture = await play({start: START, hidden: HIDDEN, work, roles: {attempts: 2, isAgentic: false, temperature: 0.8}});
    const end = await fixture.run();
    const said = await Promise.all(
      end.results.map(async (result) => [result.key.task, /"text":"([^"]*)"/.exec(await fixture.said(result))?.[1]] as const),
    );
    expect(Object.fromEntries(said)).toEqual({
      'sum.localise.1': 'ask temperature = 0 log 0',
      'sum.localise.2': 'ask temperature = 0.8 log 0',
      'sum.fix.1': 'exec temperature = 0 log 1',
      'sum.fix.2': 'exec temperature = 0.8 log 1',
      'sum.test.1': 'exec temperature = 0 log 1',
      'sum.test.2': 'exec temperature = 0.8 log 1',
    });
    expect([end.end, end.judgements[0]?.promoted, fixture.notes]).toEqual([
      'done',
      {patch: 0, tests: [0, 1], mutants: 1, noticed: 1, isRight: true},
      ['Scoring the pairs of sum.'],
    ]);
  });

  it('goes on with the agentic stage only where the pipeline promoted nothing, and pairs the work of both', async () => {
    const work = {'localise.1': FOUND, 'fix.1': NOTHING, 'test.1': HONEST, 'fix.2': RIGHT, 'test.2': tests('process.exit(1);')};
    const fixture = await play({start: START, hidden: HIDDEN, work, roles: {attempts: 1, isAgentic: false}});
    const planned = fixture.plan().tasks.map(({id}) => id);
    const end = await fixture.run();
    const said = await Promise.all(end.results.filter(({key}) => key.task.endsWith('2')).map(fixture.said));
    expect([planned, fixture.plan().tasks.map(({id}) => id), ran(end)]).toEqual([
      ['sum.localise.1', 'sum.fix.1', 'sum.test.1'],
      ['sum.localise.1', 'sum.fix.1', 'sum.test.1', 'sum.fix.2', 'sum.test.2'],
      ['sum.fix.1', 'sum.fix.2', 'sum.localise.1', 'sum.test.1', 'sum.test.2'],
    ]);
    const [judgement] = end.judgements;
    expect([
      judgement?.work.patches.map(({attempt}) => attempt),
      judgement?.promoted?.tests,
      said.every((log) => log.includes('temperature = 0 log 0')),
    ]).toEqual([[2], [0], true]);
    expect(fixture.notes).toEqual([
      'Scoring the pairs of sum.',
      'Nothing is promoted of sum yet: each role now does everything itself.',
      'Scoring the pairs of sum.',
    ]);
    const again = await fixture.run();
    expect([again.judgements, again.counts]).toEqual([end.judgements, end.counts]);
  });

  it('leaves out tests that cannot be stored or started, and judges the others', async () => {
    const {answer} = tests('process.exit(1);');
    const work = {
      'fix.1': RIGHT,
      'fix.2': NOTHING,
      'fix.3': NOTHING,
      'test.1': {answer: {...answer, command: 'node self-play-tests/a.mjs\0'}},
      'test.2': {answer: {...answer, tests: [{path: `${'x'.repeat(300)}.mjs`, content: ''}]}},
      'test.3': HONEST,
    };
    const fixture = await play({start: START, hidden: HIDDEN, work, roles: {attempts: 3, isAgentic: true}});
    const [judgement] = (await fixture.run()).judgements;
    expect([judgement?.work.unusable, judgement?.promoted]).toEqual([
      [
        'fix 2: it changes no sources',
        'fix 3: it changes no sources',
        'test 1: No test set: the answer is not a shell line with 1 to 20 files.',
        `test 2: No test set: "${'x'.repeat(300)}.mjs" is not a path below self-play-tests/.`,
      ],
      {patch: 0, tests: [0], mutants: 1, noticed: 1, isRight: true},
    ]);
  });

  it('starts no rollout once the budget is spent, says which were left out, and goes on with a larger one', async () => {
    const work = {'localise.1': FOUND, 'fix.1': NOTHING, 'test.1': HONEST, 'fix.2': RIGHT, 'test.2': HONEST};
    const fixture = await play({start: START, hidden: HIDDEN, work, roles: {attempts: 1, isAgentic: false}});
    const summary = async (budget: number): Promise<unknown> => {
      const {end, results, notStarted, counts, judgements} = await fixture.run(budget);
      const left = notStarted.map(({task}) => task.id);
      return [end, results.length, left, counts.costUsd, judgements[0]?.promoted === undefined ? judgements[0]?.reason : 'promoted'];
    };
    expect([await summary(0.25), await summary(0.6), await summary(0.75), await summary(1), await summary(5)]).toEqual([
      ['budget', 1, ['sum.fix.1', 'sum.test.1', 'sum.fix.2', 'sum.test.2'], 0.25, 'there is no patch'],
      ['budget', 2, ['sum.test.1', 'sum.fix.2', 'sum.test.2'], 0.5, 'there is no patch'],
      ['budget', 3, ['sum.fix.2', 'sum.test.2'], 0.75, 'there is no patch'],
      ['budget', 4, ['sum.test.2'], 1, 'promoted'],
      ['done', 5, [], 1.25, 'promoted'],
    ]);
  });

  it('says which logs are cut for the roles that follow, and tells the roles', async () => {
    const long = {
      ...FOUND,
      lines: [
        `for n in $(seq 400); do printf '{"type":"item.completed","item":{"type":"agent_message","id":"m%s","request_id":"r%s","text":"%0600d"}}\\n' $n $n $n; done`,
      ],
    };
    const work = {'localise.1': long, 'fix.1': RIGHT, 'test.1': HONEST};
    const fixture = await play({start: START, hidden: HIDDEN, work, roles: {attempts: 1, isAgentic: false}});
    await fixture.run();
    expect(fixture.notes).toEqual([
      expect.stringMatching(/^sum\.fix\.1: the log of localise 1 is cut for it: the oldest \d+ characters left out\.$/),
      expect.stringMatching(/^sum\.test\.1: the log of localise 1 is cut for it: the oldest \d+ characters left out\.$/),
      'Scoring the pairs of sum.',
    ]);
  });
});
