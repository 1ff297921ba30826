import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {applyExactEdit} from '../../../src/text/edit/exact-edit.ts';
import {nearestMatch} from '../../../src/text/edit/nearest-match.ts';

const FILE = 'export function area(r) {\n\tif (r < 0) {\n\t\treturn "none";\n\t}\n\treturn 3.14 * r * r;\n}\n';

function hint(oldText: string, text = FILE): string {
  try {
    applyExactEdit(text, {oldText, newText: 'new', replaceAll: false});
  } catch (error) {
    if (isFettleError(error) && error.code === 'NOT_FOUND') return error.hint ?? '';
    throw error;
  }
  throw new Error('the edit was applied');
}

describe('the hint for old text that is not there (vibe tool system › search_replace)', () => {
  it('shows the nearest lines as a diff', () => {
    expect(hint('\tif (r <= 0) {\n\t\treturn "nothing";\n\t}')).toMatchInlineSnapshot(`
      "The nearest match is lines 2-4 (86 % alike).
      --- old text
      +++ file, lines 2-4
      -	if (r <= 0) {
      -		return "nothing";
      +	if (r < 0) {
      +		return "none";
       	}"
    `);
  });

  it('refuses where only the indentation differs, and says so', () => {
    expect(hint('    if (r < 0) {\n        return "none";')).toMatchInlineSnapshot(`
      "The nearest match is lines 2-3 (77 % alike). Only this differs: indentation (first: 1 tab in the file, 4 spaces in the old text).
      --- old text
      +++ file, lines 2-3
      -    if (r < 0) {
      -        return "none";
      +	if (r < 0) {
      +		return "none";"
    `);
  });

  it('names several differences', () => {
    expect(hint('  IF (r < 0) {  \n')).toMatchInlineSnapshot(`
      "The nearest match is line 2 (83 % alike). Only this differs: blanks at the end of lines, which the old text has and the file has not; indentation (first: 1 tab in the file, 2 spaces in the old text); upper and lower case.
      --- old text
      +++ file, line 2
      -  IF (r < 0) {  
      +	if (r < 0) {"
    `);
  });

  it.each([
    ['line numbers with a tab', '3\t\t\treturn "none";\n4\t\t}'],
    ['line numbers with an arrow', '    3→\t\treturn "none";\n    4→\t}'],
    ['line numbers with a colon', '3: \t\treturn "none";\n4: \t}'],
    ['a byte order mark', '\uFEFFexport function area(r) {'],
    ['a last line break too many', '\treturn 3.14 * r * r;\n}\n\n'],
    ['too much escaping', 'return \\"none\\";\\n\\t}'],
    ['HTML entities', 'if (r &lt; 0) {'],
  ])('recognises %s', (_, oldText) => {
    expect(hint(oldText)).toMatchSnapshot();
  });

  it.each([
    ['blanks at the end of a line in the file', 'a;  \nb;\n', 'a;\nb;'],
    ['blanks at the end of a line in the old text', 'a;\nb;\n', 'a;  \nb;'],
    ['blanks inside', 'a  =\tb;\n', 'a = b;'],
    ['no-break space', 'a\u00a0= b;\n', 'a = b;'],
    ['case', 'Const A = 1;\n', 'const a = 1;'],
    ['typographic quotes', 'say(“hello”);\n', 'say("hello");'],
    ['decomposed characters', 'cafe\u0301 = 1;\n', 'caf\u00e9 = 1;'],
    ['stray bytes', 'na\uDCEFve = true; // é\n', 'na\uFFFDve = true;'],
    ['a file without final newline', 'last line', 'last line\n'],
  ])('says what exactly differs: %s', (_, text, oldText) => {
    expect(hint(oldText, text)).toMatchSnapshot();
  });

  it('says that nothing is alike where nothing is', () => {
    expect(hint('zzz qqq www')).toBe('Nothing in the file resembles it. Read the file again and copy the text from there.');
    expect(hint('a', '')).toContain('Nothing in the file');
    expect(hint('\t\t\t\t\t', 'a')).toContain('Nothing in the file');
  });

  it('stays short', () => {
    const lines = Array.from({length: 500}, (_, index) => `some line number ${index} ${'x'.repeat(500)}`);
    const asked = lines.map((line, index) => (index % 3 === 0 ? line.replace('some', 'sum') : line)).join('\n');
    expect(hint(asked, lines.join('\n')).length).toBeLessThan(10_000);
  });
});

describe('nearestMatch', () => {
  it('finds a part of a line', () => {
    expect(nearestMatch(FILE, 'return 3.1415 * r')).toEqual({
      firstLine: 5,
      lines: ['\treturn 3.14 * r * r;'],
      similarity: 1 - 2 / 17,
    });
  });

  it('prefers the place with most lines in common', () => {
    const text = 'if (a) {\n  one();\n}\nif (b) {\n  two();\n  three();\n}\n';
    expect(nearestMatch(text, 'if (a) {\n  two();\n  three();\n}')).toMatchObject({firstLine: 4});
  });

  it('stays in the file where the old text is longer than it', () => {
    expect(nearestMatch('first line\nsecond line', 'zero\nfirst line\nsecond line\nthird')).toMatchObject({
      firstLine: 1,
      lines: ['first line', 'second line'],
    });
  });
});
