import {describe, expect, it} from 'vitest';
import {ended} from '../../../screen/events.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {drawn, play, typed, type Move} from './play.ts';

const COMMANDS: Action = {
  type: 'commands',
  commands: [
    {name: 'cost', description: '', group: 'session', whileWorking: 'always'},
    {name: 'mode', hint: '[MODE]', description: '', group: 'session', whileWorking: 'always'},
    {name: 'model', hint: '[MODEL]', description: '', group: 'session', whileWorking: 'bare'},
    {name: 'undo', description: '', group: 'session'},
  ],
};
const WORKING = play([COMMANDS, {type: 'submit', text: 'first'}]).state;
const PICK: Action = {type: 'pick', title: 'Mode', command: 'mode', items: [{value: 'plan', label: 'plan'}]};
const told = (moves: readonly Move[], from = WORKING) => {
  const {state, effects} = play(moves, from);
  const done = effects.filter(({type}) => type !== 'remember' && type !== 'askStatus');
  return {done, queue: state.queue, work: state.work?.what, overlay: state.overlay?.type, text: state.editor.text};
};
const beside = (name: string, text = '') => ({type: 'command', name, typed: text, isBeside: true}) as const;

describe('a command that is sent while a turn runs', () => {
  it.each<[string, Partial<ReturnType<typeof told>>]>([
    ['/cost', {done: [beside('cost')]}],
    ['/mode plan', {done: [beside('mode', 'plan')]}],
    ['/model', {done: [beside('model')]}],
    ['/model other', {queue: ['/model other']}],
    ['/undo', {queue: ['/undo']}],
    ['/unknown', {queue: ['/unknown']}],
    ['/help', {overlay: 'help'}],
    ['/theme light', {done: [{type: 'theme', theme: 'light'}]}],
  ])('%s runs beside it where it only looks, else it waits', (text, given) => {
    expect(told([...typed(text), 'enter'])).toEqual({done: [], queue: [], work: 'turn', overlay: undefined, text: '', ...given});
  });

  it('what is picked does the same', () => {
    const model = {...PICK, command: 'model'};
    expect([told([PICK, 'enter']).done, told([model, 'enter']).queue]).toEqual([[beside('mode', 'plan')], ['/model plan']]);
  });
});

describe('what is queued behind a list to choose from', () => {
  const OPEN = play([...typed('/undo'), 'enter', PICK, ended(), drawn], WORKING).state;

  it('waits for the choice', () => {
    const waiting = {done: [], queue: ['/undo'], work: undefined, overlay: 'picker', text: ''};
    expect([told([], OPEN), told(['enter', ended()], OPEN).done]).toEqual([
      waiting,
      [
        {type: 'command', name: 'mode', typed: 'plan'},
        {type: 'command', name: 'undo', typed: ''},
      ],
    ]);
  });

  it('begins where nothing is chosen, and goes back to the line with Ctrl-C', () => {
    expect([told(['escape'], OPEN), told(['ctrl+c'], OPEN)]).toEqual([
      {done: [{type: 'command', name: 'undo', typed: ''}], queue: [], work: 'command', overlay: undefined, text: ''},
      {done: [], queue: [], work: undefined, overlay: undefined, text: '/undo'},
    ]);
  });
});
