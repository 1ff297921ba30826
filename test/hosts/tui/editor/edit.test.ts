import {describe, expect, it} from 'vitest';
import {edit, emptied} from '../../../../src/hosts/tui/editor/edit.ts';
import {EMPTY_EDITOR} from '../../../../src/hosts/tui/editor/editor-state.ts';
import {submittedText} from '../../../../src/hosts/tui/editor/paste-marker.ts';
import {after, cut, editorAt, insert, move, paste, redo, remove, shown, undo, vertical, yank, yankEarlier} from './typed.ts';

const FAMILY = '👩‍👩‍👧';
const LONG = Array.from({length: 32}, (_, index) => `line ${index}`).join('\n');

describe('moving and deleting', () => {
  it.each([
    ['a|b', move('left'), '|ab'],
    ['|ab', move('left'), '|ab'],
    ['ab|', move('right'), 'ab|'],
    ['a\n|b', move('left'), 'a|\nb'],
    [`x|${FAMILY}y`, move('right'), `x${FAMILY}|y`],
    ['e\u0301|x', move('left'), '|e\u0301x'],
    ['🇩🇪🇫🇷|', move('left'), '🇩🇪|🇫🇷'],
    ['one two.three|', move('wordLeft'), 'one two.|three'],
    ['one |two', move('wordLeft'), '|one two'],
    ['one| two_2.x', move('wordRight'), 'one two_2|.x'],
    ['one|\n  two', move('wordRight'), 'one\n  two|'],
    ['one|...', move('wordRight'), 'one...|'],
    ['|我喜欢编程', move('wordRight'), '我|喜欢编程'],
    ['می‌خواهم|', move('wordLeft'), '|می‌خواهم'],
    ['one\ntw|o', move('lineStart'), 'one\n|two'],
    ['o|ne\ntwo', move('lineEnd'), 'one|\ntwo'],
    ['\n|\n', move('lineEnd'), '\n|\n'],
    ['one\ntw|o', move('textStart'), '|one\ntwo'],
    ['o|ne\ntwo', move('textEnd'), 'one\ntwo|'],
    [`x${FAMILY}|`, remove('left'), 'x|'],
    [`|${FAMILY}x`, remove('right'), '|x'],
    ['|x', remove('left'), '|x'],
    ['a|\nb', remove('right'), 'a|b'],
    ['a|x\u0301', insert('e'), 'ae|x\u0301'],
    ['a|\u0301', insert('e'), 'ae\u0301|'],
    ['🇩|x🇪', remove('right'), '🇩🇪|'],
    ['|', insert('a\r\nb\rc'), 'a\nb\nc|'],
  ])('%j %j is %j', (before, action, wanted) => {
    expect(shown(edit(editorAt(before), action))).toBe(wanted);
  });

  it('`set` can be undone, and puts the cursor between graphemes', () => {
    const state = edit(editorAt('draft|'), {type: 'set', text: 'e\u0301x', cursor: 1});
    expect([shown(state), shown(edit(state, undo))]).toEqual(['e\u0301|x', 'draft|']);
  });
});

describe('moving over wrapped rows', () => {
  // Six columns: the last one is for the cursor.
  it.each([
    ['by the rows shown', -1, 'one two |three', ['one |two three', '|one two three', '|one two three']],
    ['the column is kept over a short row', 1, 'abcd|\nx\nefgh', ['abcd\nx|\nefgh', 'abcd\nx\nefgh|']],
    ['wide characters: the one that covers the column', 1, 'abc|\n日本語', ['abc\n日|本語']],
    ['a spelled out character is one', 1, 'abcd|\n\u202ex', ['abcd\n|\u202ex', 'abcd\n\u202ex|']],
    ['the last row', 1, 'ab|', ['ab|']],
  ] as const)('%s', (_, by, before, wanted) => {
    let state = editorAt(before);
    expect(wanted.map(() => shown((state = edit(state, vertical(by, 6)))))).toEqual(wanted);
  });

  it('any other action forgets the column', () => {
    const start = editorAt('abcd|\nx\nefgh');
    expect(shown(after(start, vertical(1, 9), move('left'), vertical(1, 9)))).toBe('abcd\nx\n|efgh');
  });
});

