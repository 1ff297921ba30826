import {describe, expect, it} from 'vitest';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {approval, questions} from '../../../screen/events.ts';
import {drawn, pasted, play, typed, type Move} from '../model/play.ts';

/** A question that has stood there for long enough. */
const ASKED: readonly Move[] = [approval(), drawn, 300];
const answers = (moves: readonly Move[]) => play(moves).effects.filter(({type}) => type === 'answer' || type === 'answers');
const reply = (given: object) => [{type: 'answer', id: 'q1', reply: given}];

describe('an approval', () => {
  it.each<[string, readonly Move[], object]>([
    ['y: once', ['y'], {decision: 'once'}],
    ['s: with the rule, for the session', ['s'], {decision: 'session', rules: ['bash:make *']}],
    ['a: with the rule, always', ['a'], {decision: 'always', rules: ['bash:make *']}],
    ['n: no', ['n'], {decision: 'deny'}],
    ['Esc: no', ['escape'], {decision: 'deny'}],
    ['arrows and Enter', ['down', 'down', 'enter'], {decision: 'always', rules: ['bash:make *']}],
    ['no, and what to do instead', ['f', ...typed('use make'), 'enter'], {decision: 'deny', feedback: 'use make'}],
    ['no, and nothing to say', ['f', 'enter'], {decision: 'deny'}],
    ['letters are text while a text is written', ['f', 'y', 'escape', 'y'], {decision: 'once'}],
    ['with the rule as it was edited', ['e', 'backspace', ...typed('all'), 'enter', 'a'], {decision: 'always', rules: ['bash:make all']}],
    ['a rule that was emptied is the offered one', ['e', 'ctrl+u', 'enter', 's'], {decision: 'session', rules: ['bash:make *']}],
    ['an edit that was left changes nothing', ['e', 'x', 'escape', 's'], {decision: 'session', rules: ['bash:make *']}],
  ])('%s', (_, moves, given) => {
    expect(answers([...ASKED, ...moves])).toEqual(reply(given));
  });

  it.each<[string, readonly Move[]]>([
    ['before it was on the screen', [approval(), 1000, 'y']],
    ['within 300 ms of it', [approval(), drawn, 299, 'y']],
    ['without a pause', [approval(), drawn, 200, 'y', 200, 'y', 299, 'y']],
    ['pasted', [...ASKED, pasted('y')]],
  ])('is not answered by what is typed %s: it goes to the line', (_, moves) => {
    const {state, effects} = play(moves);
    expect([state.editor.text.replaceAll('y', ''), state.editor.text === '', effects.length]).toEqual(['', false, 1]);
  });

  const DIFF: Action = {type: 'diff', title: 'Changes', files: [{path: 'a', before: 'x', after: 'y'}]};
  it.each<[string, readonly Move[]]>([
    ['the whole conversation', [approval(), drawn, 100, 'ctrl+o']],
    ['a diff that was asked for before', [...ASKED, 'down', DIFF]],
  ])('is not answered while it is hidden by %s, nor without a pause after it', (_, hidden) => {
    expect(answers([...hidden, 1000, 'y', 'enter', 1000, 'y'])).toEqual([]);
    expect(answers([...hidden, 1000, 'q', 299, 'y'])).toEqual([]);
    expect(answers([...hidden, 1000, 'q', 300, 'n'])).toEqual(reply({decision: 'deny'}));
  });

  it('PgUp goes back at once, however often PgDn was pressed at the end', () => {
    const long = approval({subject: [{text: Array.from({length: 60}, (_, at) => `line ${at}`).join('\n')}]});
    const scrolled = (...keys: readonly string[]) => {
      const [dialog] = play([long, drawn, 300, ...keys]).state.dialogs;
      return dialog?.type === 'approval' ? dialog.scroll : undefined;
    };
    const down = (times: number) => Array.from({length: times}, () => 'pagedown');
    const end = scrolled(...down(20));
    expect([scrolled(...down(4)), end, scrolled(...down(20), 'pageup')]).toEqual([48, 48, 36]);
  });

  it('offers nothing lasting without rules', () => {
    expect(answers([approval({rules: []}), drawn, 300, 's', 'a', 'e', 'down', 'enter'])).toEqual(reply({decision: 'deny'}));
  });

  it('the next one waits for a pause of its own', () => {
    expect(answers([approval(), approval({id: 'q2'}), drawn, 300, 'y', drawn, 'y', 300, 'n'])).toEqual([
      ...reply({decision: 'once'}),
      {type: 'answer', id: 'q2', reply: {decision: 'deny'}},
    ]);
  });

  it('one that nobody waits for goes', () => {
    expect(play([...ASKED, {type: 'withdrawn', id: 'q1'}]).state.dialogs).toEqual([]);
  });

  it('a person who looks elsewhere is told', () => {
    expect(play([approval()]).effects).toEqual([{type: 'notify', kind: 'question', text: 'Allow this command?'}]);
  });
});

describe('questions of the model (vibe tool system › ask_user_question)', () => {
  const ONE: readonly Move[] = [questions({}), drawn, 300];
  const TWO: readonly Move[] = [questions({}, {header: 'Size', multiple: true}), drawn, 300];
  it.each<[string, readonly Move[], readonly (readonly string[])[] | undefined]>([
    ['Enter takes the first option', [...ONE, 'enter'], [['Red']]],
    ['a digit takes its option', [...ONE, '2'], [['Blue']]],
    ['words of one’s own behind the options', [...ONE, '3', ...typed('green'), 'enter'], [['green']]],
    ['Esc leaves the words, then the question', [...ONE, '3', 'x', 'escape', 'escape'], undefined],
    ['several with Space, Enter goes on', [...TWO, 'enter', 'space', 'down', 'space', 'enter'], [['Red'], ['Red', 'Blue']]],
    ['Space takes a mark away', [...TWO, 'enter', 'space', 'down', 'space', 'up', 'space', 'enter'], [['Red'], ['Blue']]],
    ['Tab goes to another question, and all must have an answer', [...TWO, 'tab', '2', 'enter', 'enter'], [['Red'], ['Blue']]],
    ['an answer can be changed before the last is given', [...TWO, '1', 'left', '2', 'space', 'enter'], [['Blue'], ['Red']]],
  ])('%s', (_, moves, given) => {
    expect(answers(moves)).toEqual([{type: 'answers', id: 'q2', answers: given}]);
  });

  it('are not answered by keys without a pause', () => {
    const {state} = play([questions({}), drawn, 'enter', '1', 299, '1']);
    expect([state.dialogs.length, state.editor.text]).toEqual([1, '11']);
  });
});
