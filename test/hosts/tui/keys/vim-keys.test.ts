import {describe, expect, it} from 'vitest';
import type {Action, ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import type {KeyInput} from '../../../../src/hosts/tui/keys/key.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import {statusLine} from '../../../../src/hosts/tui/views/status-line.ts';

function screen({hasVim = true, prompts = []}: {readonly hasVim?: boolean; readonly prompts?: readonly string[]} = {}): ScreenState {
  return initialState({
    size: {columns: 80, rows: 24},
    now: 0,
    appName: 'Fettle',
    folder: 'project',
    info: {model: 'a/b', mode: 'ask'},
    prompts,
    keymap: createKeymap().keymap,
    hasVim,
  });
}

/** Keys by name in angle brackets (`<escape>`), else one for each character. */
function press(start: ScreenState, keys: string): {readonly state: ScreenState; readonly effects: readonly ScreenEffect[]} {
  const inputs = Array.from(keys.matchAll(/<([^>]+)>|(.)/gsu), ([, name, char]): KeyInput =>
    name === undefined ? {type: 'key', name: char ?? '', text: char} : {type: 'key', name},
  );
  return inputs.reduce<{state: ScreenState; effects: readonly ScreenEffect[]}>(
    ({state, effects}, key) => {
      const change = updateScreen(state, {type: 'key', key}, 0);
      return {state: change.state, effects: [...effects, ...change.effects]};
    },
    {state: start, effects: []},
  );
}

const line = ({editor: {text, cursor}, vim}: ScreenState): string => `${vim?.mode ?? 'off'} ${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('the keys of vim on the screen', () => {
  it.each([
    ['they are off by default', false, 'ab<escape>h', 'off abh|'],
    ['typing begins in insert mode', true, 'ab', 'insert ab|'],
    ['Esc goes to normal mode', true, 'ab<escape>', 'normal a|b'],
    ['once more it does what it does elsewhere: nothing', true, 'ab<escape><escape>', 'normal a|b'],
    ['a change', true, 'one two<escape>0cwx<escape>', 'normal |x two'],
    ['arrows are the key map’s, and stay on a character', true, 'ab<escape><right>', 'normal a|b'],
    ['an arrow ends a command that is not whole', true, 'ab cd<escape>0d<right>x', 'normal a| cd'],
    ['Ctrl-U cuts in both', true, 'ab<ctrl+u>', 'insert |'],
    ['Ctrl-R is redo in normal mode', true, 'ab<escape>xu<ctrl+r>', 'normal |a'],
    ['? in an empty line is help in normal mode', true, '<escape>?', 'normal |'],
    ['k at the first row goes back in the history', true, 'new<escape>kk', 'normal firs|t'],
    ['j at the last row comes back', true, 'new<escape>kkjj', 'normal ne|w'],
  ])('%s', (_, hasVim, keys, wanted) => {
    expect(line(press(screen({hasVim, prompts: ['first', 'second']}), keys).state)).toBe(wanted);
  });

  it('? in an empty line opens help', () => {
    expect(press(screen(), '<escape>?').state.overlay).toEqual({type: 'help', scroll: 0});
  });

  it.each(['do it<enter>', 'do it<escape><enter>'])('Enter sends in both modes, and a new text begins in insert mode: %s', (keys) => {
    const {state, effects} = press(screen(), keys);
    expect([line(state), effects]).toEqual([
      'insert |',
      [
        {type: 'remember', text: 'do it'},
        {type: 'submit', text: 'do it'},
      ],
    ]);
  });

  it('keys for the screen keep working in normal mode', () => {
    const {state, effects} = press(screen(), 'a<escape><ctrl+l><ctrl+z><shift+tab><ctrl+g><ctrl+t><ctrl+c>');
    expect(effects.map(({type}) => type)).toEqual(['redraw', 'suspend', 'nextMode', 'externalEditor', 'remember']);
    expect([line(state), state.isTodoShown]).toEqual(['normal |', false]);
  });

  it('Esc in insert mode closes the list of commands as well', () => {
    const start = updateScreen(screen(), {type: 'commands', commands: [{name: 'zebra', description: 'x', group: 'session'}]}, 0).state;
    expect(press(start, '/z').state.suggestions?.items.length).toBe(1);
    const {state} = press(start, '/z<escape>');
    expect([line(state), state.suggestions]).toEqual(['normal /|z', undefined]);
  });

  it('the mode stands in the status line', () => {
    const shown = (state: ScreenState): string =>
      statusLine(state)
        .map(({text}) => text)
        .join('');
    expect([screen({hasVim: false}), screen(), press(screen(), '<escape>').state].map((state) => shown(state).slice(0, 24))).toEqual([
      'ask · a/b · project     ',
      '-- INSERT -- · ask · a/b',
      '-- NORMAL -- · ask · a/b',
    ]);
  });
});

describe('the text of the person in the status line', () => {
  const info = {model: 'a/b', mode: 'ask'};
  it.each<[string, Action, boolean]>([
    ['a turn has ended', {type: 'ended'}, true],
    ['another mode', {type: 'info', info: {...info, mode: 'plan'}}, true],
    ['another mode, by an event', {type: 'event', event: {type: 'mode.changed', thread_id: 't', from: 'ask', to: 'plan'}}, true],
    ['another model', {type: 'info', info: {...info, model: 'c/d'}}, true],
    ['another session', {type: 'switched', folder: 'project', info}, true],
    ['more tokens', {type: 'info', info: {...info, contextTokens: 5}}, false],
    ['a second', {type: 'tick'}, false],
  ])('%s: %#', (_, action, isAsked) => {
    const {state, effects} = updateScreen(screen(), action, 0);
    expect(effects.filter(({type}) => type === 'askStatus')).toEqual(isAsked ? [{type: 'askStatus', info: state.info}] : []);
  });

  it('is shown behind the model', () => {
    const {state} = updateScreen(screen({hasVim: false}), {type: 'status', text: 'mine'}, 0);
    expect(
      statusLine(state)
        .map(({text}) => text)
        .join('')
        .slice(0, 26),
    ).toBe('ask · a/b · mine · project');
  });
});
