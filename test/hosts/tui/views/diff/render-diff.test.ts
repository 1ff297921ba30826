import fc from 'fast-check';
import {beforeAll, describe, expect, it} from 'vitest';
import {lineWidth} from '../../../../../src/hosts/tui/cells/wrap-line.ts';
import {loadLanguage} from '../../../../../src/hosts/tui/views/code/highlight-code.ts';
import {renderDiff, type ShownDiff} from '../../../../../src/hosts/tui/views/diff/render-diff.ts';
import {notation} from '../notation.ts';

beforeAll(() => loadLanguage('ts'));

const CODE = Array.from({length: 12}, (_, index) => `const a${index} = ${index};\n`).join('');
const CHANGED: ShownDiff = {
  path: 'src/a.ts',
  before: CODE,
  after: CODE.replace('const a5 = 5;\n', "const a5 = 'five and some more text that does not fit';\nlet b;\n"),
};
const shown = (diff: ShownDiff, width: number, contextLines?: number) => notation(renderDiff(diff, {width, contextLines}));

describe('renderDiff', () => {
  it('shows numbers, signs, changed words and the colours of code', () => {
    expect(shown(CHANGED, 100, 1)).toMatchInlineSnapshot(`
      "{bold:src/a.ts}{added: +2}{removed: −1}
      {dim:5 5 }  {keyword:const} a4 = {number:4};
      {dim:6   }{removed:- }{removed+keyword:const}{removed: a5 = }{removed+number:5}{removed:;}
      {dim:  6 }{added:+ }{added+keyword:const}{added: a5 = }{added+string:'five and some more text that does not fit'}{added:;}
      {dim:  7 }{added:+ }{added+keyword:let}{added: b;}
      {dim:7 8 }  {keyword:const} a6 = {number:6};"
    `);
    expect(shown(CHANGED, 40, 1)).toMatchInlineSnapshot(`
      "{bold:src/a.ts}{added: +2}{removed: −1}
      {dim:5 5 }  {keyword:const} a4 = {number:4};
      {dim:6   }{removed:- }{removed+keyword:const}{removed: a5 = }{removed+number:5}{removed:;}
      {dim:  6 }{added:+ }{added+keyword:const}{added: a5 = }{added+string:'five and some more}
            {added+string:text that does not fit'}{added:;}
      {dim:  7 }{added:+ }{added+keyword:let}{added: b;}
      {dim:7 8 }  {keyword:const} a6 = {number:6};"
    `);
  });

  const cases: readonly (readonly [string, ShownDiff, string])[] = [
    ['a new file', {path: 'a', before: undefined, after: 'x\n'}, '{bold:a}{dim: (new file)}{added: +1}\n{dim:  1 }{added:+ }{added:x}'],
    [
      'a deleted file',
      {path: 'a', before: 'x\n', after: undefined},
      '{bold:a}{dim: (deleted)}{removed: −1}\n{dim:1   }{removed:- }{removed:x}',
    ],
    ['a renamed file', {path: 'b', from: 'a', before: 'x', after: 'x'}, '{bold:a → }{bold:b}{dim: (renamed)}'],
    ['a binary file', {path: 'a', before: '\0', after: '\0\0'}, '{bold:a}\n{dim:Binary file: its content is not shown.}'],
    [
      'a missing line break at the end',
      {path: 'a', before: 'x', after: 'x\n'},
      '{bold:a}{added: +1}{removed: −1}\n{dim:1   }{removed:- }{removed:x}\n      {dim:\\ No newline at end of file}\n{dim:  1 }{added:+ }{added:x}',
    ],
    [
      'changed line breaks',
      {path: 'a', before: 'x\r\n', after: 'x\n'},
      '{bold:a}{added: +1}{removed: −1}\n{dim:1   }{removed:- }{removed:x}{dim:␍}\n{dim:  1 }{added:+ }{added:x}',
    ],
    [
      'changed words only in lines that are alike',
      {path: 'a', before: 'one two three\n', after: 'one 2 three\n'},
      '{bold:a}{added: +1}{removed: −1}\n{dim:1   }{removed:- }{removed:one }{removed+removedPart:two}{removed: three}\n' +
        '{dim:  1 }{added:+ }{added:one }{added+addedPart:2}{added: three}',
    ],
    [
      'hostile text',
      {path: '\u001b[2Ja', before: '', after: '\u001b]0;x\u0007\ty\u202e\n'},
      '{bold:a}{added: +1}\n{dim:  1 }{added:+ }{added:    y\\u202e}',
    ],
  ];
  it.each(cases)('shows %s', (_, diff, rows) => {
    expect(shown(diff, 60)).toBe(rows);
  });

  it('is cut at 500 rows', () => {
    const rows = renderDiff({path: 'a', before: '', after: 'x\n'.repeat(1000)}, {width: 40});
    expect([rows.length, notation(rows.slice(-1))]).toEqual([501, '{dim:… 501 more lines}']);
  });

  it('has no row wider than the screen', () => {
    const text = fc.array(fc.constantFrom('ab ', '漢字', '\t', '\n', 'x'.repeat(30), '\r\n', 'e\u0301', '\u202e'), {maxLength: 30});
    fc.assert(
      fc.property(text, text, fc.integer({min: 10, max: 200}), (before, after, width) => {
        const rows = renderDiff({path: 'some/long/name.ts', before: before.join(''), after: after.join('')}, {width});
        expect(Math.max(...rows.map(lineWidth))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
