import {beforeAll, describe, expect, it} from 'vitest';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import type {TrustQuestion} from '../../../../src/hosts/tui/trust/trust-question.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {drawn, EMPTY, pasted, play, typed, type Move, type Played} from '../model/play.ts';
import {CHANGED, TEXT, UNKNOWN} from './questions.ts';

beforeAll(loadDiff);

const asked = (question: TrustQuestion): Action => ({type: 'trust', id: 'q', question});
const after = (moves: readonly Move[], question = UNKNOWN): Played => play([asked(question), drawn, 400, ...moves]);
const replies = ({effects}: Played): unknown => effects.flatMap((effect) => (effect.type === 'notify' ? [] : [effect]));
const dialogOf = ({state}: Played) => {
  const [dialog] = state.dialogs;
  return dialog?.type === 'trust' ? {at: dialog.at, reading: dialog.reading} : undefined;
};

describe('the answers', () => {
  it.each<readonly [string, readonly string[], unknown]>([
    ['Esc loads nothing', ['escape'], {type: 'trustReply', id: 'q', reply: 'ignore'}],
    ['Enter without a choice loads nothing', ['enter'], {type: 'trustReply', id: 'q', reply: 'ignore'}],
    ['Down and Enter trusts', ['down', 'enter'], {type: 'trustReply', id: 'q', reply: 'trust'}],
    ['for this session', ['down', 'down', 'enter'], {type: 'trustReply', id: 'q', reply: 'session'}],
    ['the last leaves', ['end', 'enter'], {type: 'leave'}],
    ['from the entries, Tab goes to the safe one', ['home', 'tab', 'enter'], {type: 'trustReply', id: 'q', reply: 'ignore'}],
    ['below the last nothing is', ['end', 'down', 'down', 'enter'], {type: 'leave'}],
  ])('%s', (_, keys, effect) => {
    const played = after(keys);
    expect([replies(played), played.state.dialogs]).toEqual([[effect], []]);
  });

  it('letters, digits and pastes choose nothing: who goes on typing a task does not trust by it', () => {
    const played = after([...typed('trust yes y t s 2'), pasted('trust')]);
    expect([replies(played), dialogOf(played)]).toEqual([[], {at: 3, reading: undefined}]);
  });

  it.each<readonly [string, readonly Move[]]>([
    ['before the dialog is on the screen', [asked(UNKNOWN), 'down', 'enter']],
    ['right after it has come', [asked(UNKNOWN), drawn, 100, 'down', 'enter']],
    ['without a pause', [asked(UNKNOWN), drawn, 'a', 250, 'down', 250, 'enter']],
  ])('keys %s are not answer', (_, moves) => {
    const played = play(moves);
    expect(dialogOf(played)).toEqual({at: 3, reading: undefined});
    expect(played.effects.map(({type}) => type)).not.toContain('trustReply');
  });

  it('a person who looks elsewhere is told', () => {
    expect(play([asked(UNKNOWN)]).effects).toEqual([{type: 'notify', kind: 'question', text: 'Trust this project?'}]);
  });

  it('goes away when nobody waits any more', () => {
    expect(after([{type: 'withdrawn', id: 'q'}]).state.dialogs).toEqual([]);
  });
});

describe('the entries', () => {
  it.each<readonly [string, readonly string[], ReturnType<typeof dialogOf>]>([
    ['Up from the answers chooses the last', ['up'], {at: 2, reading: undefined}],
    ['Enter opens it', ['up', 'enter'], {at: 2, reading: {scroll: 0, isWhole: false}}],
    ['so does Space', ['home', 'space'], {at: 0, reading: {scroll: 0, isWhole: false}}],
    ['and Right', ['up', 'right'], {at: 2, reading: {scroll: 0, isWhole: false}}],
    ['Right on an answer does nothing', ['right'], {at: 3, reading: undefined}],
    ['Esc closes it, and answers nothing', ['up', 'enter', 'escape'], {at: 2, reading: undefined}],
    ['q too', ['up', 'enter', 'q'], {at: 2, reading: undefined}],
    ['n and p open the others', ['home', 'enter', 'n', 'n', 'n', 'p'], {at: 1, reading: {scroll: 0, isWhole: false}}],
    ['Tab shows the whole text', ['home', 'enter', 'tab'], {at: 0, reading: {scroll: 0, isWhole: true}}],
    ['a short one does not scroll', ['home', 'enter', 'down', 'pagedown', 'G'], {at: 0, reading: {scroll: 0, isWhole: false}}],
  ])('%s', (_, keys, dialog) => {
    const played = after(keys, {...UNKNOWN});
    expect([dialogOf(played), replies(played)]).toEqual([dialog, []]);
  });

  it('scrolls to the end of a long one and no further', () => {
    const long = {...UNKNOWN, entries: [{...TEXT, after: Array.from({length: 100}, (_, row) => `line ${row}\n`).join('')}]};
    const scrolls = [['down'], ['down', 'up'], ['pagedown'], ['pagedown', 'b'], ['G'], ['end', 'down'], ['G', 'g']].map(
      (keys) => dialogOf(after(['home', 'enter', ...keys], long))?.reading?.scroll,
    );
    // 103 rows on a screen that has 23 for them.
    expect(scrolls).toEqual([1, 0, 22, 0, 80, 80, 0]);
  });

  it('a change is read as a difference, and a smaller screen does not lose it', () => {
    const {state} = after(['home', 'down', 'enter', {type: 'resize', size: {columns: 20, rows: 6}}, 'G'], CHANGED);
    expect(state.dialogs[0]).toMatchObject({at: 1, reading: {isWhole: false}});
    expect(EMPTY.dialogs).toEqual([]);
  });
});
