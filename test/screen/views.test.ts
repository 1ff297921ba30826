import {describe, expect, it} from 'vitest';
import type {ScreenSize} from '../../src/hosts/tui/surface/surface.ts';
import * as send from './events.ts';
import {keyOf, pictureOf, testScreen, useTestClock, type TestScreen} from './test-screen.ts';

const INFO = {
  model: 'sonnet',
  mode: 'ask',
  sandbox: 'sandboxed',
  branch: 'main',
  contextTokens: 42_000,
  contextWindow: 200_000,
  costUsd: 0.12,
};
const SIZES: readonly ScreenSize[] = [
  {columns: 40, rows: 10},
  {columns: 80, rows: 24},
  {columns: 200, rows: 50},
];

const typed = (text: string): readonly string[] => Array.from(text, (char) => (char === ' ' ? 'space' : char));
const GO = {type: 'submit', text: 'Fix the date parser'} as const;
const ANSWER =
  'I found **two** faults in `src/date.js`:\n\n1. The *month* counts from 0\n2. No zone\n\n```js\nconst month = date.getMonth() + 1;\n```\n';
const ITEMS = ['sonnet', 'opus', 'haiku'].map((value) => ({value, label: value, detail: `of the family ${value}`}));
const MENTIONS = [
  {value: 'src/date.js', label: 'src/date.js'},
  {value: 'src/date.js:12 (parseDate)', label: 'parseDate', detail: 'function · src/date.js:12'},
  {value: 'docs:file:///dates.md', label: 'docs:file:///dates.md', detail: 'How dates\u001b[2J are written · text/markdown'},
];
const LINES = [
  {value: 'src/date.js:3', label: 'src/date.js:3: const now = new Date();'},
  {value: 'src/hostile.js:7', label: `src/hostile.js:7: \u001b]0;title\u0007\u202e // new Date \u{1F469}\u200d\u{1F4BB}`},
  {value: 'src/long.js:1', label: `src/long.js:1: ${'new Date(); '.repeat(25)}`},
];
const COMMANDS = ['help', 'model', 'mode'].map((name) => ({name, description: `about ${name}`, group: 'session' as const}));

const CHANGED = [
  {path: 'src/date.js', before: 'const month = date.getMonth();\n', after: 'const month = date.getMonth() + 1;\n'},
  {path: 'src/old-date.js', before: 'export {};\n'},
];

/** What is done to see each view. */
const VIEWS: Readonly<Record<string, (screen: TestScreen) => void>> = {
  empty: (screen) => screen.dispatch({type: 'tick'}),
  'a streamed answer': (screen) => {
    screen.dispatch(GO, send.thought('The parser…'), send.reasoned('The parser…'));
    for (const piece of ANSWER.match(/[^]{1,7}/g) ?? []) screen.dispatch(send.said(piece));
    screen.wait(1000);
  },
  'tool calls and a live block': (screen) => {
    screen.dispatch(GO, send.called('t1', 'read', {path: 'src/date.js'}), send.ran('t1', 'read', {path: 'src/date.js'}));
    screen.dispatch(send.output('t1', 'x', '12 lines'), send.ran('t2', 'bash', {command: 'rm -rf /'}, 'denied'));
    screen.dispatch(send.called('t3', 'bash', {command: 'npm test'}), send.wrote('t3', 'ok 1\nok 2\n'));
    screen.wait(2000);
  },
  'a change': (screen) => {
    const edit = {path: 'src/date.js', old_string: 'getMonth()', new_string: 'getMonth() + 1'};
    screen.dispatch(
      GO,
      send.called('t1', 'edit', edit),
      send.ran('t1', 'edit', edit),
      send.ended('success', 'Changed src/date.js. Verified: npm test.'),
    );
  },
  'tasks, agents and the queue': (screen) => {
    screen.dispatch(
      GO,
      send.todo(['Read', 'completed'], ['Fix', 'in_progress'], ['Test', 'pending']),
      send.agent('worker-1', 'running', 'Look at the tests'),
    );
    screen.press(...typed('then commit'), 'enter', ...typed('and push'), 'enter', 'up');
    screen.wait(100);
  },
  'an approval': (screen) => {
    screen.dispatch(GO, send.called('t1', 'bash', {command: 'rm -rf build && make'}), send.approval());
    screen.wait(400);
    screen.press('down');
  },
  'an approval with a text being written': (screen) => {
    screen.dispatch(GO, send.approval());
    screen.wait(400);
    screen.press('f', ...typed('use make'));
  },
  questions: (screen) => {
    screen.dispatch(send.questions({}, {header: 'Size', question: 'Which sizes?', multiple: true}));
    screen.wait(400);
    screen.press('1', 'space', 'down');
  },
  'a picker': (screen) => {
    screen.dispatch({type: 'pick', title: 'Models', command: 'model', items: ITEMS});
    screen.press('down');
  },
  suggestions: (screen) => {
    screen.dispatch({type: 'commands', commands: COMMANDS});
    screen.press(...typed('/mo'), 'down');
  },
  'files, symbols and resources behind @': (screen) => {
    screen.press(...typed('look at @date'));
    screen.dispatch({type: 'suggested', query: 'date', items: MENTIONS});
    screen.press('down');
  },
  'a search of contents behind @/': (screen) => {
    screen.press(...typed('why @/new Date'));
    screen.dispatch({type: 'suggested', query: '/new Date', items: LINES});
  },
  'a picture on the line': (screen) => {
    screen.paste("'/home/me/shot 1.png'");
    screen.dispatch({type: 'pictured', pasted: "'/home/me/shot 1.png'", references: ['shots/shot 1.png', 'a.png']});
  },
  'the search of earlier prompts': (screen) => screen.press('ctrl+r', ...typed('date')),
  help: (screen) => screen.press('?'),
  'the pager': (screen) => {
    screen.dispatch(
      GO,
      send.called('t1', 'bash', {command: 'ls'}),
      send.ran('t1', 'bash', {command: 'ls'}),
      send.output('t1', 'a\nb'),
      send.answered('Done.'),
    );
    screen.press('ctrl+o', 'g');
  },
  'changed files': (screen) => {
    screen.dispatch({type: 'diff', title: 'Changes of this session', files: CHANGED});
    screen.press('down');
  },
  'a changed file': (screen) => {
    screen.dispatch({type: 'diff', title: 'Changes of this session', files: CHANGED});
    screen.press('enter', '/', ...typed('month'), 'enter');
  },
  'a stall and a notice': (screen) => {
    screen.dispatch(GO, send.harness('retry', {message: 'The server is busy: trying again.'}));
    screen.wait(12_000);
  },
  'a text of several rows': (screen) => screen.press(...typed('one'), 'ctrl+j', ...typed('two two'), 'left'),
};

