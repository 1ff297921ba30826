import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {applyPatchSet, type Patch} from '../../../src/text/edit/patch-set.ts';

const apply = (text: string, ...patches: Patch[]) => applyPatchSet(text, patches).text;
const failure = (text: string, ...patches: Patch[]) => {
  try {
    return apply(text, ...patches);
  } catch (error) {
    const {code, message, hint} = toFettleError(error);
    return {code, message, hint};
  }
};
const patch = (oldText: string, newText: string, startLine?: number, endLine?: number): Patch => ({oldText, newText, startLine, endLine});

describe('zblade tool calls › apply_patch', () => {
  it('single: exact, and an empty old text is the start of the file', () => {
    expect(apply('a\nb\n', patch('b', 'c'))).toBe('a\nc\n');
    expect(apply('a\r\nb\r\n', patch('', '#!x\n'))).toBe('#!x\r\na\r\nb\r\n');
    expect(apply('', patch('', 'a\n'))).toBe('a\n');
    expect(apply('a', patch('a', 'a'))).toBe('a');
  });

  it('an empty old text with a line: the text goes before it (insert_line of the text editor of Anthropic is the line before)', () => {
    expect(apply('a\r\nb\r\n', patch('', 'x\n', 2))).toBe('a\r\nx\r\nb\r\n');
    expect(apply('a\nb\n', patch('', 'x\n', 3))).toBe('a\nb\nx\n');
    expect(apply('a\nb', patch('', 'x\n', 3))).toBe('a\nb\nx');
    expect(apply('a\nb', patch('', 'x\n', 0))).toBe('x\na\nb');
    expect(failure('a\nb\n', patch('', 'x', 5))).toEqual({
      code: 'BAD_ARGS',
      message: 'There is no line 5: the file has 3 lines.',
      hint: undefined,
    });
  });

  it('multi: each is found in the original, in any order; what one brings in, no other sees', () => {
    expect(apply('one\ntwo\nthree\n', patch('three', 'one'), patch('one', 'two'), patch('two', 'three'))).toBe('two\nthree\none\n');
    expect(apply('abc', patch('b', ''), patch('a', 'xx'), patch('c', 'y'))).toBe('xxy');
  });

  it('replaceAll (MultiEdit of Claude Code): every place, beside other patches, as a replacement of text would', () => {
    const every = (oldText: string, newText: string): Patch => ({oldText, newText, replaceAll: true});
    expect(apply('a b\r\na c\n', every('a', 'x'), patch('c', 'd'))).toBe('x b\r\nx d\n');
    expect(failure('a a', every('z', ''))).toMatchObject({code: 'NOT_FOUND'});
    expect(failure('ab ab', every('a', 'x'), patch('b ab', 'y'))).toMatchObject({code: 'BAD_ARGS'});
    fc.assert(
      fc.property(
        fc.string({unit: fc.constantFrom('a', 'b', '\n')}),
        fc.string({unit: fc.constantFrom('a', 'b'), minLength: 1}),
        (text, old) => {
          fc.pre(text.includes(old));
          expect(apply(text, every(old, 'c'))).toBe(text.replaceAll(old, 'c'));
        },
      ),
    );
  });

  it('"start_line— optional hint": picks the occurrence on the lines, else the nearest', () => {
    const text = 'x\na\nx\nb\nx\nc\n';
    expect(apply(text, patch('x', 'X', 3, 3))).toBe('x\na\nX\nb\nx\nc\n');
    expect(apply(text, patch('x', 'X', 6))).toBe('x\na\nx\nb\nX\nc\n');
    expect(apply(text, patch('x', 'X', 1, 6))).toBe('X\na\nx\nb\nx\nc\n');
    expect(apply(text, patch('x', 'X', undefined, 5))).toBe('x\na\nx\nb\nX\nc\n');
    expect(apply(text, patch('a', 'A', 100, 200))).toBe('x\nA\nx\nb\nx\nc\n');
    expect(apply(text, patch('x', 'X', 1), patch('x', 'Y', 5))).toBe('X\na\nx\nb\nY\nc\n');
    expect(failure(text, patch('x', 'X', 2))).toMatchObject({code: 'NOT_UNIQUE'});
  });

  it('"if one patch fails validation, none are applied": all problems together (D5.7)', () => {
    expect(failure('a\nb\na\nlonger line here\n', patch('b', 'B'), patch('a', 'A'), patch('longer line there', 'x'), patch('', 'y')))
      .toMatchInlineSnapshot(`
      {
        "code": "NOT_UNIQUE",
        "hint": "Patch 2: The old text occurs 2 times: it begins on lines 1, 3.
      Add lines around it until it is unique, or replace all occurrences.
      Patch 3: The old text is not in the file. It must match exactly.
      The nearest match is line 4 (94 % alike).
      --- old text
      +++ file, line 4
      -longer line there
      +longer line here
      Patch 4: The old text is empty.
      With other patches it must name the text to replace; alone it means the start of the file.",
        "message": "3 of 4 patches do not fit the file. Nothing was changed.",
      }
    `);
  });

  it('overlapping patches, and none at all', () => {
    expect(failure('abcd', patch('abc', 'x'), patch('cd', 'y'))).toEqual({
      code: 'BAD_ARGS',
      message: '1 of 2 patches do not fit the file. Nothing was changed.',
      hint: 'Patch 2: It overlaps with patch 1.\nCombine both into one patch.',
    });
    expect(failure('abcd', patch('ab', 'x'), patch('ab', 'y'))).toMatchObject({code: 'BAD_ARGS'});
    expect(apply('abcd', patch('ab', 'x'), patch('cd', 'y'))).toBe('xy');
    expect(failure('a')).toMatchObject({code: 'BAD_ARGS', message: 'No patch was given.'});
  });

  it('one patch alone fails in the words of an exact edit', () => {
    expect(failure('a\na\n', patch('a', 'b'))).toMatchObject({code: 'NOT_UNIQUE', message: expect.stringContaining('lines 1, 2')});
    expect(failure('a\n', patch('b', 'c'))).toMatchObject({code: 'NOT_FOUND'});
  });

  it('a set and its inverse give the same text back: Unicode, mixed endings, long lines', () => {
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const body = fc.oneof(fc.string({unit: 'grapheme', maxLength: 10}), fc.constantFrom('\uDC80', '\u2028', 'é'.repeat(20_000)));
    const lines = fc.array(fc.tuple(body, ending, fc.boolean(), body), {minLength: 1, maxLength: 10});
    fc.assert(
      fc.property(lines, (rows) => {
        const clean = (text: string) => text.replace(/[\r\n]/g, '');
        const parts = rows.map(([old, end, changes, fresh], index) => ({
          old: `<${index}>${clean(old)}</${index}>`,
          fresh: `[${index}]${clean(fresh)}[/${index}]`,
          end,
          changes,
        }));
        const text = parts.map(({old, end}) => old + end).join('');
        const changed = parts.filter(({changes}) => changes);
        if (changed.length === 0) return;
        const after = apply(text, ...changed.map(({old, fresh}) => patch(old, fresh)));
        expect(after).toBe(parts.map(({old, fresh, end, changes}) => (changes ? fresh : old) + end).join(''));
        expect(apply(after, ...changed.toReversed().map(({old, fresh}) => patch(fresh, old)))).toBe(text);
      }),
    );
  });
});
