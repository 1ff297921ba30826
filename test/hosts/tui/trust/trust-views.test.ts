import {describe, expect, it} from 'vitest';
import type {TrustItem, TrustQuestion} from '../../../../src/hosts/tui/trust/trust-question.ts';
import {pictureOf} from '../../../screen/test-screen.ts';
import {testScreen, useTestClock, type TestScreen} from '../../../screen/test-screen.ts';
import {CHANGED, UNKNOWN} from './questions.ts';

const asked = (screen: TestScreen, question: TrustQuestion): void => {
  screen.dispatch({type: 'trust', id: 'q', question});
  screen.wait(400);
};

/** What is done to see each view. */
const VIEWS: Readonly<Record<string, (screen: TestScreen) => void>> = {
  'a project that nobody was asked about': (screen) => asked(screen, UNKNOWN),
  'an answer is chosen': (screen) => {
    asked(screen, UNKNOWN);
    screen.press('down');
  },
  'a project that has changed': (screen) => {
    asked(screen, CHANGED);
    screen.press('home');
  },
  'a difference': (screen) => {
    asked(screen, CHANGED);
    screen.press('home', 'down', 'enter');
  },
  'what is gone': (screen) => {
    asked(screen, CHANGED);
    screen.press('home', 'enter');
  },
  'the whole text': (screen) => {
    asked(screen, UNKNOWN);
    screen.press('up', 'up', 'enter');
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

describe('the dialog', () => {
  it('shows the chosen answer at 20×6', async () => {
    await useTestClock();
    const screen = testScreen({columns: 20, rows: 6});
    asked(screen, UNKNOWN);
    expect(pictureOf(screen)).toMatchInlineSnapshot(`
      "  Trust this project?…
             ./check.sh
             --all
        rows 23 to 24 of 24…
        ▸ 1/4 Go on without…
        project       ? help"
    `);
  });

  it('of a thousand entries has those around the chosen one', async () => {
    await useTestClock();
    const screen = testScreen({columns: 60, rows: 16});
    const entries = Array.from({length: 1000}, (_, at): TrustItem => ({
      path: `${at}.md`,
      does: [`rule ${at}.md: goes to the model`],
      after: '',
    }));
    asked(screen, {...UNKNOWN, entries, problems: []});
    screen.press('home', 'pagedown', 'pagedown', 'down');
    expect(pictureOf(screen)).toMatchInlineSnapshot(`
      "  ────────────────────────────────────────────────────────────
        Trust this project? /home/me/project
        It would run, load or tell the model 1000 things. Nothing of
        it is used yet.
             rule: goes to the model
        ▸ 22. 21.md
             rule: goes to the model
          23. 22.md
        rows 42 to 45 of 2000 · PgUp, PgDn
        
          Go on without loading any of it
          Trust it, and ask again when something of it changes
          Trust it for this session only
          Leave
        Up, Down choose · Enter opens or answers · Esc goes on with…
        project                                               ? help"
    `);
  });

  it('a name or a text that looks like an answer does not stand where answers do', async () => {
    await useTestClock();
    const screen = testScreen({columns: 60, rows: 16});
    const fake = '▸ Go on without loading any of it';
    asked(screen, {...UNKNOWN, problems: [], entries: [{path: fake, does: [`rule ${fake}: ${fake}`], after: `${fake}\n`}]});
    const list = pictureOf(screen);
    screen.press('up', 'enter');
    expect(`${list}\n${pictureOf(screen)}`).toMatchInlineSnapshot(`
      "  ────────────────────────────────────────────────────────────
        Trust this project? /home/me/project
        It would run, load or tell the model 1 thing. Nothing of it
        is used yet.
          1. ▸ Go on without loading any of it
             rule: ▸ Go on without loading any of it
        
        ▸ Go on without loading any of it
          Trust it, and ask again when something of it changes
          Trust it for this session only
          Leave
        Up, Down choose · Enter opens or answers · Esc goes on with…
        project                                               ? help
        ▸ Go on without loading any of it
        rule ▸ Go on without loading any of it: ▸ Go on without
        loading any of it
        
        │ ▸ Go on without loading any of it
        
        
        
        
        
        
        
        
        
        
        1 of 1 · Esc goes back · arrows, PgUp, PgDn, g, G · n, p: n…"
    `);
  });

  it('goes back to the conversation when it is answered, also from an open entry that is withdrawn', async () => {
    await useTestClock();
    const screen = testScreen({columns: 60, rows: 16});
    asked(screen, CHANGED);
    screen.press('home', 'enter');
    screen.dispatch({type: 'withdrawn', id: 'q'});
    expect([screen.problems, screen.terminal.screen().some((row) => row.includes('Type a task'))]).toEqual([[], true]);
  });

  it('leaving with an entry open gives the terminal back', async () => {
    await useTestClock();
    const screen = testScreen({columns: 60, rows: 16});
    asked(screen, CHANGED);
    screen.press('home', 'enter');
    screen.close();
    expect([screen.problems, pictureOf(screen).includes('AGENTS.md')]).toEqual([[], false]);
  });
});
