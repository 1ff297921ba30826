import {describe, expect, it} from 'vitest';
import {ended} from '../../../screen/events.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {EMPTY, pasted, play, typed, type Move} from '../model/play.ts';

const WORKING = play([{type: 'submit', text: 'first'}]).state;
const told = (moves: readonly Move[], from = EMPTY) => {
  const {state, effects} = play(moves, from);
  return {text: state.editor.text, queue: state.queue, effects: effects.filter(({type}) => type !== 'askStatus')};
};
const remembered = (text: string) => ({type: 'remember', text});

describe('what is typed and sent', () => {
  it.each<[string, readonly Move[], readonly object[]]>([
    ['a task', [...typed('fix it'), 'enter'], [remembered('fix it'), {type: 'submit', text: 'fix it'}]],
    [
      'a command with what follows it',
      [...typed('/model a b'), 'enter'],
      [remembered('/model a b'), {type: 'command', name: 'model', typed: 'a b'}],
    ],
    ['a line of the shell', [...typed('! ls'), 'enter'], [remembered('! ls'), {type: 'shell', line: 'ls'}]],
    ['a path is not a command', [...typed('/etc/hosts'), 'enter'], [remembered('/etc/hosts'), {type: 'submit', text: '/etc/hosts'}]],
    ['blanks are nothing', ['space', 'enter'], []],
    [
      'a long paste as it was',
      [pasted('x\n'.repeat(12)), 'enter'],
      [remembered('x\n'.repeat(12)), {type: 'submit', text: 'x\n'.repeat(12).trim()}],
    ],
  ])('%s', (_, moves, effects) => {
    expect(told(moves).effects).toEqual(effects);
  });

  it('a backslash before Enter makes a new line', () => {
    expect(told([...typed('a\\'), 'enter', 'b'])).toEqual({text: 'a\nb', queue: [], effects: []});
  });

  it('shows the prompt, and works from then on', () => {
    const {entries, work} = play([500, ...typed('go'), 'enter']).state;
    expect([entries, work]).toEqual([[{kind: 'user', text: 'go'}], {startedAt: 500, heardAt: 500, isCancelling: false, what: 'turn'}]);
  });
});

describe('what is typed while a turn runs', () => {
  const QUEUED = play([...typed('a'), 'enter', ...typed('b'), 'enter'], WORKING).state;

  it('Enter queues it, another key sends it into the turn', () => {
    expect(told([...typed('later'), 'enter', ...typed('now'), 'ctrl+s'], WORKING)).toEqual({
      text: '',
      queue: ['later'],
      effects: [remembered('later'), remembered('now'), {type: 'steer', text: 'now'}],
    });
  });

  it.each<[string, readonly Move[], string, readonly string[]]>([
    ['Up chooses the newest, Delete withdraws it', ['up', 'delete'], '', ['a']],
    ['Enter takes one back to the line', ['up', 'up', 'enter'], 'a', ['b']],
    ['Esc leaves it as it is', ['up', 'escape'], '', ['a', 'b']],
    ['Down at the end leaves it', ['up', 'down', 'x'], 'x', ['a', 'b']],
    ['another key is for the line, and not lost', ['up', 'x', 'y'], 'xy', ['a', 'b']],
  ])('%s', (_, moves, text, queue) => {
    const {state} = play(moves, QUEUED);
    expect([state.editor.text, state.queue, state.queueAt]).toEqual([text, queue, undefined]);
  });

  it('the next begins when the turn has ended', () => {
    const {queue, effects} = told([ended()], QUEUED);
    expect([queue, effects]).toEqual([['b'], [{type: 'submit', text: 'a'}]]);
  });

  it.each([
    [0, undefined],
    [1, 0],
  ])('the chosen one (%i) stays chosen when the first begins, if it is another', (queueAt, after) => {
    expect(play([ended()], {...QUEUED, queueAt}).state.queueAt).toBe(after);
  });

  it('a cancelled turn gives all of it back to the line', () => {
    expect(told([...typed('c'), ended('cancelled', 'Cancelled.')], QUEUED)).toEqual({
      text: 'a\n\nb\n\nc',
      queue: [],
      effects: [],
    });
  });

  it('so does another session in its place', () => {
    expect(told([{type: 'switched', folder: 'other', info: {}}], QUEUED)).toEqual({text: 'a\n\nb', queue: [], effects: []});
  });
});

