import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createDuplicateFinder} from '../../../src/lab/export/near-duplicates.ts';
import {splitOf} from '../../../src/lab/export/splits.ts';

const text = (length: number, seed: number): string[] =>
  Array.from({length}, (_, at) => `w${Math.imul(at + 1, 2_654_435_761 + seed * 97) >>> 0}`);

/** What a finder says of these actions, all of one task. */
function finder(): (did: string) => boolean {
  const find = createDuplicateFinder();
  return (did) => find({task: 't', name: 'n', did, asked: 'Fix it.'}) !== undefined;
}

describe('near-duplicates', () => {
  const words = text(400, 1);
  const changed = (count: number): string => words.map((word, at) => (at >= 200 && at < 200 + count ? `other${at}` : word)).join(' ');

  it('are texts with nine of ten word sequences in common, not with half of them', () => {
    // 400 − 4 sequences; 3 changed words change 7 of them: 0.965. 100 changed words: 0.59.
    expect([words.join(' '), changed(3), changed(100), words.join('\n\t ')].map(finder())).toEqual([false, true, false, true]);
  });

  it('of short texts are equal texts', () => {
    expect(['yes', 'no', 'yes', '', ''].map(finder())).toEqual([false, false, true, false, true]);
  });

  it('are found for any text that comes twice', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), {maxLength: 30}), (some) => {
        const isDuplicate = finder();
        isDuplicate(some.join(' '));
        expect(isDuplicate(some.join(' '))).toBe(true);
      }),
    );
  });

  it('of different tasks are those that were asked nearly the same, too; the earlier one is named', () => {
    const find = createDuplicateFinder();
    const asked = text(200, 7);
    const one = {task: 'a', name: 'a/1', did: changed(0), asked: asked.join(' ')};
    const almost = asked.map((word, at) => (at === 100 ? 'other' : word)).join(' ');
    expect([
      find(one),
      find({...one, task: 'b', name: 'b/1', did: changed(2), asked: almost}),
      find({...one, task: 'c', name: 'c/1', asked: 'Something else.'}),
      find({...one, task: 'b', name: 'b/2', asked: 'Something else, too.'}),
      find({...one, task: 'c', name: 'c/2', asked: 'Something else.'}),
    ]).toEqual([undefined, {task: 'a', name: 'a/1'}, undefined, undefined, {task: 'c', name: 'c/1'}]);
  });

  it('are looked for among a few others, however many there are with the same actions', () => {
    const find = createDuplicateFinder();
    const begin = process.cpuUsage();
    const quarter = (from: number): void => {
      for (let n = from; n < from + 500; n++) find({task: `t${n}`, name: `${n}`, did: 'ls Done.', asked: text(20, n).join(' ')});
    };
    const times = [0, 500, 1000, 1500, 2000, 2500, 3000, 3500].map((from) => {
      const before = process.cpuUsage(begin).user;
      quarter(from);
      return process.cpuUsage(begin).user - before;
    });
    // With a square the last would take 15 times the first.
    expect(Math.min(...times.slice(-2)) / Math.max(...times.slice(0, 2))).toBeLessThan(4);
  });
});

describe('splits', () => {
  it('are by task, the same each time, in the parts that were asked for', () => {
    const tasks = Array.from({length: 5000}, (_, at) => `task-${at}`);
    const counts = Map.groupBy(tasks, (task) => splitOf(task, {validation: 0.1, test: 0.2}));
    expect(Object.fromEntries([...counts].map(([split, ones]) => [split, Math.round(ones.length / 500) / 10]))).toEqual({
      train: 0.7,
      validation: 0.1,
      test: 0.2,
    });
    expect(['sum', 'sort', 'copy'].map((task) => splitOf(task, {validation: 0.3, test: 0.3}))).toMatchInlineSnapshot(`
      [
        "train",
        "train",
        "validation",
      ]
    `);
  });

  it('keep a tested task tested when the parts for validation change', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({min: 0, max: 0.5, noNaN: true}), (task, validation) => {
        expect(splitOf(task, {validation, test: 0.3}) === 'test').toBe(splitOf(task, {validation: 0, test: 0.3}) === 'test');
      }),
    );
  });
});
