import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {applyRangeEdits, textOfRange} from '../../../src/code/edits/range-edits.ts';

const range = (line: number, from: number, to: number) => ({start: {line, character: from}, end: {line, character: to}});

describe('applyRangeEdits', () => {
  it('changes the ranges that are named and nothing else, in any order', () => {
    const edits = [
      {range: range(2, 0, 1), newText: 'third'},
      {range: range(0, 1, 1), newText: '+'},
    ];
    expect(applyRangeEdits('ab\r\nc\nd\r\n', edits)).toBe('a+b\r\nc\nthird\r\n');
  });

  it('new lines end like those around them', () => {
    expect(applyRangeEdits('a\r\nb\r\n', [{range: range(1, 0, 0), newText: 'x\ny\n'}])).toBe('a\r\nx\r\ny\r\nb\r\n');
  });

  it('STALE for a place that the text does not have, BAD_ARGS for two that overlap', () => {
    expect(codeOf(() => applyRangeEdits('a\nb', [{range: range(0, 2, 2), newText: ''}]))).toBe('STALE');
    expect(codeOf(() => applyRangeEdits('a\nb', [{range: range(5, 0, 0), newText: ''}]))).toBe('STALE');
    const twice = [
      {range: range(0, 0, 2), newText: ''},
      {range: range(0, 1, 3), newText: ''},
    ];
    expect(codeOf(() => applyRangeEdits('abc', twice))).toBe('BAD_ARGS');
  });

  it('what stands outside of a range is byte for byte what it was', () => {
    const line = fc.string({unit: fc.constantFrom('a', 'b', '\t', 'é', '😀', '\r')});
    const ending = fc.constantFrom('\n', '\r\n');
    const text = fc.array(fc.tuple(line, ending), {minLength: 1, maxLength: 8}).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(), (given, a, b) => {
        const row = a % given.split('\n').length;
        const chars = given.split('\n')[row] ?? '';
        const usable = chars.endsWith('\r') ? chars.length - 1 : chars.length;
        const from = usable === 0 ? 0 : b % (usable + 1);
        const start = given.split('\n').slice(0, row).join('\n').length + (row === 0 ? 0 : 1) + from;
        expect(applyRangeEdits(given, [{range: range(row, from, from), newText: 'X'}])).toBe(
          `${given.slice(0, start)}X${given.slice(start)}`,
        );
        expect(textOfRange(given, range(row, 0, from))).toBe(given.slice(start - from, start));
      }),
    );
  });
});

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return toFettleError(error).code;
  }
}