describe('Ctrl-C', () => {
  it.each<[string, readonly Move[], typeof EMPTY, readonly object[]]>([
    ['cancels what runs', ['ctrl+c'], WORKING, [{type: 'cancel'}]],
    ['the second within 2 s leaves', ['ctrl+c', 2000, 'ctrl+c'], WORKING, [{type: 'cancel'}, {type: 'leave'}]],
    ['a later one cancels again', ['ctrl+c', 2001, 'ctrl+c'], WORKING, [{type: 'cancel'}, {type: 'cancel'}]],
    ['twice on an empty line leaves', ['ctrl+c', 'ctrl+c'], EMPTY, [{type: 'leave'}]],
    ['leaving keeps what is typed', [...typed('x'), 'ctrl+c', 'ctrl+c'], WORKING, [{type: 'cancel'}, remembered('x'), {type: 'leave'}]],
    ['empties the line, and keeps what stood there', [...typed('x'), 'ctrl+c'], EMPTY, [remembered('x')]],
  ])('%s', (_, moves, from, effects) => {
    expect(play(moves, from).effects).toEqual(effects);
  });

  it('nothing typed is lost: Up and undo bring the line back', () => {
    expect([told([...typed('x'), 'ctrl+c', 'up']).text, told([...typed('x'), 'ctrl+c', 'ctrl+_']).text]).toEqual(['x', 'x']);
  });

  it('Ctrl-D leaves only on an empty line', () => {
    expect([play(['ctrl+d']).effects, told([...typed('ab'), 'home', 'ctrl+d'])]).toEqual([
      [{type: 'leave'}],
      {text: 'b', queue: [], effects: []},
    ]);
  });
});

describe('earlier prompts', () => {
  it.each<[string, readonly Move[], string]>([
    ['Up goes back', ['up', 'up'], 'older'],
    ['Down comes back to what was being typed', ['d', 'up', 'down'], 'd'],
    ['not beyond the oldest', ['up', 'up', 'up'], 'older'],
    ['Ctrl-R searches, Enter takes', ['ctrl+r', ...typed('old'), 'enter'], 'older'],
    ['Esc leaves the search with the line as it was', ['d', 'ctrl+r', ...typed('old'), 'escape'], 'd'],
  ])('%s', (_, moves, text) => {
    expect(play(moves).state.editor.text).toBe(text);
  });
});

describe('suggestions', () => {
  const commands: Action = {
    type: 'commands',
    commands: ['help', 'model', 'mode'].map((name) => ({name, description: name, group: 'session'})),
  };
  const found = (query: string, ...values: readonly string[]): Action => ({
    type: 'suggested',
    query,
    items: values.map((value) => ({value, label: value})),
  });

  it.each<[string, readonly Move[], string]>([
    ['Tab completes a command', [commands, ...typed('/mo'), 'tab'], '/model '],
    ['Down chooses another', [commands, ...typed('/mo'), 'down', 'tab'], '/mode '],
    ['Esc leaves them', [commands, ...typed('/mo'), 'escape', 'tab'], '/mo'],
    ['a file takes the place of its beginning', [...typed('see @s'), found('s', 'src/a.ts'), 'tab', 'x'], 'see @src/a.ts x'],
    ['a folder can go on', [...typed('@s'), found('s', 'src/'), 'tab', 'a'], '@src/a'],
    ['what was found for another query is not offered', [...typed('@sr'), found('s', 'x'), 'tab'], '@sr'],
    ['they are not for a text that came from elsewhere', [...typed('@s'), 'up', found('s', 'src/'), 'tab'], 'newer'],
  ])('%s', (_, moves, text) => {
    expect(play(moves).state.editor.text).toBe(text);
  });

  it('files are looked for with each key', () => {
    expect(play(typed('@ab')).effects).toEqual(['', 'a', 'ab'].map((query) => ({type: 'files', query})));
  });
});
