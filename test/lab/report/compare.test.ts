import {describe, expect, it} from 'vitest';
import {compareSides} from '../../../src/lab/report/compare.ts';
import {makeReport} from '../../../src/lab/report/make-report.ts';
import {result, results, runOf} from './results.ts';

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const tasks = (count: number, marks: string): Record<string, string> =>
  Object.fromEntries(Array.from({length: count}, (_, at) => [`t${at}`, marks]));

describe('a comparison', () => {
  it('is by task: eight better and two worse of forty are no proof (exact McNemar: p = 0.109)', () => {
    const a = results({...tasks(40, '-'), t8: '+', t9: '+'});
    const b = results({...tasks(40, '-'), ...tasks(8, '+')});
    const [found] = compareSides([
      [
        {name: 'A', results: a},
        {name: 'B', results: b},
      ],
    ]);
    expect([rounded(found?.p ?? 0), found?.betterForA, found?.betterForB, found?.exact, found?.better]).toEqual([
      0.1094,
      2,
      8,
      true,
      undefined,
    ]);
    expect(found?.words).toMatchInlineSnapshot(
      `"No difference shown between B and A: +15.0 points for the first on 40 tasks, p = 0.109; anything from −1.3 to +29.9 fits these results."`,
    );
  });

  it('says who is better where that is shown, from either side', () => {
    const [a, b] = [
      {name: 'A', results: results(tasks(10, '-'))},
      {name: 'B', results: results(tasks(10, '+'))},
    ];
    const [up] = compareSides([[a, b]]);
    const [down] = compareSides([[b, a]]);
    expect([up?.better, up?.p, down?.better, down?.difference]).toEqual(['b', 2 / 1024, 'a', -1]);
    expect([up?.words, down?.words]).toMatchInlineSnapshot(`
      [
        "B passes more than A: +100.0 points on 10 tasks (95 % interval +52.1 to +100.0, p = 0.002).",
        "B passes more than A: +100.0 points on 10 tasks (95 % interval +52.1 to +100.0, p = 0.002).",
      ]
    `);
  });

  it('needs more than five tasks that differ, whatever the rates', () => {
    const [found] = compareSides([
      [
        {name: 'A', results: results(tasks(5, '---'))},
        {name: 'B', results: results(tasks(5, '+++'))},
      ],
    ]);
    expect([found?.p, found?.better]).toEqual([0.0625, undefined]);
  });

  it('weighs a task once, however often it was tried: repeated attempts at one task are no more proof', () => {
    const often = {name: 'A', results: results({t0: '+'.repeat(100)})};
    const never = {name: 'B', results: results({t0: '-'.repeat(100)})};
    expect(compareSides([[often, never]])[0]).toMatchObject({tasks: 1, p: 1, difference: -1});
  });

  it('is exact with different numbers of attempts', () => {
    const a = results({t0: '+-', t1: '+', t2: '---'});
    const b = results({t0: '++-', t1: '+', t2: '+--'});
    const [found] = compareSides([
      [
        {name: 'A', results: a},
        {name: 'B', results: b},
      ],
    ]);
    // 1/6 and 1/3: of the four flips two are as far.
    expect([found?.exact, found?.p, rounded(found?.difference ?? 0)]).toEqual([true, 0.5, rounded(1 / 6)]);
  });

  it('leaves out tasks that one side has not judged, or that changed', () => {
    const a = [...results({same: '+', mine: '+', broken: '!'}), result({key: {task: 'changed'}, taskDigest: 'before'})];
    const b = [...results({same: '+', broken: '+'}), result({key: {task: 'changed'}, taskDigest: 'after'})];
    const [found] = compareSides([
      [
        {name: 'A', results: a},
        {name: 'B', results: b},
      ],
    ]);
    expect([found?.tasks, found?.leftOut]).toEqual([1, 3]);
    expect(found?.words).toMatchInlineSnapshot(
      `"No difference shown between A and B: the same on 1 task (95 % interval −92.4 to +92.4 points)."`,
    );
    expect(
      compareSides([
        [
          {name: 'A', results: []},
          {name: 'B', results: b},
        ],
      ])[0]?.words,
    ).toBe('A and B have no task in common.');
  });

  it('of many pairs corrects for their number', () => {
    const sides = ['+', '-', '-', '-', '-', '-'].map((mark, at) => ({name: `v${at}`, results: results(tasks(8, mark))}));
    const pairs = sides.flatMap((one, index) => sides.slice(index + 1).map((other) => [one, other] as const));
    const found = compareSides(pairs);
    // 2 of 256 flips, of 15 pairs: 0.0078 alone would be a difference.
    expect([found.length, found[0]?.p, found[0]?.adjustedP, found[0]?.better]).toEqual([15, 2 / 256, 30 / 256, undefined]);
  });
});

describe('two runs', () => {
  const before = runOf(results(tasks(8, '-')), {name: 'monday'});
  it('are compared variant by variant', () => {
    const now = [...results(tasks(8, '+')), ...results(tasks(8, '+'), {key: {model: 'acme/new'}})];
    const {against, comparisons} = makeReport(runOf(now, {name: 'friday'}), before);
    expect([against, comparisons.map(({a, b, better}) => [a, b, better])]).toEqual([
      'monday',
      [['acme/large · fettle (monday)', 'acme/large · fettle (friday)', 'b']],
    ]);
  });

  it('of one variant each are compared whatever its name', () => {
    const now = runOf(results(tasks(8, '+'), {key: {model: 'acme/new'}}), {name: 'friday'});
    expect(makeReport(now, before).comparisons.map(({a, b}) => [a, b])).toEqual([
      ['acme/large · fettle (monday)', 'acme/new · fettle (friday)'],
    ]);
  });
});
