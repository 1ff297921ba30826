import {describe, expect, it} from 'vitest';
import type {Action} from '../../../../../src/hosts/tui/model/action.ts';
import {EMPTY, pasted, play, typed} from '../play.ts';

const kept = (text: string | undefined, ...references: readonly string[]): Action => ({type: 'pictured', pasted: text, references});
const line = (...moves: Parameters<typeof play>[0]) => {
  const {editor} = play(moves).state;
  return `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
};

describe('pictures on the line', () => {
  it('pasted paths stand there as text, and the session is asked to keep them', () => {
    const {state, effects} = play([...typed('see '), pasted("'/tmp/a.png' ")]);
    expect([state.editor.text, effects]).toEqual([
      "see '/tmp/a.png' ",
      [{type: 'pictures', pasted: "'/tmp/a.png' ", paths: ['/tmp/a.png']}],
    ]);
  });

  it('any other paste, and one for the shell, asks for nothing', () => {
    expect([play([pasted('hello')]).effects, play(['!', pasted('/tmp/a.png')]).effects]).toEqual([[], []]);
  });

  it('Ctrl-V asks for the clipboard', () => {
    expect(play(['ctrl+v', 'alt+v']).effects).toEqual([{type: 'clipboard'}, {type: 'clipboard'}]);
  });

  it.each([
    [
      'in the place of what was pasted, with the cursor where it was',
      line(pasted('/t/a.png'), ...typed(' now'), kept('/t/a.png', 'a.png')),
      '@a.png  now|',
    ],
    ['the cursor in front stays', line(pasted('/t/a.png'), 'ctrl+a', ...typed('x'), kept('/t/a.png', 'a.png')), 'x|@a.png '],
    [
      'several, with quotes where they are needed',
      line(pasted('/a.png /b.png'), kept('/a.png /b.png', 'my a.png', '/state/b.png')),
      '@"my a.png" @"/state/b.png" |',
    ],
    ['the newest of two equal pastes', line(pasted('/a.png'), 'space', pasted('/a.png'), kept('/a.png', 'a.png')), '/a.png @a.png |'],
    ['nothing where the paste was changed meanwhile', line(pasted('/a.png'), 'backspace', kept('/a.png', 'a.png')), '/a.pn|'],
    ['of the clipboard, at the cursor', line(...typed('ab'), 'left', kept(undefined, 'a.png')), 'a@a.png |b'],
    ['as a bare path for the shell', line(...typed('!file '), kept(undefined, '/s/a.png')), '!file /s/a.png |'],
  ])('%s', (_, shown, expected) => {
    expect(shown).toBe(expected);
  });

  it('is one step that can be undone, and closes suggestions that are for the text before', () => {
    const before = play([...typed('@a'), {type: 'suggested', query: 'a', items: [{value: 'a.ts', label: 'a.ts'}]}]).state;
    const after = play([kept(undefined, 'a.png')], before).state;
    expect([before.suggestions?.items.length, after.suggestions, play(['ctrl+_'], after).state.editor.text]).toEqual([1, undefined, '@a']);
  });

  it('after a picture outside of the workspace no text is searched for', () => {
    const {effects} = play([kept(undefined, '/s/a.png'), ...typed('look')], EMPTY);
    expect(effects).toEqual([]);
  });
});
