import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createDuplicateFinder} from '../../../src/lab/export/near-duplicates.ts';
import {splitOf} from '../../../src/lab/export/splits.ts';

const text = (length: number, seed: number): string[] =>
  Array.from({length}, (_, at) => `w${Math.imul(at + 1, 2_654_435_761 + seed * 97) >>> 0}`);

describe('near-duplicates', () => {
  it('are texts with nine of ten word sequences in common, not with half of them', () => {
    const words = text(400, 1);
    const changed = (count: number): string => words.map((word, at) => (at >= 200 && at < 200 + count ? `other${at}` : word)).join(' ');
    const isDuplicate = createDuplicateFinder();
    // 400 − 4 sequences; 3 changed words change 7 of them: 0.965. 100 changed words: 0.59.
    expect([words.join(' '), changed(3), changed(100), words.join('\n\t ')].map(isDuplicate)).toEqual([false, true, false, true]);
  });

  it('of short texts are equal texts', () => {
    const isDuplicate = createDuplicateFinder();
    expect(['yes', 'no', 'yes', '', ''].map(isDuplicate)).toEqual([false, false, true, false, true]);
  });

  it('are found for any text that comes twice', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), {maxLength: 30}), (words) => {
        const isDuplicate = createDuplicateFinder();
        isDuplicate(words.join(' '));
        expect(isDuplicate(words.join(' '))).toBe(true);
      }),
    );
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
