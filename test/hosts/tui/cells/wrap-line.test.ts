import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Line} from '../../../../src/hosts/tui/cells/line.ts';
import {lineWidth, wrapLine} from '../../../../src/hosts/tui/cells/wrap-line.ts';

const plain = (text: string): Line => [{text}];
const texts = (rows: readonly Line[]): readonly string[] => rows.map((row) => row.map(({text}) => text).join(''));

describe('wrapLine', () => {
  it('breaks at blanks, and puts the indent in front of every row but the first', () => {
    expect(texts(wrapLine(plain('one two three four'), 9, plain('  ')))).toEqual(['one two', '  three', '  four']);
  });

  it('moves a word to the next row only where the indent leaves it room, else breaks it where it stands', () => {
    expect(texts(wrapLine(plain('a bcdefghij'), 8, plain('   ')))).toEqual(['a bcdefg', '   hij']);
    expect(texts(wrapLine(plain('a bcdef'), 6, plain(' ')))).toEqual(['a', ' bcdef']);
    expect(texts(wrapLine(plain('a 宽宽宽'), 7, plain(' ')))).toEqual(['a', ' 宽宽宽']);
    expect(texts(wrapLine(plain('a 宽宽宽'), 7, plain('  ')))).toEqual(['a 宽宽', '  宽']);
  });

  it('leaves out an indent beside which no wide character has room', () => {
    expect(texts(wrapLine(plain('ab宽'), 3, plain('  ')))).toEqual(['ab', '宽']);
  });

  it('makes no row wider than the width, and loses nothing but blanks', () => {
    const word = fc.string({unit: fc.constantFrom('a', 'b', ' ', '宽', '👩‍💻', 'é', '\u200b', '-'), maxLength: 60});
    const line = fc.array(fc.record({text: word}, {requiredKeys: ['text']}), {maxLength: 4});
    fc.assert(
      fc.property(line, fc.integer({min: 2, max: 40}), fc.integer({min: 0, max: 40}), (spans, width, indent) => {
        const rows = wrapLine(spans, width, plain('>'.repeat(indent)));
        expect(rows.filter((row) => lineWidth(row) > width)).toEqual([]);
        expect(texts(rows).join('').replaceAll(/[ >]/g, '')).toBe(texts([spans]).join('').replaceAll(' ', ''));
      }),
    );
  });
});
