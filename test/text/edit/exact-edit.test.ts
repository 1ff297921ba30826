import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {applyExactEdit} from '../../../src/text/edit/exact-edit.ts';

const edit = (text: string, oldText: string, newText: string, replaceAll = false) => applyExactEdit(text, {oldText, newText, replaceAll});
const failure = (text: string, oldText: string, newText = 'x') => {
  try {
    edit(text, oldText, newText);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('applyExactEdit', () => {
  it('replaces one place and says on which lines the new text stands (microcode tools › edit)', () => {
    expect(edit('one\ntwo\nthree\n', 'two', 'zwei\nzweieinhalb')).toEqual({
      text: 'one\nzwei\nzweieinhalb\nthree\n',
      replacements: 1,
      spans: [{firstLine: 2, lastLine: 3}],
    });
  });

  it('replaces all places from left to right, without overlaps (microcode tools › edit)', () => {
    expect(edit('a\na\nb\naaa\n', 'a', 'x\ny', true)).toEqual({
      text: 'x\ny\nx\ny\nb\nx\nyx\nyx\ny\n',
      replacements: 5,
      spans: [
        {firstLine: 1, lastLine: 2},
        {firstLine: 3, lastLine: 4},
        {firstLine: 6, lastLine: 7},
        {firstLine: 7, lastLine: 8},
        {firstLine: 8, lastLine: 9},
      ],
    });
    expect(edit('aaaa', 'aa', 'b', true).text).toBe('bb');
  });

  it('takes the replacement literally: $&, $1 and back-slashes mean nothing', () => {
    expect(edit('f(a)', 'a', '$&$1\\n$$').text).toBe('f($&$1\\n$$)');
  });

  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', 'a\nb\n', 'a\nX\nb\n', 'a\r\nX\r\nb\r\nc\r\n'],
    ['CRLF, asked for with CRLF', 'a\r\nb\r\n', 'a\r\nb', 'A\r\nB', 'A\r\nB\r\n'],
    ['LF, asked for with CRLF', 'a\nb\n', 'a\r\nb', 'A\r\nB', 'A\nB\n'],
    ['CR only', 'a\rb\rc', 'a\nb', 'a\nX\nb', 'a\rX\rb\rc'],
    ['mixed, one line', 'a\r\nb\nc\r\n', 'b', 'B', 'a\r\nB\nc\r\n'],
    ['mixed, one line that becomes two', 'a\r\nb\nc\r\n', 'b', 'B\nBB', 'a\r\nB\nBB\nc\r\n'],
    ['mixed, kept lines keep their endings', 'a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nX\nb\nY\nZ\nd', 'a\r\nX\r\nb\nY\r\nZ\r\nd\n'],
    ['mixed, a line less', 'a\r\nb\nc\r\nd', 'a\nb\nc\n', 'a\nc\n', 'a\r\nc\r\nd'],
    ['mixed, all lines new', 'a\r\nb\nc\r\n', 'a\nb\nc', 'x\ny\nz', 'x\r\ny\nz\r\n'],
    ['new lines at the end of a CRLF file without final newline', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['a file without any line break: the ending as given', 'a', 'a', 'a\r\nb', 'a\r\nb'],
    ['a line break alone', 'a\r\nb', '\n', ', ', 'a, b'],
    ['a file of one line break', '\r\n', '\n', '\n\n', '\r\n\r\n'],
    ['no final newline is added', 'a\nb', 'b', 'c', 'a\nc'],
    ['a final newline goes only if it is named', 'a\nb\n', 'b\n', 'c', 'a\nc'],
    ['form feed, U+2028 and emoji', 'x\f\u2028😀y\r\n', '\u2028😀', '👍🏽\n', 'x\f👍🏽\r\ny\r\n'],
    ['whitespace-only text', 'a\tb  c', '  ', ' ', 'a\tb c'],
    ['stray bytes beside it', 'é\uDCE9 a\uDCFF\n', ' a', ' b', 'é\uDCE9 b\uDCFF\n'],
    ['NUL characters', 'a\0b', '\0', ' ', 'a b'],
    ['everything', 'abc\n', 'abc\n', '', ''],
  ])('endings and bytes: %s', (_, text, oldText, newText, result) => {
    expect(edit(text, oldText, newText).text).toBe(result);
  });

  it('refuses an empty old text, and an edit that changes nothing', () => {
    expect(failure('a', '')).toMatchObject({code: 'BAD_ARGS'});
    expect(failure('a', 'a', 'a')).toMatchObject({code: 'BAD_ARGS'});
    expect(failure('a\r\nb', 'a\nb', 'a\r\nb')).toMatchObject({code: 'BAD_ARGS'});
  });

  it('refuses several places and names their lines (zblade tool calls › apply_patch)', () => {
    expect(failure('a\nb\na\r\nc\ra', 'a')).toMatchObject({
      code: 'NOT_UNIQUE',
      message: 'The old text occurs 3 times: it begins on lines 1, 3, 5. Nothing was changed.',
    });
    expect(failure('a\n'.repeat(14), 'a')).toMatchObject({
      message: expect.stringContaining('lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 more'),
    });
    expect(failure('a\nb\r\na\r\nb', 'a\nb')).toMatchObject({code: 'NOT_UNIQUE'});
    expect(failure('}\n}\n}\n', '}\n}\n')).toMatchObject({code: 'NOT_UNIQUE'});
  });

  it('changes nothing outside of the place (property)', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\r', '😀', '\uDCE9')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, (before, after, newText) => {
        fc.pre(!(before.endsWith('\r') && after.startsWith('\n')));
        const edited = edit(`${before}<old>${after}`, '<old>', newText);
        expect(edited.text.startsWith(before)).toBe(true);
        expect(edited.text.endsWith(after)).toBe(true);
        const inserted = edited.text.slice(before.length, edited.text.length - after.length);
        expect(inserted.replace(/\r\n?/g, '\n')).toBe(newText.replace(/\r\n?/g, '\n'));
      }),
    );
  });

  it('does to the text what a plain replacement does to the text with plain breaks (property)', () => {
    const ending = fc.constantFrom('\n', '\r\n');
    const line = fc.constantFrom('a', 'b', '');
    const text = fc.array(fc.tuple(line, ending)).map((lines) => lines.flat().join(''));
    const plainText = fc.array(fc.constantFrom('a', 'b', '\n'), {minLength: 1, maxLength: 5}).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, plainText, plainText, (file, oldText, newText) => {
        const plain = file.replaceAll('\r\n', '\n');
        fc.pre(oldText !== newText && plain.includes(oldText));
        const edited = edit(file, oldText, newText, true);
        expect(edited.text.replaceAll('\r\n', '\n')).toBe(plain.replaceAll(oldText, newText));
        const lines = edited.text.split(/\r?\n/);
        for (const {firstLine, lastLine} of edited.spans) {
          expect(lines.slice(firstLine - 1, lastLine).join('\n')).toContain(newText.replace(/\n$/, ''));
        }
      }),
      {numRuns: 1000},
    );
  });
});

describe('applyExactEdit on large and hostile texts', () => {
  it.each<[string, string, string]>([
    ['repetitive text', 'a'.repeat(5e6), `${'a'.repeat(1e5)}b${'a'.repeat(1e5)}`],
    ['blanks', `${' '.repeat(2e6)}x${' '.repeat(2e6)}`, `${' '.repeat(1e5)}y`],
    ['empty lines', '\n'.repeat(5e6), `${'\n'.repeat(1e5)}y`],
    ['CR and LF in turn', '\r\n'.repeat(2e6), `${'\n'.repeat(1e5)}y`],
    ['many equal lines', 'const a = 1;\n'.repeat(4e5), `${'const a = 1;\n'.repeat(2e4)}const b = 1;`],
    ['one long line', 'ab'.repeat(2.5e6), `${'ab'.repeat(1e5)}c`],
  ])('stays bounded: %s', {timeout: 30_000}, (_, text, oldText) => {
    expect(failure(text, oldText)).toMatchObject({code: 'NOT_FOUND'});
  });
});
