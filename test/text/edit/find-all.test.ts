import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {alignLines} from '../../../src/text/diff/align-lines.ts';
import {findAll} from '../../../src/text/edit/find-all.ts';
import {substringDistance} from '../../../src/text/edit/substring-distance.ts';

const small = fc.array(fc.constantFrom('a', 'b')).map((parts) => parts.join(''));

describe('findAll', () => {
  it('finds what indexOf finds, at every place (property)', () => {
    fc.assert(
      fc.property(small, small, (text, wanted) => {
        fc.pre(wanted !== '');
        const places = Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
        expect(findAll(text, wanted)).toEqual(places);
      }),
      {numRuns: 1000},
    );
  });
});

describe('substringDistance', () => {
  it('is the least number of edits to some part of the text', () => {
    expect(substringDistance('abc', 'xxabcxx')).toBe(0);
    expect(substringDistance('abc', 'xxabxcxx')).toBe(1);
    expect(substringDistance('abc', '')).toBe(3);
    expect(substringDistance('kitten', 'sitting')).toBe(2);
  });
});

describe('alignLines', () => {
  it('pairs equal lines in ascending order, as many as possible (property)', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), {maxLength: 6});
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        const pairs = alignLines(left, right);
        for (const [i, j] of pairs) expect(left[i]).toBe(right[j]);
        for (const [index, [i, j]] of pairs.slice(1).entries()) {
          expect(i).toBeGreaterThan(pairs[index]?.[0] ?? Infinity);
          expect(j).toBeGreaterThan(pairs[index]?.[1] ?? Infinity);
        }
        expect(pairs.length).toBe(longestCommon(left, right));
      }),
    );
  });

  it('pairs only the common ends of what is too large', () => {
    const left = ['head', ...Array.from({length: 2000}, (_, index) => `a${index}`), 'same', 'tail'];
    const right = ['head', 'same', ...Array.from({length: 2000}, (_, index) => `b${index}`), 'tail'];
    expect(alignLines(left, right)).toEqual([
      [0, 0],
      [2002, 2002],
    ]);
  });

  function longestCommon(left: readonly string[], right: readonly string[]): number {
    if (left.length === 0 || right.length === 0) return 0;
    if (left[0] === right[0]) return 1 + longestCommon(left.slice(1), right.slice(1));
    return Math.max(longestCommon(left.slice(1), right), longestCommon(left, right.slice(1)));
  }
});
