import {expect, it} from 'vitest';
import type {Action} from '../../src/hosts/tui/model/action.ts';
import * as send from './events.ts';
import {testScreen, useTestClock, type TestScreen} from './test-screen.ts';

const ITEMS = Array.from({length: 40}, (_, at) => ({value: `v${at}`, label: `value ${at}`}));

it.each<[string, (screen: TestScreen) => void]>([
  ['help', (screen) => screen.press('?')],
  ['a picker', (screen) => screen.dispatch({type: 'pick', title: 'Models', command: 'model', items: ITEMS})],
  ['the pager', (screen) => screen.press('ctrl+o')],
  ['changed files', (screen) => screen.dispatch({type: 'diff', title: 'Changes', files: [{path: 'a', before: 'x\n', after: 'y\n'}]})],
])('the screen is as it was once %s is closed', async (_, open) => {
  await useTestClock();
  const screen = testScreen({columns: 60, rows: 16});
  screen.dispatch(send.answered(Array.from({length: 40}, (_line, at) => `line ${at}`).join('\n\n')));
  const before = [screen.terminal.scrollback(), screen.terminal.screen(), screen.terminal.cursor()];
  open(screen);
  expect(screen.terminal.screen()).not.toEqual(before[1]);
  screen.press('escape');
  expect([screen.terminal.scrollback(), screen.terminal.screen(), screen.terminal.cursor()]).toEqual(before);
  expect(screen.problems).toEqual([]);
});

it('a question that comes up is on the screen, whatever list is open', async () => {
  await useTestClock();
  const screen = testScreen({columns: 60, rows: 16});
  screen.dispatch({type: 'pick', title: 'Models', command: 'model', items: ITEMS});
  screen.dispatch(send.questions({}));
  expect(screen.terminal.screen().join('\n')).toContain('Which colour?');
  expect(screen.problems).toEqual([]);
});

it('a resize before what was opened is on the screen: the conversation is drawn anew once it is closed', async () => {
  await useTestClock();
  const screen = testScreen({columns: 20, rows: 8});
  screen.dispatch(send.answered('one\n\ntwo\n\nthree'));
  const pick: Action = {type: 'pick', title: 'Models', command: 'model', items: ITEMS};
  screen.dispatch(pick, {type: 'resize', size: {columns: 20, rows: 4}});
  screen.press('escape');
  expect(screen.problems).toEqual([]);
  expect(screen.terminal.screen()).toEqual(['', 'three', '› Type a task, / fo…', 'project       ? help']);
});

it('on the alternate screen a resize before what was opened is on the screen leaves nothing of the conversation', async () => {
  await useTestClock();
  const screen = testScreen({columns: 20, rows: 7, surface: 'alternate'});
  screen.dispatch(send.approval({subject: [], rules: []}));
  const diff: Action = {type: 'diff', title: '', files: [{path: 'a', before: '', after: ''}]};
  screen.dispatch(diff, {type: 'resize', size: {columns: 20, rows: 6}});
  expect(screen.problems).toEqual([]);
  expect(screen.terminal.screen()).toEqual(['a', '', '', '', '', 'A question waits: E…']);
});

it('a plan that is asked while a list is open is answered by the keys that come after it was seen', async () => {
  await useTestClock();
  const screen = testScreen({columns: 60, rows: 16});
  const choices = [{label: 'Accept', description: '', accepts: true}];
  screen.dispatch(
    {type: 'pick', title: 'Models', command: 'model', items: ITEMS},
    {type: 'plan', id: 'p', question: {plan: 'Go.', choices}},
  );
  screen.wait(300);
  screen.press('escape');
  expect(screen.effects.filter(({type}) => type === 'planReply')).toEqual([{type: 'planReply', id: 'p', reply: undefined}]);
  expect(screen.problems).toEqual([]);
});
