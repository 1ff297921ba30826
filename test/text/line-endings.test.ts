import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {endingFinder, lineBreaks, plainBreaks, splitLines, toEnding} from '../../src/text/line-endings.ts';

const mixedText = fc.array(fc.constantFrom('a', 'b', '', '\n', '\r\n', '\r', '\u2028', '\f')).map((parts) => parts.join(''));

describe('line endings', () => {
  it('splits at LF, CRLF and CR only; form feed, U+2028 and U+0085 are part of a line', () => {
    expect(splitLines('a\nb\r\nc\rd\fe\u2028f\u0085g\n')).toEqual(['a', 'b', 'c', 'd\fe\u2028f\u0085g']);
    expect(splitLines('')).toEqual([]);
    expect(splitLines('\n\n')).toEqual(['', '']);
    expect(lineBreaks('a\nb\r\nc\rd')).toEqual(['\n', '\r\n', '\r']);
    expect(toEnding('a\nb\r\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\r\nd');
  });

  it('knows for each place of the plain text the place in the original (property)', () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const plain = plainBreaks(text);
        for (let at = 0; at <= plain.text.length; at++) {
          const original = plain.originalOffset(at);
          expect(toEnding(text.slice(0, original), '\n')).toBe(plain.text.slice(0, at));
        }
      }),
    );
  });

  it('finds the ending around a place: its own line, for the last line the line before', () => {
    const find = endingFinder('a\r\nb\nc\rd');
    expect([0, 1, 3, 4, 5, 6, 7, 8].map(find)).toEqual(['\r\n', '\r\n', '\n', '\n', '\r', '\r', '\r', '\r']);
    expect(endingFinder('abc')(1)).toBeUndefined();
    expect(endingFinder('a\r\nb')(3)).toBe('\r\n');
    expect(endingFinder('a\rb\nc')(4)).toBe('\n');
  });
});
