import {describe, expect, it} from 'vitest';
import type {ScreenSize} from '../../src/hosts/tui/surface/surface.ts';
import * as send from './events.ts';
import {pictureOf, testScreen, useTestClock, type TestScreen} from './test-screen.ts';

const SIZES: readonly ScreenSize[] = [
  {columns: 40, rows: 10},
  {columns: 80, rows: 24},
  {columns: 200, rows: 50},
];
const EDIT = {path: 'src/date.js', old_string: 'getMonth()', new_string: 'getMonth() + 1'};
const WORK = [
  send.told('Fix the month in src/date.js'),
  send.reasoned('The month counts from 0.'),
  send.called('t1', 'edit', EDIT),
  send.ran('t1', 'edit', EDIT),
  send.output('t1', 'Changed one line.', '1 change'),
  send.asked(2400, 120),
];

/** Two subagents, of which the second has done some work. */
function begin(screen: TestScreen): void {
  screen.dispatch({type: 'submit', text: 'Fix the date parser'});
  screen.dispatch(send.agent('explore-1', 'completed', 'Where is it?'), send.agent('worker-1', 'running', 'Fix the month in src/date.js'));
  screen.dispatch(...send.byAgent('worker-1', ...WORK));
}

const VIEWS: Readonly<Record<string, (screen: TestScreen) => void>> = {
  'one that works': (screen) => {
    screen.press('alt+a');
    screen.dispatch(...send.byAgent('worker-1', send.called('t2', 'bash', {command: 'npm test'}), send.wrote('t2', 'ok 1\nok 2\n')));
    screen.wait(65_000);
  },
  'its calls opened': (screen) => screen.press('alt+a', 'ctrl+o'),
  'the beginning of a long one': (screen) => {
    screen.press('alt+a');
    screen.dispatch(...send.byAgent('worker-1', ...Array.from({length: 30}, (_, at) => send.answered(`Finding ${at}.`, `a${at}`))));
    screen.press('g', 'down');
  },
  'the question of one': (screen) => {
    screen.press('alt+a');
    screen.dispatch(...send.byAgent('worker-1', send.called('t2', 'bash', {command: 'rm -rf build && make'}), send.requested('t2')));
    screen.dispatch(send.approval({agent: 'worker-1'}));
    screen.wait(400);
    screen.press('down');
  },
  'a stall in one': (screen) => {
    screen.press('alt+a');
    screen.wait(12_000);
  },
  'one that is about to be cancelled': (screen) => screen.press('alt+a', 'x'),
  'one that has ended': (screen) => {
    screen.press('alt+a', 'tab');
    screen.dispatch({type: 'agentLog', id: 'explore-1', log: undefined});
  },
  'the list': (screen) => {
    screen.press(...Array.from('/agents'), 'enter', 'down');
  },
};

describe.each(SIZES)('a subagent at $columns×$rows', (size) => {
  it.each(Object.entries(VIEWS))('%s', async (name, show) => {
    await useTestClock();
    const screen = testScreen(size);
    begin(screen);
    show(screen);
    expect(pictureOf(screen)).toMatchSnapshot(name);
    expect(screen.problems).toEqual([]);
  });
});

describe('a question while a subagent is looked at', () => {
  it('is shown there, and answered by a key; the view stays', async () => {
    await useTestClock();
    const screen = testScreen({columns: 80, rows: 24});
    begin(screen);
    screen.press('alt+a');
    screen.dispatch(send.approval({agent: 'worker-1'}));
    screen.press('j');
    expect(screen.effects.map(({type}) => type)).toEqual(['submit', 'agentLog', 'notify']);
    screen.wait(400);
    screen.press('y');
    expect(screen.effects.at(-1)).toEqual({type: 'answer', id: 'q1', reply: {decision: 'once'}});
    expect([screen.state().dialogs, screen.state().overlay?.type, screen.problems]).toEqual([[], 'agent', []]);
  });

  it('leaving brings the conversation back, with what became final meanwhile, once', async () => {
    await useTestClock();
    const screen = testScreen({columns: 80, rows: 24});
    begin(screen);
    screen.press('alt+a');
    screen.dispatch(send.answered('Done.'));
    screen.resize({columns: 60, rows: 20});
    screen.press('escape');
    screen.wait(100);
    const rows = [...screen.terminal.scrollback(), ...screen.terminal.screen()];
    expect([rows.filter((row) => row.includes('Done.')).length, screen.problems]).toEqual([1, []]);
  });
});
