import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {choosePatch} from '../../../src/lab/self-play/choose-patch.ts';

describe('choosePatch', () => {
  it('counts only tests that fail before and pass with a patch', () => {
    expect(
      choosePatch({
        lines: [2, 2],
        before: [false, true, false],
        after: [
          [true, true, false],
          [false, true, false],
        ],
      }),
    ).toEqual({
      verdicts: ['counts', 'passes-before', 'never-passes'],
      passed: [1, 0],
      patch: 0,
    });
  });

  it('prefers the patch that passes most, then the smallest, then the first', () => {
    const choose = (lines: readonly number[], after: readonly (readonly boolean[])[]): number | undefined =>
      choosePatch({lines, before: [false, false, false], after}).patch;
    expect(
      choose(
        [1, 9],
        [
          [true, true, false],
          [true, true, true],
        ],
      ),
    ).toBe(1);
    expect(
      choose(
        [9, 3],
        [
          [true, true, true],
          [true, true, true],
        ],
      ),
    ).toBe(1);
    expect(
      choose(
        [3, 3],
        [
          [true, true, true],
          [true, true, true],
        ],
      ),
    ).toBe(0);
  });

  it('promotes nothing that fails half of the tests', () => {
    expect(
      choosePatch({
        lines: [1, 1],
        before: [false, false],
        after: [
          [true, false],
          [false, true],
        ],
      }).patch,
    ).toBeUndefined();
    expect(choosePatch({lines: [1], before: [], after: [[]]}).patch).toBeUndefined();
    expect(choosePatch({lines: [], before: [false], after: []})).toEqual({verdicts: ['never-passes'], passed: [], patch: undefined});
  });

  it('is not swayed by tests that always fail or always pass', () => {
    const row = fc.array(fc.boolean(), {minLength: 3, maxLength: 3});
    const pairs = fc.record({
      lines: fc.array(fc.nat(20), {minLength: 4, maxLength: 4}),
      before: row,
      after: fc.array(row, {minLength: 4, maxLength: 4}),
    });
    fc.assert(
      fc.property(pairs, ({lines, before, after}) => {
        const {patch} = choosePatch({lines, before, after});
        const more = choosePatch({lines, before: [...before, false, true], after: after.map((one) => [...one, false, true])});
        expect(more.patch).toBe(patch);
      }),
    );
  });
});