describe('cut and yank', () => {
  it.each([
    ['one two|', [cut('wordLeft'), cut('wordLeft')], '|', ['one two']],
    ['|one two', [cut('wordRight'), cut('lineEnd')], '|', ['one two']],
    ['a|b\nc', [cut('lineEnd'), cut('lineEnd')], 'a|c', ['b\n']],
    ['a\nb|c', [cut('lineStart'), cut('lineStart')], 'a|c', ['\nb']],
    ['one two|', [cut('wordLeft'), move('left'), cut('wordLeft')], '| ', ['two', 'one']],
    ['|', [cut('lineEnd')], '|', []],
  ])('%j after %j is %j', (before, actions, wanted, killed) => {
    const state = after(editorAt(before), ...actions);
    expect([shown(state), state.killed]).toEqual([wanted, killed]);
  });

  it('yankEarlier goes round the ring, as one undo step', () => {
    const ring = {...editorAt('x|y'), killed: ['1', '22', '333']};
    const presses = [yank, yankEarlier, yankEarlier, yankEarlier];
    const states = presses.map((_, count) => after(ring, ...presses.slice(0, count + 1)));
    expect(states.map(shown)).toEqual(['x333|y', 'x22|y', 'x1|y', 'x333|y']);
    expect(states.map((state) => shown(edit(state, undo)))).toEqual(Array(4).fill('x|y'));
    expect(shown(after(ring, yankEarlier))).toBe('x|y');
    expect(shown(after(ring, yank, move('left'), yankEarlier))).toBe('x33|3y');
  });
});

describe('undo', () => {
  it('typing is one step for each word, deleting one until something else', () => {
    const keys = Array.from('one two', insert);
    const typed = after(EMPTY_EDITOR, ...keys, remove('left'), remove('left'));
    const back = [typed, after(typed, undo), after(typed, undo, undo), after(typed, undo, undo, undo)];
    expect(back.map(shown)).toEqual(['one t|', 'one two|', 'one|', '|']);
    expect(shown(after(typed, undo, undo, redo, redo))).toBe('one t|');
    expect(after(typed, undo, insert('!'), redo).text).toBe('one two!');
    expect(after(EMPTY_EDITOR, insert('a'), move('left'), insert('b'), undo).text).toBe('a');
  });

  it('keeps 200 steps', () => {
    const steps = Array.from({length: 300}, () => insert(' x'));
    const all = after(EMPTY_EDITOR, ...steps);
    expect([all.undo.length, after(all, ...Array.from({length: 300}, () => undo)).text]).toEqual([200, ' x'.repeat(100)]);
  });
});

describe('pasted text', () => {
  it('beyond 10 lines is one marker, for moves and deletes too', () => {
    const state = after(EMPTY_EDITOR, insert('see '), paste(LONG.replaceAll('\n', '\r\n')), insert('!'));
    expect(shown(state)).toBe('see [paste 1: 32 lines]!|');
    expect(submittedText(state)).toBe(`see ${LONG}!`);
    expect(shown(after(state, move('left'), move('left')))).toBe('see |[paste 1: 32 lines]!');
    expect(shown(after(state, move('left'), move('wordLeft')))).toBe('see |[paste 1: 32 lines]!');
    const gone = after(state, move('left'), remove('left'));
    expect([shown(gone), submittedText(after(gone, undo))]).toEqual(['see |!', `see ${LONG}!`]);
  });

  it.each([
    ['ten lines', 'x\n'.repeat(10), 'x\n'.repeat(10)],
    ['eleven', 'x\n'.repeat(11), '[paste 1: 11 lines]'],
    ['one long line', 'x'.repeat(4001), '[paste 1: 4001 characters]'],
    ['what looks like a marker', '[paste 1: 32 lines]', '[paste 1: 1 line]'],
    ['controls', 'a\x1b[31m\tb\r\nc\rd\x07\x00\x9b', 'a[31m\tb\nc\nd'],
  ])('%s', (_, pasted, wanted) => {
    expect(edit(EMPTY_EDITOR, paste(pasted)).text).toBe(wanted);
  });

  it('a marker that was cut and put back twice stands for its text twice, also in the next text', () => {
    const state = after(EMPTY_EDITOR, paste(LONG), paste('x\n'.repeat(11)), cut('wordLeft'), cut('wordLeft'));
    const next = after(emptied(state), yank, yank, paste(LONG));
    expect(next.text).toBe(`${'[paste 1: 32 lines][paste 2: 11 lines]'.repeat(2)}[paste 3: 32 lines]`);
    expect(submittedText(next)).toBe(`${LONG}${'x\n'.repeat(11)}`.repeat(2) + LONG);
    expect([...emptied(after(EMPTY_EDITOR, paste(LONG))).pastes]).toEqual([]);
  });

  it('is put in as it is, whatever `$` it holds', () => {
    const text = '$&$1\n'.repeat(12);
    expect(submittedText(edit(EMPTY_EDITOR, paste(text)))).toBe(text);
  });
});