describe.each(SIZES)('at $columns×$rows', (size) => {
  it.each(Object.entries(VIEWS))('%s', async (name, show) => {
    await useTestClock();
    const screen = testScreen({...size, info: INFO, prompts: ['fix the dates']});
    show(screen);
    expect(pictureOf(screen)).toMatchSnapshot(name);
    expect(screen.problems).toEqual([]);
  });
});

describe.each<ScreenSize>([
  {columns: 20, rows: 6},
  {columns: 400, rows: 100},
])('at $columns×$rows', (size) => {
  it.each(Object.entries(VIEWS))('%s: nothing is outside', async (_, show) => {
    await useTestClock();
    const screen = testScreen({...size, info: INFO, prompts: ['fix the dates']});
    show(screen);
    for (const columns of [size.columns + 3, size.columns]) screen.resize({...size, columns});
    expect(screen.problems).toEqual([]);
  });
});

describe('looks', () => {
  it('risky parts of a command, the chosen answer and the mode stand out', async () => {
    await useTestClock();
    const screen = testScreen({columns: 60, rows: 12, info: INFO});
    VIEWS['an approval']?.(screen);
    const looks = screen.terminal.screen().map((_, row) => screen.terminal.looks(row));
    expect(looks.flat().filter(([text]) => /rm -rf|session|^ask$/.test(text))).toMatchInlineSnapshot(`
      [
        [
          "rm -rf build",
          "bold fg:9",
        ],
        [
          "Yes, and allow this rule for the session",
          "inverse",
        ],
        [
          "ask",
          "fg:6",
        ],
      ]
    `);
  });
});

describe('keys and frames', () => {
  it('a key that changes a cell writes that cell', async () => {
    await useTestClock();
    const screen = testScreen({columns: 80, rows: 24, info: INFO});
    screen.press('a');
    screen.terminal.bytes = 0;
    screen.press('b');
    expect(screen.terminal.bytes).toBeLessThan(24);
  });

  it('while nothing happens nothing is written', async () => {
    await useTestClock();
    const screen = testScreen({columns: 80, rows: 24, info: INFO});
    screen.dispatch({type: 'tick'});
    screen.terminal.bytes = 0;
    screen.wait(60_000);
    expect(screen.terminal.bytes).toBe(0);
  });

  it('a size that changes under the pager moves nothing of the conversation', async () => {
    await useTestClock();
    const screen = testScreen({columns: 40, rows: 10, info: INFO});
    screen.dispatch(send.answered('one'), {type: 'key', key: keyOf('ctrl+o')});
    screen.resize({columns: 30, rows: 8});
    screen.press('q');
    expect([screen.problems, screen.terminal.screen()[0]]).toEqual([[], 'one']);
  });

  it('on the alternate screen the pager covers the conversation, and does not leave that screen', async () => {
    await useTestClock();
    const screen = testScreen({columns: 40, rows: 6, surface: 'alternate'});
    screen.dispatch(send.answered('one'));
    const before = pictureOf(screen);
    screen.terminal.frames.length = 0;
    screen.press('ctrl+o');
    const covered = pictureOf(screen);
    screen.press('q');
    expect([pictureOf(screen), screen.problems, covered.includes('arrows')]).toEqual([before, [], true]);
    screen.press('ctrl+o');
    screen.resize({columns: 40, rows: 8});
    screen.press('q');
    expect([screen.terminal.screen()[0], screen.problems]).toEqual(['one', []]);
    expect(screen.terminal.frames.filter((frame) => frame.includes('1049'))).toEqual([]);
    screen.close();
    expect(screen.terminal.frames.filter((frame) => frame.includes('\x1b[?1049l'))).toHaveLength(1);
  });

  it('leaving from the pager shows the conversation', async () => {
    await useTestClock();
    const screen = testScreen({columns: 40, rows: 10});
    screen.press('ctrl+o');
    screen.dispatch(send.answered('came meanwhile'));
    screen.close();
    expect([screen.problems, screen.terminal.screen()[0]]).toEqual([[], 'came meanwhile']);
  });
});
