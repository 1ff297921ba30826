import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {stopFrom} from '../../../../src/hosts/tui/editor/atoms.ts';
import {edit} from '../../../../src/hosts/tui/editor/edit.ts';
import type {InputState} from '../../../../src/hosts/tui/editor/editor-state.ts';
import {NEW_VIM, vimKey, type VimEditor} from '../../../../src/hosts/tui/editor/vim.ts';
import {editorAt, shown} from './typed.ts';

/** Keys as a person types them; `␛` is Esc, `␒` Ctrl-R. What vim does not take is typed. */
function press(start: VimEditor, keys: string): VimEditor {
  return Array.from(keys).reduce((both, key) => {
    const input = key === '␛' ? {name: 'escape'} : key === '␒' ? {name: 'ctrl+r'} : {name: key, text: key};
    const next = vimKey(both, {type: 'key', ...input}, 80);
    return next ?? {...both, editor: key === '␛' || key === '␒' ? both.editor : edit(both.editor, {type: 'insert', text: key})};
  }, start);
}

const normal = (marked: string): VimEditor => ({vim: {...NEW_VIM, mode: 'normal'}, editor: editorAt(marked)});

describe('vim keys in normal mode', () => {
  it.each([
    ['|one two', 'w', 'one |two'],
    ['|one, two', 'w', 'one|, two'],
    ['|one two three', '2w', 'one two |three'],
    ['|one two', 'e', 'on|e two'],
    ['one tw|o', 'b', 'one |two'],
    ['one| two', 'l', 'one |two'],
    ['one tw|o', 'l', 'one tw|o'],
    ['a\n|b', 'h', 'a\n|b'],
    ['  on|e', '0', '|  one'],
    ['  on|e', '^', '  |one'],
    ['|one\ntwo', '$', 'on|e\ntwo'],
    ['|one\ntwo\nthree', 'j', 'one\n|two\nthree'],
    ['one\nt|wo', 'k', 'o|ne\ntwo'],
    ['|one\ntwo\nthree', 'G', 'one\ntwo\n|three'],
    ['|one\ntwo\nthree', '2G', 'one\n|two\nthree'],
    ['one\ntw|o', 'gg', '|one\ntwo'],
    ['|a.b.c', 'f.', 'a|.b.c'],
    ['|a.b.c', '2f.', 'a.b|.c'],
    ['|a.b.c', 't.;', 'a.|b.c'],
    ['|a.b.c', 'f.;,', 'a|.b.c'],
    ['a.b.|c', 'F.', 'a.b|.c'],
    ['a.b|b.c', 'T.', 'a.|bb.c'],
    ['|abc', 'fx', '|abc'],
    ['|one two', 'dw', '|two'],
    ['one |two\nx', 'dw', 'one| \nx'],
    ['|one two three', 'd2w', '|three'],
    ['|one two', 'de', '| two'],
    ['one t|wo', 'd0', '|wo'],
    ['one |two', 'd$', 'one| '],
    ['one t|wo x', 'diw', 'one | x'],
    ['|a.b.c', 'dt.', '|.b.c'],
    ['|a.b.c', 'df.', '|b.c'],
    ['one\nt|wo\nthree', 'dd', 'one\n|three'],
    ['one\nt|wo', 'dd', '|one'],
    ['o|ne\ntwo\nthree', '2dd', '|three'],
    ['o|ne\ntwo\nthree', 'dj', '|three'],
    ['o|ne', 'dd', '|'],
    ['o|ne', 'cc', '|'],
    ['one\nt|wo\nx', 'ccnew␛', 'one\nne|w\nx'],
    ['|one two', 'cwnew␛', 'ne|w two'],
    ['|one two', 'x', '|ne two'],
    ['|one', '2x', '|e'],
    ['on|e', '5x', 'o|n'],
    ['on|e', 'X', 'o|e'],
    ['one| two', 'D', 'on|e'],
    ['one| two', 'C!␛', 'one|!'],
    ['o|ne\ntwo', 'yyp', 'one\n|one\ntwo'],
    ['one\nt|wo', 'yyP', 'one\n|two\ntwo'],
    ['|ab', 'xp', 'b|a'],
    ['|one two', 'yiwP', 'on|eone two'],
    ['|abc', 'rx', '|xbc'],
    ['|abc', '2rx', 'x|xc'],
    ['|a', '2rx', '|a'],
    ['a|b', 'ix␛', 'a|xb'],
    ['a|b', 'ax␛', 'ab|x'],
    ['  a|b', 'Ix␛', '  |xab'],
    ['|ab', 'Ax␛', 'ab|x'],
    ['|ab\nc', 'ox␛', 'ab\n|x\nc'],
    ['ab\n|c', 'Ox␛', 'ab\n|x\nc'],
    ['|a b c', 'dw.', '|c'],
    ['|a b c', 'cwx␛w.', 'x |x c'],
    ['|a\nb', 'A!␛j.', 'a!\nb|!'],
    ['|', '3ix␛', 'xx|x'],
    ['|b', '2ax-␛', 'bx-x|-'],
    ['|b', '2Axy␛', 'bxyx|y'],
    ['b|c', '2Ix␛', 'x|xbc'],
    ['|a\nb', '2ox␛', 'a\nx\n|x\nb'],
    ['a\n|b', '2Ox␛', 'a\nx\n|x\nb'],
    ['|a', '2ix␛.', 'xx|xxa'],
    ['|abcdef', 'x3.', '|ef'],
    ['|a b c d', 'dw2.', '|d'],
    ['|a', 'ix␛3.', 'xx|xxa'],
    ['|ab', 'yl3p', 'aaa|ab'],
    ['|a\nb', 'yy2p', 'a\n|a\na\nb'],
    ['|one two three', 'cwx y␛u', '|one two three'],
    ['|one two three', 'cwx y␛wcwz␛uu␒', 'x y |two three'],
    ['|one two', 'cwx␛w.u', 'x |two'],
    ['|a b', 'xu', '|a b'],
    ['|a b', 'xu␒', '| b'],
    ['|a b', 'd␛x', '| b'],
    ['|a b', 'dzx', '| b'],
    ['|👩‍👩‍👧x', 'x', '|x'],
  ])('%j %s is %j', (before, keys, wanted) => {
    expect(shown(press(normal(before), keys).editor)).toBe(wanted);
  });

  it('leaves pastes, Enter and a second Esc to the key map', () => {
    const start = normal('|a');
    const inputs = [
      {type: 'paste', text: 'x'} as const,
      ...['enter', 'escape', 'ctrl+c', 'alt+b'].map((name) => ({type: 'key', name}) as const),
    ];
    expect(inputs.map((input) => vimKey(start, input, 80))).toEqual(inputs.map(() => undefined));
  });

  it.each([
    ['a\n|b', 'j', 1],
    ['|a\nb', 'k', -1],
    ['|a\nb', 'j', undefined],
    ['a\n|b', 'dj', undefined],
    ['|a\nb', '9j', undefined],
  ])('%j %s: at the edge the host may go to its history', (before, keys, edge) => {
    expect(press(normal(before), keys).edge).toBe(edge);
  });

  it('long words, and large counts, are no reason to wait', {timeout: 5000}, () => {
    const long = `|${'é'.repeat(20_000)} ${'x'.repeat(20_000)}`;
    const {editor} = press(normal(long), 'wbe1000w1000b9yiw999p');
    expect(editor.text.length).toBe(60_001);
  });

  it('any keys: the cursor stands on a character, and undo goes back to the start', () => {
    const keys = fc.string({unit: fc.constantFrom(...Array.from('hjklwbe0^$gGiaIAoOxXdDcCypPurfFtT;,.23 ␛␒xé日')), maxLength: 30});
    fc.assert(
      fc.property(keys, fc.constantFrom('|', '|one two\n\nthree 日本 👩‍👩‍👧', 'a\n|e\u0301\n'), (typed, start) => {
        const {editor} = press(normal(start), `${typed}␛␛`);
        expect(stopFrom(editor, editor.cursor)).toBe(editor.cursor);
        const behind = editor.text.charAt(editor.cursor);
        const before = editor.text.charAt(editor.cursor - 1);
        expect((behind === '' || behind === '\n') && before !== '' && before !== '\n').toBe(false);
        const back = editor.undo.reduce<InputState>((state) => edit(state, {type: 'undo'}), editor);
        expect(back.text).toBe(start.replace('|', ''));
      }),
    );
  });
});
