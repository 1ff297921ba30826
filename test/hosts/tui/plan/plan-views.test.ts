import {describe, expect, it} from 'vitest';
import {pictureOf} from '../../../screen/test-screen.ts';
import {testScreen, useTestClock, type TestScreen} from '../../../screen/test-screen.ts';
import {typed} from '../model/play.ts';
import {QUESTION} from './plans.ts';

const asked = (screen: TestScreen): void => {
  screen.dispatch({type: 'plan', id: 'q', question: QUESTION});
  screen.wait(400);
};
const commented = (screen: TestScreen): void => {
  asked(screen);
  screen.press('w', ...typed('In English'), 'enter');
  screen.press('down', 'enter', ...typed('Why is it too large, and for whom?'), 'enter');
  screen.press('down', 's', 'enter', ...typed('too long'), 'enter');
};

/** What is done to see each view. */
const VIEWS: Readonly<Record<string, (screen: TestScreen) => void>> = {
  'a plan': asked,
  'a comment is written': (screen) => {
    asked(screen);
    screen.press('down', 'enter', ...typed('Why?'));
  },
  'comments, and lines that are chosen': (screen) => {
    commented(screen);
    screen.press('down', 'shift+down');
  },
  'the answers': (screen) => {
    asked(screen);
    screen.press('tab', 'down');
  },
  'the answers with comments': (screen) => {
    commented(screen);
    screen.press('tab');
  },
};

describe.each([
  {columns: 40, rows: 10},
  {columns: 80, rows: 24},
  {columns: 200, rows: 50},
])('at $columns×$rows', (size) => {
  it.each(Object.entries(VIEWS))('%s', async (name, show) => {
    await useTestClock();
    const screen = testScreen(size);
    show(screen);
    expect(pictureOf(screen)).toMatchSnapshot(name);
    expect(screen.problems).toEqual([]);
  });
});

describe.each([
  {columns: 20, rows: 6},
  {columns: 10, rows: 2},
  {columns: 400, rows: 100},
])('at $columns×$rows', (size) => {
  it.each(Object.entries(VIEWS))('%s: nothing is outside', async (_, show) => {
    await useTestClock();
    const screen = testScreen(size);
    show(screen);
    for (const columns of [size.columns + 3, size.columns]) screen.resize({...size, columns});
    expect(screen.problems).toEqual([]);
  });
});

it('the conversation is there again when it is answered', async () => {
  await useTestClock();
  const screen = testScreen({columns: 60, rows: 12});
  asked(screen);
  screen.press('tab', 'enter');
  expect([screen.problems, screen.terminal.screen().some((row) => row.includes('Type a task'))]).toEqual([[], true]);
});
