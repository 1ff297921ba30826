import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {changedRuns} from '../../../src/text/diff/changed-runs.ts';
import {applyDiffHunks, hunksOf} from '../../../src/text/diff/hunks.ts';

const numbered = (count: number, change = (line: string) => line) =>
  Array.from({length: count}, (_, index) => change(`line ${index}\n`)).join('');

describe('hunksOf', () => {
  it('joins changes that stand near each other, with three lines around them', () => {
    const before = numbered(30);
    const after = before.replace('line 3\n', 'three\n').replace('line 8\n', '').replace('line 20\n', 'line 20\nnew\n');
    expect(hunksOf(before, after).map(({oldStart, newStart, lines}) => [oldStart, newStart, lines.length])).toEqual([
      [0, 0, 13],
      [18, 17, 7],
    ]);
  });

  it('holds line breaks for a part of the line', () => {
    expect(hunksOf('a\r\nb\rc', 'a\nb\rc\n', 0)).toEqual([
      {
        oldStart: 0,
        newStart: 0,
        lines: [
          {type: 'removed', text: 'a\r\n'},
          {type: 'added', text: 'a\n'},
        ],
      },
      {
        oldStart: 2,
        newStart: 2,
        lines: [
          {type: 'removed', text: 'c'},
          {type: 'added', text: 'c\n'},
        ],
      },
    ]);
  });

  it('finds none where nothing changed', () => {
    expect(hunksOf('a\nb', 'a\nb')).toEqual([]);
  });
});

describe('applyHunks', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'a\r\n', '\n', 'd\r', '  e\n');
  const text = fc.tuple(fc.array(line, {maxLength: 30}), fc.constantFrom('', 'a', 'z')).map(([lines, last]) => lines.join('') + last);

  it('gives the new text for all hunks, the old one for none', () => {
    fc.assert(
      fc.property(text, text, fc.integer({min: 0, max: 4}), (before, after, contextLines) => {
        const hunks = hunksOf(before, after, contextLines);
        expect(applyDiffHunks(before, hunks, new Set(hunks.keys()))).toBe(after);
        expect(applyDiffHunks(before, hunks, new Set())).toBe(before);
      }),
    );
  });

  it('changes only what is chosen', () => {
    const before = numbered(30);
    const after = before.replace('line 3\n', 'three\r\n').replace('line 20\n', '');
    const hunks = hunksOf(before, after);
    expect(applyDiffHunks(before, hunks, new Set([0]))).toBe(before.replace('line 3\n', 'three\r\n'));
    expect(applyDiffHunks(before, hunks, new Set([1]))).toBe(before.replace('line 20\n', ''));
  });
});

describe('changedRuns', () => {
  it('is held together by lines that occur once where too much differs', () => {
    const lines = (name: string) =>
      Array.from({length: 3000}, (_, index) => (index % 1000 === 500 ? `anchor ${index}` : `${name} ${index}`));
    expect(changedRuns(lines('old'), lines('new'))).toEqual([
      {oldStart: 0, oldEnd: 500, newStart: 0, newEnd: 500},
      {oldStart: 501, oldEnd: 1500, newStart: 501, newEnd: 1500},
      {oldStart: 1501, oldEnd: 2500, newStart: 1501, newEnd: 2500},
      {oldStart: 2501, oldEnd: 3000, newStart: 2501, newEnd: 3000},
    ]);
  });

  it('gives both texts back when they are cut at the runs, also where it is coarse', () => {
    const lines = fc.array(fc.integer({min: 0, max: 900}).map(String), {minLength: 500, maxLength: 700});
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const kept = (side: readonly string[], start: 'oldStart' | 'newStart', end: 'oldEnd' | 'newEnd') => {
          const runs = changedRuns(before, after);
          return side.filter((_, index) => !runs.some((run) => run[start] <= index && index < run[end]));
        };
        expect(kept(before, 'oldStart', 'oldEnd')).toEqual(kept(after, 'newStart', 'newEnd'));
      }),
      {numRuns: 10},
    );
  });
});
