import {describe, expect, it} from 'vitest';
import type {Action, ScreenEffect} from '../../../../src/hosts/tui/model/action.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {screenCommand} from '../../../../src/hosts/tui/model/screen-commands.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import type {SessionCommand} from '../../../../src/hosts/tui/host-adapter.ts';

const START = initialState({size: {columns: 40, rows: 10}, now: 0, appName: 'A', folder: 'f', keymap: createKeymap().keymap});

const command = (name: string, hint?: string): SessionCommand => ({name, hint, description: name, group: 'session'});
const COMMANDS = [command('model', '[MODEL]'), command('mode', '[MODE]'), command('issue', 'NUMBER'), command('plan')];

/** The state after the actions, and the effects of the last one. */
function after(...actions: readonly (Action & {readonly at?: number})[]): {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
} {
  return actions.reduce<{state: ScreenState; effects: readonly ScreenEffect[]}>(
    ({state}, action) => {
      const {state: next, effects} = updateScreen(state, action, action.at ?? state.now + 1000);
      return {state: next, effects};
    },
    {state: START, effects: []},
  );
}

const key = (name: string, at?: number): Action & {readonly at?: number} => ({
  type: 'key',
  key: {type: 'key', name, ...(name.length === 1 ? {text: name} : {})},
  ...(at === undefined ? {} : {at}),
});
const typed = (text: string): readonly Action[] => text.split('').map((character) => key(character));
const commands: Action = {type: 'commands', commands: COMMANDS};

describe('Enter on a command', () => {
  it.each([
    ['/mode', {type: 'command', name: 'mode', typed: ''}],
    ['/mod', {type: 'command', name: 'model', typed: ''}],
    ['/pla', {type: 'command', name: 'plan', typed: ''}],
    ['/lan', {type: 'command', name: 'plan', typed: ''}],
    ['/mode plan', {type: 'command', name: 'mode', typed: 'plan'}],
    ['/theme light', {type: 'theme', theme: 'light'}],
    ['!ls', {type: 'shell', line: 'ls'}],
    ['#use tabs', {type: 'keep', line: 'use tabs'}],
    ['## A heading', {type: 'submit', text: '## A heading'}],
  ])('%s', (text, effect) => {
    expect(after(commands, ...typed(text), key('enter')).effects.filter(({type}) => type !== 'remember')).toEqual([effect]);
  });

  it('one that needs something behind it is completed', () => {
    const {state, effects} = after(commands, ...typed('/iss'), key('enter'));
    expect([state.editor.text, effects]).toEqual(['/issue ', []]);
  });

  it('/help and /theme are of the screen', () => {
    expect(after(commands, ...typed('/help'), key('enter')).state.overlay).toEqual({type: 'help', scroll: 0});
    const {effects, state} = after(commands, ...typed('/theme'), key('enter'), key('down'), key('enter'));
    expect([effects, state.overlay, state.work]).toEqual([[{type: 'theme', theme: 'dark'}], undefined, undefined]);
  });
});

describe('/theme', () => {
  const themed = (typed: string) => screenCommand({...START, themes: ['auto', 'none']}, 'theme', typed);

  it('takes one that the host has, and offers those for any other', () => {
    expect(themed('none')?.effects).toEqual([{type: 'theme', theme: 'none'}]);
    for (const other of ['', 'light', 'toString']) {
      const {state, effects} = themed(other) ?? {};
      const offered = state?.overlay?.type === 'picker' ? state.overlay.items.map(({value}) => value) : [];
      expect([offered, effects]).toEqual([['auto', 'none'], []]);
    }
  });
});

describe('a long answer of a command', () => {
  const answer = (rows: number): Action => ({
    type: 'entry',
    entry: {kind: 'plain', text: Array.from({length: rows}, (_, row) => `row ${row}`).join('\n'), keeps: 'start'},
  });

  it('opens in the pager, where it does not fit on the screen and nobody types', () => {
    expect(after(answer(7)).state.overlay).toEqual({type: 'pager', entry: 0, skip: 0});
    expect(after(answer(6)).state.overlay).toBeUndefined();
    expect(after(key('x'), answer(7)).state.overlay).toBeUndefined();
  });
});

describe('a line of the shell', () => {
  it('grows while it runs, and ends with how it ended', () => {
    const running = after({type: 'submit', text: '!make'}, {type: 'shell', output: 'a\n'}, {type: 'shell', output: 'b\n'});
    expect(running.state.entries.at(-1)).toEqual({kind: 'plain', text: 'a\nb\n', keeps: 'end', isRunning: true});
    const {state} = updateScreen(running.state, {type: 'shell', output: 'a\nb\nc', end: '(exit 2)'}, 5);
    expect(state.entries.at(-1)).toEqual({kind: 'plain', text: 'a\nb\nc\n(exit 2)', keeps: 'end'});
  });
});

describe('Ctrl-C', () => {
  it('what it clears comes back with Up', () => {
    expect(after(...typed('abc'), key('ctrl+c')).state.editor.text).toBe('');
    expect(after(...typed('abc'), key('ctrl+c'), key('up')).state.editor.text).toBe('abc');
  });

  it.each([
    [1000, [{type: 'leave'}]],
    [2001, []],
  ])('pressed again after %i ms', (later, effects) => {
    expect(after(key('ctrl+c', 1000), key('ctrl+c', 1000 + later)).effects).toEqual(effects);
  });
});

describe('the end of a turn', () => {
  const ended = (lines: readonly string[], outcome: 'success' | 'limit', at: number): Action & {readonly at: number} => ({
    type: 'ended',
    ending: {outcome, lines},
    at,
  });

  it.each([
    [10_000, []],
    [10_001, [{type: 'notify', kind: 'turn_ended', text: 'Done.'}]],
  ])('rings only for a long turn: %i ms', (at, effects) => {
    const told = after({type: 'submit', text: 'go', at: 0}, ended(['Done.'], 'success', at)).effects;
    expect(told.filter(({type}) => type === 'notify')).toEqual(effects);
  });

  it('a limit offers to go on', () => {
    expect(after({type: 'submit', text: 'go'}, ended(['The limit.'], 'limit', 5)).state.editor.text).toBe('go on');
    expect(after({type: 'submit', text: 'go'}, key('x'), ended(['The limit.'], 'limit', 5)).state.editor.text).toBe('x');
  });

  it('says nothing that was just said', () => {
    const notice: Action = {type: 'entry', entry: {kind: 'notice', level: 'warning', text: 'Cancelled.'}};
    const {state} = after({type: 'submit', text: 'go'}, notice, ended(['Cancelled.'], 'success', 5));
    expect(state.entries.map(({kind}) => kind)).toEqual(['user', 'notice']);
  });
});

describe('a replay', () => {
  it('a call that a killed process has left is cancelled', () => {
    const item = {id: 'i', type: 'tool_invocation', tool_name: 'bash', tool_call_id: 'c', arguments: '{}', status: 'in_progress'} as const;
    const {state} = after({type: 'replay', events: [{type: 'item.started', turn_id: 't', item}]});
    expect(state.entries[0]).toMatchObject({kind: 'tool', state: 'cancelled'});
  });
});

describe('silence', () => {
  it('that the harness tells of it is no sign of life', () => {
    const item = {id: 'i', type: 'harness', event: 'model_stalled', message: 'Nothing from the model for 10 s.'} as const;
    const {state} = after(
      {type: 'submit', text: 'go', at: 0},
      {
        type: 'event',
        event: {type: 'item.completed', turn_id: 't', item},
      },
    );
    expect(state.work?.heardAt).toBe(0);
  });
});
