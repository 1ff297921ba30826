import {describe, expect, it} from 'vitest';
import {plainText, span} from '../../../../src/hosts/tui/cells/line.ts';
import {layoutEditor} from '../../../../src/hosts/tui/editor/layout-editor.ts';
import {edit} from '../../../../src/hosts/tui/editor/edit.ts';
import {EMPTY_EDITOR} from '../../../../src/hosts/tui/editor/editor-state.ts';
import {editorAt, paste} from './typed.ts';

/** Rows with a `|` at the cursor's column, of texts whose characters are one column wide. */
function rows(marked: string, width: number, maxRows = 99): readonly string[] {
  const {lines, cursor} = layoutEditor(editorAt(marked), {width, maxRows});
  return lines.map((line, row) => {
    const text = plainText(line);
    return row === cursor.row ? `${text.slice(0, cursor.column)}|${text.slice(cursor.column)}` : text;
  });
}

describe('layoutEditor', () => {
  it.each([
    ['an empty text is one row', '|', 9, ['|']],
    ['words stay whole', 'one two three|', 8, ['one two ', 'three|']],
    ['the last column is for a blank', 'abcde f|', 6, ['abcde ', 'f|']],
    ['which ends the row at the end, too', 'abcde |', 6, ['abcde ', '|']],
    ['and for the cursor', 'abcde|', 6, ['abcde|']],
    ['a longer word is broken', 'abcdefgh|', 6, ['abcde', 'fgh|']],
    ['between rows the cursor begins the second', 'abcde|fgh', 6, ['abcde', '|fgh']],
    ['empty lines', 'a\n\n|\nb', 6, ['a', '', '|', 'b']],
    ['tabs are 4 blanks', 'a\tb|', 9, ['a    b|']],
    ['controls and what turns directions are spelled', 'a\x1b|b\u202ec', 20, ['a\\u001b|b\\u202ec']],
    ['a mark without a letter gets its circle', '\u0301|x', 9, ['◌\u0301|x'.replace('◌\u0301|', '◌|\u0301')]],
    ['Hebrew stays in the order of the text', 'שלום|!', 9, ['שלום|!']],
    ['one column', 'ab|', 1, ['a', '|b']],
  ])('%s', (_, marked, width, wanted) => {
    expect(rows(marked, width)).toEqual(wanted);
  });

  it('a wide character that does not fit goes to the next row; one that never fits is a `?`', () => {
    const wide = (width: number): readonly string[] => layoutEditor(editorAt('a日本|語'), {width, maxRows: 9}).lines.map(plainText);
    expect([wide(5), wide(4), wide(2)]).toEqual([
      ['a日', '本語'],
      ['a日', '本', '語'],
      ['a', '?', '?', '?'],
    ]);
    expect(layoutEditor(editorAt('a日本|語'), {width: 5, maxRows: 9}).cursor).toEqual({row: 1, column: 2});
  });

  it('a marker is one word with a look of its own, and what is spelled out another', () => {
    const state = edit(editorAt('see this: \u200b|'), paste('x\n'.repeat(32)));
    expect(layoutEditor(state, {width: 24, maxRows: 9}).lines).toEqual([
      [span('see this: '), span('\\u200b', 'dim')],
      [span('[paste 1: 32 lines]', 'accent')],
    ]);
  });

  it('the prompt stands in front of the first row; the others are indented', () => {
    const frame = {width: 12, maxRows: 9, prompt: [span('› ', 'accent')]};
    expect(layoutEditor(editorAt('one two three|'), frame)).toEqual({
      lines: [
        [span('› ', 'accent'), span('one two ')],
        [span('  '), span('three')],
      ],
      cursor: {row: 1, column: 7},
      above: 0,
      below: 0,
    });
    expect(layoutEditor(EMPTY_EDITOR, {...frame, width: 6})).toEqual({lines: [[]], cursor: {row: 0, column: 0}, above: 0, below: 0});
  });

  it('scrolls so that the cursor is seen', () => {
    const text = Array.from('0123456789').join('\n');
    const at = (cursor: number): unknown => {
      const {lines, ...rest} = layoutEditor({...EMPTY_EDITOR, text, cursor}, {width: 9, maxRows: 4});
      return [lines.map(plainText).join(''), rest];
    };
    expect([at(0), at(10), at(19)]).toEqual([
      ['0123', {cursor: {row: 0, column: 0}, above: 0, below: 6}],
      ['3456', {cursor: {row: 2, column: 0}, above: 3, below: 3}],
      ['6789', {cursor: {row: 3, column: 1}, above: 6, below: 0}],
    ]);
  });
});
