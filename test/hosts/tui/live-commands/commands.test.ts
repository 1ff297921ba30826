import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import type {Overlay, ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {commandScreen} from '../../../../src/hosts/tui/live-commands/command-screen.ts';
import {runningLines} from '../../../../src/hosts/tui/live-commands/running-commands.ts';
import * as send from '../../../screen/events.ts';
import {play, typed, type Move} from '../model/play.ts';
import {background, command, numbered, output, screen} from './cells.ts';

const END = {exitCode: 0, signal: null, timedOut: false, cancelled: false};
const SERVER = command({id: 's1', command: 'npm run dev', isInteractive: false});
const OPEN: readonly Move[] = [background(command()), screen(['hello']), ...typed('/ps t1'), 'enter'];
const overlay = (moves: readonly Move[]): Overlay | undefined => play(moves).state.overlay;
const following = (given: object = {}): object => ({type: 'command', id: 't1', mode: 'following', up: 0, ...given});
const texts = (state: ScreenState): readonly string[] =>
  state.overlay?.type === 'command' ? commandScreen(state, state.overlay).lines.map((line) => plainText(line).trimEnd()) : [];
const foot = (moves: readonly Move[]): string | undefined => texts(play(moves).state).at(-1);

describe('/ps', () => {
  it('says so where nothing runs', () => {
    expect(play([...typed('/ps'), 'enter']).state.entries).toEqual([
      {kind: 'plain', text: 'No command runs in the background.', isDim: true},
    ]);
  });

  it('lists what runs, then what has ended, newest first; Enter opens one', () => {
    const list = background(
      command({end: {...END, exitCode: 2}}),
      SERVER,
      command({id: 't2', end: END}),
      command({id: 's2', isKept: true}),
    );
    const {state} = play([list, 1000, ...typed('/ps'), 'enter']);
    expect(state.overlay).toEqual({
      type: 'picker',
      title: 'Commands',
      command: 'ps',
      query: '',
      at: 0,
      items: [
        {value: 's1', label: 's1  npm run dev', detail: 'runs for 6 s'},
        {value: 's2', label: 's2  less README.md', detail: 'runs for 6 s, goes on after the session'},
        {value: 't2', label: 't2  less README.md', detail: 'ended, exit code 0'},
        {value: 't1', label: 't1  less README.md', detail: 'ended, exit code 2'},
      ],
    });
    expect(play(['down', 'enter'], state).state.overlay).toEqual(following({id: 's2'}));
  });

  it('while a turn runs it is not a task for later', () => {
    const {state, effects} = play([{type: 'submit', text: 'go'}, ...OPEN]);
    expect([state.overlay, state.queue, effects.map(({type}) => type)]).toEqual([following(), [], ['submit', 'remember']]);
  });
});

describe('a command in full', () => {
  it.each<[name: string, keys: readonly Move[], overlay: unknown, effects: readonly unknown[]]>([
    ['Esc leaves', ['escape'], undefined, []],
    ['q leaves', ['q'], undefined, []],
    ['i begins to type', ['i'], following({mode: 'typing'}), []],
    ['x asks', ['x'], following({mode: 'ending'}), []],
    ['x and n: it goes on', ['x', 'n'], following(), []],
    ['x and Esc: it goes on', ['x', 'escape'], following(), []],
    ['x and y ends it', ['x', 'y'], following(), [{type: 'endCommand', id: 't1'}]],
    ['y alone does nothing', ['y'], following(), []],
    ['other keys do nothing', ['z', 'enter', 'f5'], following(), []],
    [
      'typed keys go to it, those of the screen too',
      ['i', 'q', 'escape', 'ctrl+c', 'ctrl+l', 'ctrl+z', 'ctrl+d', 'up', 'enter'],
      following({mode: 'typing'}),
      ['q', '\x1b', '\x03', '\x0c', '\x1a', '\x04', '\x1b[A', '\r'].map((bytes) => ({type: 'typeInto', id: 't1', bytes})),
    ],
    ['Ctrl-] ends typing', ['i', 'ctrl+]'], following(), []],
    ['a key without a code is none', ['i', 'f13'], following({mode: 'typing'}), []],
    [
      'what the program asked of its terminal decides the codes',
      [screen(['x'], {applicationKeys: true, bracketedPaste: true}), 'i', 'up', {type: 'key', key: {type: 'paste', text: 'a\nb'}}],
      following({mode: 'typing'}),
      ['\x1bOA', '\x1b[200~a\rb\x1b[201~'].map((bytes) => ({type: 'typeInto', id: 't1', bytes})),
    ],
    ['its end ends typing', ['i', background(command({end: END}))], following(), []],
    ['its end is no answer to a question', ['x', background(command({end: END})), 'y'], following(), []],
    ['what has ended is not typed into, nor ended', [background(command({end: END})), 'i', 'x'], following(), []],
  ])('%s', (_, keys, expected, effects) => {
    const before = play(OPEN);
    const after = play(keys, before.state);
    expect([after.state.overlay, after.effects]).toEqual([expected, effects]);
  });

  it('a command on pipes cannot be typed into', () => {
    expect(overlay([background(SERVER), ...typed('/ps s1'), 'enter', 'i'])).toEqual(following({id: 's1'}));
  });

  it('output is moved by rows and pages, no further than there is', () => {
    const text = numbered(100).join('\n');
    const open: readonly Move[] = [background(SERVER), output(text), ...typed('/ps s1'), 'enter'];
    const ups = (...keys: readonly Move[]): unknown => overlay([...open, ...keys]);
    expect([ups('up', 'k'), ups('pageup'), ups('g'), ups('g', 'G'), ups('down'), ups('pageup', 'space')]).toEqual(
      [2, 22, 77, 0, 0, 0].map((up) => following({id: 's1', up})),
    );
    expect(texts(play([...open, 'g']).state)[0]).toBe('row 1');
    expect(texts(play(open).state).slice(-2)).toEqual(['row 100', 's1 npm run dev · x ends it · Esc leaves · runs for 5 s']);
  });

  it.each<[name: string, moves: readonly Move[], foot: string]>([
    ['while it runs', [], 't1 less README.md · i types into it · x ends it · Esc leaves · runs for 5 s'],
    ['while the person types', ['i'], 't1 less README.md · YOU TYPE INTO IT · Ctrl-] leaves · runs for 5 s'],
    ['the question', ['x'], 't1 less README.md · End it, with all that it started? y, n · runs for 5 s'],
    ['after its end', [background(command({end: END}))], 't1 less README.md · Esc leaves · ended, exit code 0'],
    [
      'ended by a signal',
      [background(command({end: {...END, exitCode: null, signal: 'SIGKILL'}}))],
      't1 less README.md · Esc leaves · ended by SIGKILL',
    ],
    [
      'ended by a person',
      [background(command({end: {...END, exitCode: null, cancelled: true}}))],
      't1 less README.md · Esc leaves · was ended',
    ],
    ['its time was over', [background(command({end: {...END, timedOut: true}}))], 't1 less README.md · Esc leaves · its time was over'],
    ['gone', [background()], 't1 · Esc leaves · gone'],
    ['a question of the agent waits', [send.approval()], 't1 · A question waits: Esc · i types into it · x ends it · Esc leaves'],
    ['the same while the person types', ['i', send.approval()], 't1 · A question waits: Ctrl-], Esc · YOU TYPE INTO IT · Ctrl-] leaves'],
    ['40 columns', [{type: 'resize', size: {columns: 40, rows: 10}}], 'i types into it · x ends it · Esc leaves'],
    ['30 columns', [{type: 'resize', size: {columns: 30, rows: 10}}], 'i types · x ends · Esc leaves'],
  ])('its last row: %s', (_, moves, expected) => {
    expect(foot([...OPEN, ...moves])).toBe(expected);
  });
});

describe('what is known of commands', () => {
  it('a new list keeps when each was started, and forgets what is gone', () => {
    const {live} = play([background(command(), SERVER), screen(['a']), output('b'), 9000, background(command({ageMs: 14_100}))]).state;
    expect([live.commands.map(({id, startedAt}) => [id, startedAt]), Object.keys(live.contents)]).toEqual([[['t1', -5000]], ['t1']]);
  });

  it('another conversation begins without any', () => {
    expect(play([background(command()), {type: 'switched', folder: 'x', info: {}}]).state.live).toEqual({commands: [], contents: {}});
  });

  it('nothing that comes from an agent steers the terminal, or is wider than it says', () => {
    const {state} = play([
      background(command({command: 'a\x1b[2Jb\nc'})),
      screen(
        [
          [
            {text: 'x\x1b]0;t\x07y', columns: 2},
            {text: 'toolong', columns: 3},
            {text: '日', columns: 1},
            {text: 'a\nb', columns: 5},
          ],
        ],
        {title: 'T\x1b[m'},
      ),
      ...typed('/ps t1'),
      'enter',
    ]);
    const content = state.live.contents['t1'];
    expect(content?.type === 'screen' && [content.screen.lines[0]?.map(({text}) => text), content.screen.title]).toEqual([
      ['xy', 'to…', '…', 'a b  '],
      'T',
    ]);
    expect(texts(state)[0]).toBe('xyto……a b');
    expect(state.live.commands[0]?.command).toBe('ab c');
  });

  it('more than anybody can look at is cut', () => {
    const {live} = play([background(command(), SERVER), output('x'.repeat(100_000)), screen(numbered(600), {rows: 600})]).state;
    const [written, drawn] = [live.contents['s1'], live.contents['t1']];
    expect([
      written?.type === 'output' && [written.text.length, written.isCut],
      drawn?.type === 'screen' && drawn.screen.lines.length,
    ]).toEqual([[65_536, true], 500]);
  });
});

describe('the rows of commands that run', () => {
  const rows = (...moves: readonly Move[]): readonly string[] => runningLines(play(moves).state).map(plainText);

  it('stand there while no call waits for them', () => {
    expect(rows(background(command(), SERVER, command({id: 't2', calls: ['c1']}), command({id: 't3', end: END})))).toEqual([
      '▸ t1 less README.md · /ps opens it',
      '▸ s1 npm run dev',
    ]);
  });

  it('are three at most', () => {
    const many = ['s1', 's2', 's3', 's4'].map((id) => command({id}));
    expect(rows(background(...many))).toEqual(['▸ s1 less README.md · /ps opens it', '▸ s2 less README.md', '  … 2 more run']);
  });
});
