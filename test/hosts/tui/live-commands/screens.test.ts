import {beforeEach, describe, expect, it} from 'vitest';
import type {ScreenSize} from '../../../../src/hosts/tui/surface/surface.ts';
import * as send from '../../../screen/events.ts';
import {testScreen, useTestClock, type TestScreen} from '../../../screen/test-screen.ts';
import {background, command, numbered, output, run, screen} from './cells.ts';

const SIZES: readonly ScreenSize[] = [
  {columns: 40, rows: 10},
  {columns: 80, rows: 24},
  {columns: 200, rows: 50},
];
const WAITED = command({calls: ['t1:call'], command: 'htop'});
const DRAWN = screen(
  [
    [
      run(' CPU ', {bg: 4, bold: true}),
      run(' 42 %', {fg: '#ff8700'}),
      run(' of the machine is busy, and it says so in a long row of text that goes on'),
    ],
    '',
    ...numbered(26),
    [run('F10', {inverse: true}), run(' quit')],
  ],
  {columns: 100, rows: 30, cursor: {row: 28, column: 8}},
);
const CALLED = [{type: 'submit', text: 'Look at it'} as const, send.called('t1', 'start_command', {command: 'htop', pty: true})];

const VIEWS: Readonly<Record<string, (screen: TestScreen) => void>> = {
  'a call that waits for a terminal': (at) => {
    at.dispatch(...CALLED, background(WAITED), DRAWN);
    at.wait(2000);
  },
  'commands that go on': (at) => {
    at.dispatch(background(command(), command({id: 's1', command: 'npm run dev', isInteractive: false})));
    at.wait(100);
  },
  'a terminal in full': (at) => {
    at.dispatch(background(command()), DRAWN);
    at.press('/', 'p', 's', 'space', 't', '1', 'enter');
    at.wait(100);
  },
  'output in full': (at) => {
    at.dispatch(background(command({id: 's1', command: 'npm run dev', isInteractive: false})), output(numbered(60).join('\n'), 's1', true));
    at.press('/', 'p', 's', 'space', 's', '1', 'enter');
    at.wait(100);
  },
};

describe('terminals on the screen', () => {
  beforeEach(useTestClock);

  it.each(Object.keys(VIEWS).flatMap((view) => SIZES.map((size) => ({view, ...size}))))(
    '$view, $columns columns',
    ({view, columns, rows}) => {
      const at = testScreen({columns, rows});
      VIEWS[view]?.(at);
      expect(at.problems).toEqual([]);
      expect(at.terminal.screen().join('\n').trimEnd()).toMatchSnapshot();
    },
  );

  it('cells have their own looks, with the colours that there are; the cursor is a cell', () => {
    const at = testScreen({columns: 80, rows: 24});
    at.dispatch(
      ...CALLED,
      background(WAITED),
      screen([[run('ab', {fg: 1}), run('c', {bg: '#102030', bold: true}), run('d')]], {cursor: {row: 0, column: 3}}),
    );
    at.wait(100);
    const row = at.terminal.screen().findIndex((text) => text.includes('│ abcd'));
    expect(at.terminal.looks(row).slice(1)).toEqual([
      ['ab', 'fg:1'],
      ['c', 'bold bg:#102030'],
      ['d', 'inverse'],
    ]);
  });

  it('while the person types, the cursor of the terminal stands where the program has it', () => {
    const at = testScreen({columns: 80, rows: 24});
    at.dispatch(background(command()), screen(['$ ls', '$ '], {cursor: {row: 1, column: 2}}));
    at.press('/', 'p', 's', 'space', 't', '1', 'enter');
    at.wait(100);
    const before = at.terminal.cursor();
    at.press('i');
    at.wait(100);
    expect([before.isShown, at.terminal.cursor()]).toEqual([false, {row: 1, column: 2, isShown: true}]);
  });

  it('a command that has written nothing, in full on a narrow screen', () => {
    const at = testScreen({columns: 20, rows: 6});
    at.dispatch(background(command({id: 's1', command: 'sleep 9', isInteractive: false})), {type: 'submit', text: '/ps s1'});
    expect([at.problems, at.terminal.screen()[0]]).toEqual([[], 'Nothing was written…']);
  });

  it('follows what changes, at most with the frames of events, and is drawn anew by a resize', () => {
    const at = testScreen({columns: 80, rows: 24});
    at.dispatch(...CALLED, background(WAITED));
    at.wait(1000);
    const from = at.terminal.frames.length;
    for (let round = 0; round < 100; round += 1) {
      at.dispatch(screen([`round ${round}`], {cursor: {row: 0, column: 0}}));
      at.wait(1);
    }
    at.wait(100);
    expect([at.terminal.frames.length - from <= 5, at.terminal.screen().join('\n')]).toEqual([true, expect.stringContaining('│ round 99')]);
    at.resize({columns: 40, rows: 10});
    at.wait(100);
    expect([at.problems, at.terminal.screen().join('\n')]).toEqual([[], expect.stringContaining('│ round 99')]);
  });

  it('a resize in full, then back to the conversation', () => {
    const at = testScreen({columns: 80, rows: 24});
    at.dispatch(...CALLED, background(command()), DRAWN);
    at.press('/', 'p', 's', 'space', 't', '1', 'enter');
    at.resize({columns: 40, rows: 10});
    at.wait(100);
    expect(at.terminal.screen().slice(-2)).toEqual(['F10 quit ', 'i types into it · x ends it · Esc leaves']);
    at.press('escape');
    at.wait(100);
    expect([at.problems, at.terminal.screen().join('\n')]).toEqual([[], expect.stringContaining('▸ t1 less README.md')]);
  });

  it('while nothing changes nothing is written', () => {
    const at = testScreen({columns: 80, rows: 24});
    at.dispatch(background(command()), screen(['a']));
    at.wait(100);
    const from = at.terminal.frames.length;
    at.wait(60_000);
    expect(at.terminal.frames.length).toBe(from);
  });
});
