import {describe, expect, it} from 'vitest';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {EMPTY, play, typed} from './play.ts';

const SWITCHED: Action = {type: 'switched', folder: 'project', info: {mode: 'ask'}};
const OPENED: readonly Action[] = [SWITCHED, {type: 'entry', entry: {kind: 'notice', level: 'info', text: 'a note'}}];
const COMMANDS: Action = {type: 'commands', commands: []};

describe('what is sent before the session is open', () => {
  const waiting = play([...typed('fix it'), 'enter', ...typed('!ls'), 'enter', 'x'], {...EMPTY, isOpening: true});

  it('waits, and is seen to wait', () => {
    const {queue, entries, work, editor} = waiting.state;
    expect([queue, entries, work, editor.text, waiting.effects.map(({type}) => type)]).toEqual([
      ['fix it', '!ls'],
      [],
      undefined,
      'x',
      ['remember', 'remember'],
    ]);
  });

  it('begins below the first lines of the session and its notes', () => {
    const {state, effects} = play([...OPENED, COMMANDS], waiting.state);
    expect([state.entries.map(({kind}) => kind), state.queue, state.editor.text, effects.filter(({type}) => type !== 'askStatus')]).toEqual(
      [['banner', 'notice', 'user'], ['!ls'], 'x', [{type: 'submit', text: 'fix it'}]],
    );
  });

  it('a session that is open begins at once', () => {
    expect(play([...OPENED, COMMANDS, ...typed('go'), 'enter'], {...EMPTY, isOpening: true}).state.work?.what).toBe('turn');
  });
});
