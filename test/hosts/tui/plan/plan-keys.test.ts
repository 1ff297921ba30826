import {beforeAll, describe, expect, it} from 'vitest';
import type {PlanQuestion} from '../../../../src/hosts/tui/plan/plan-question.ts';
import {chosenLines, type PlanDialog} from '../../../../src/hosts/tui/plan/plan-dialog.ts';
import {loadMarkdown} from '../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {drawn, pasted, play, typed, type Move, type Played} from '../model/play.ts';
import {QUESTION} from './plans.ts';

beforeAll(loadMarkdown);

const after = (moves: readonly Move[], question: PlanQuestion = QUESTION): Played =>
  play([{type: 'plan', id: 'q', question}, drawn, 400, ...moves]);
const replies = ({effects}: Played): unknown => effects.filter(({type}) => type !== 'notify');
const dialogOf = ({state}: Played): PlanDialog | undefined => {
  const [dialog] = state.dialogs;
  return dialog?.type === 'plan' ? dialog : undefined;
};
const chosen = (played: Played): unknown => {
  const dialog = dialogOf(played);
  if (dialog === undefined) return undefined;
  const {first, last} = chosenLines(dialog);
  return [first, last];
};
const comments = (played: Played): unknown =>
  dialogOf(played)?.comments.map(({lines, text}) => [lines === undefined ? 'whole' : `${lines.first}-${lines.last}`, text]);
const comment = (text: string): readonly string[] => ['enter', ...typed(text), 'enter'];
const reply = (choice: string, given: readonly unknown[] = []) => ({type: 'planReply', id: 'q', reply: {choice, comments: given}});

describe('choosing lines', () => {
  it.each<readonly [string, readonly string[], readonly number[]]>([
    ['the first at the beginning', [], [1, 1]],
    ['Down: the next that has a text', ['down'], [3, 3]],
    ['j and k', ['j', 'j', 'k'], [3, 3]],
    ['not above the first', ['up', 'up'], [1, 1]],
    ['a table as a whole', ['down', 'down', 'down', 'down', 'down', 'down'], [11, 13]],
    ['the last', ['G'], [19, 19]],
    ['not below it', ['end', 'down', 'pagedown'], [19, 19]],
    ['and back', ['G', 'g'], [1, 1]],
    ['a page', ['pagedown'], [19, 19]],
    ['Shift-Down: more lines', ['down', 'down', 'down', 'shift+down', 'shift+down'], [7, 9]],
    ['Shift-Up: fewer', ['down', 'down', 'down', 'J', 'J', 'K'], [7, 8]],
    ['Down ends that', ['shift+down', 'shift+down', 'down'], [7, 7]],
    ['Esc ends it, and answers nothing', ['shift+down', 'escape'], [3, 3]],
    ['s: the section', ['down', 'down', 'down', 's'], [5, 13]],
  ])('%s', (_, keys, lines) => {
    const played = after(keys);
    expect([chosen(played), replies(played)]).toEqual([lines, []]);
  });

  it('a line that is higher than the screen scrolls before the next is chosen', () => {
    const long = {...QUESTION, plan: `${'word '.repeat(100)}\nnext`};
    const small = {type: 'resize', size: {columns: 20, rows: 6}} as const;
    const skips = [0, 1, 40].map((count) => {
      const dialog = dialogOf(after([small, ...Array.from({length: count}, () => 'down')], long));
      return [dialog?.at, dialog?.skip];
    });
    expect(skips).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('a plan without a text can be answered', () => {
    expect(replies(after(['down', 'tab', 'enter'], {...QUESTION, plan: '\n\n'}))).toEqual([reply('Yes, accept edits')]);
  });
});

describe('comments', () => {
  it.each<readonly [string, readonly Move[], unknown]>([
    ['on a line', ['down', ...comment('why?')], [['3-3', 'why?']]],
    ['c begins one as well', ['c', 'x', 'enter'], [['1-1', 'x']]],
    ['on a section', ['down', 'down', 's', ...comment('shorter')], [['5-13', 'shorter']]],
    ['on several lines', ['down', 'down', 'down', 'shift+down', ...comment('x')], [['7-8', 'x']]],
    ['on the whole', ['w', 'x', 'enter'], [['whole', 'x']]],
    [
      'in the order of the lines',
      ['G', ...comment('last'), 'g', ...comment('first'), 'w', 'x', 'enter'],
      [
        ['whole', 'x'],
        ['1-1', 'first'],
        ['19-19', 'last'],
      ],
    ],
    ['edited', [...comment('on'), 'enter', 'e', 'enter'], [['1-1', 'one']]],
    ['edited from a line of it', ['down', 'down', 'down', 'shift+down', ...comment('a'), 'up', 'enter', 'b', 'enter'], [['7-8', 'ab']]],
    ['Esc leaves one as it was', [...comment('on'), 'enter', 'e', 'escape'], [['1-1', 'on']]],
    ['an empty one is none', ['enter', 'space', 'enter'], []],
    ['made empty it goes', [...comment('x'), 'enter', 'backspace', 'enter'], []],
    ['d removes', [...comment('x'), 'd'], []],
    ['d elsewhere does not', [...comment('x'), 'down', 'd'], [['1-1', 'x']]],
    ['pasted', ['enter', pasted('two\nlines'), 'enter'], [['1-1', 'two\nlines']]],
    ['with a line end', ['enter', 'a', 'shift+enter', 'b', 'enter'], [['1-1', 'a\nb']]],
    ['keys of the plan are text in them', ['enter', ...typed('swdGa'), 'enter'], [['1-1', 'swdGa']]],
  ])('%s', (_, moves, expected) => {
    const played = after(moves);
    expect([comments(played), replies(played)]).toEqual([expected, []]);
  });
});

describe('answers', () => {
  const one = [{lines: {first: 1, last: 1}, text: 'x'}];
  it.each<readonly [string, readonly Move[], unknown]>([
    ['Esc leaves it as it is', ['escape'], {type: 'planReply', id: 'q', reply: undefined}],
    ['Tab and Enter accepts', ['tab', 'enter'], reply('Yes, accept edits')],
    ['another way', ['a', 'down', 'enter'], reply('Yes, ask me')],
    ['keep planning', ['tab', 'down', 'down', 'enter'], reply('Keep planning')],
    ['the last leaves', ['tab', 'down', 'down', 'down', 'down', 'enter'], {type: 'planReply', id: 'q', reply: undefined}],
    ['with comments the plan goes back', [...comment('x'), 'tab', 'enter'], reply('Keep planning', one)],
    ['or is accepted with them', [...comment('x'), 'tab', 'up', 'up', 'enter'], reply('Yes, accept edits', one)],
    ['Esc does not lose them: the answers come', [...comment('x'), 'escape', 'enter'], reply('Keep planning', one)],
    ['where they can be dropped', [...comment('x'), 'escape', 'down', 'enter'], {type: 'planReply', id: 'q', reply: undefined}],
  ])('%s', (_, moves, effect) => {
    const played = after(moves);
    expect([replies(played), played.state.dialogs]).toEqual([[effect], []]);
  });

  it('Esc goes from the answers back to the plan', () => {
    const played = after(['down', 'tab', 'down', 'escape']);
    expect([chosen(played), dialogOf(played)?.answering, replies(played)]).toEqual([[3, 3], undefined, []]);
  });

  it('keys that were typed before it stood there are no answer', () => {
    const played = play([{type: 'plan', id: 'q', question: QUESTION}, 'tab', drawn, 'a', 200, 'escape', pasted('x')]);
    expect([dialogOf(played)?.comments, replies(played)]).toEqual([[], []]);
  });
});
