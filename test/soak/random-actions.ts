import fc from 'fast-check';
import {visibleText} from '../../src/base/visible-text.ts';
import type {Action} from '../../src/hosts/tui/model/action.ts';
import type {ScreenSize} from '../../src/hosts/tui/surface/surface.ts';
import type {LiveCommand, LiveContent} from '../../src/protocol/live-command.ts';
import {hunksOf} from '../../src/text/diff/hunks.ts';
import {keyOf} from '../screen/test-screen.ts';
import * as send from '../screen/events.ts';

/** One thing that happens to the screen. */
export type Step =
  | {readonly type: 'action'; readonly action: Action}
  /** Before the next frame. */
  | {readonly type: 'together'; readonly actions: readonly Action[]}
  | {readonly type: 'resize'; readonly size: ScreenSize}
  | {readonly type: 'wait'; readonly milliseconds: number};

/** From the smallest screen to the largest one that is promised; most are of everyday sizes. */
export const SIZE: fc.Arbitrary<ScreenSize> = fc.oneof(
  {weight: 6, arbitrary: fc.record({columns: fc.integer({min: 20, max: 100}), rows: fc.integer({min: 6, max: 30})})},
  {weight: 1, arbitrary: fc.record({columns: fc.integer({min: 20, max: 400}), rows: fc.integer({min: 6, max: 100})})},
);

const HOSTILE = [
  '\x1b[2J\x1b[H',
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1bc',
  '\u009b31m',
  '\r overwritten',
  '\u202ertl\u202c',
  '\x07\x08\x7f',
  '\ud83d',
  'a\tb\tc',
  '\x1b[?1049h',
  '\u0000',
];
const WORDS = [
  '漢字かな交じり文',
  '👩‍💻👨‍👩‍👧',
  '🇩🇪',
  'e\u0301tude',
  'שלום עולם',
  'مرحبا',
  'a'.repeat(300),
  '`code`',
  '**bold**',
  '1. one',
  'z̷̢̛̪',
  '\ufeff',
  '㍿',
];
const MARKDOWN = [
  '# Title\n\n',
  '- item\n  - inner\n',
  '```js\nconst a = 1;\n',
  '```\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '> quote\n',
  '\n\n',
  '***\n',
];

/** Text of a stranger: words of every width, markup that is not closed, and sequences that would steer a terminal. */
export const TEXT: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      {weight: 4, arbitrary: fc.string({unit: 'grapheme-ascii', maxLength: 40})},
      {weight: 2, arbitrary: fc.constantFrom(...WORDS)},
      {weight: 2, arbitrary: fc.constantFrom(...MARKDOWN)},
      {weight: 1, arbitrary: fc.constantFrom(...HOSTILE)},
      {weight: 1, arbitrary: fc.string({unit: 'binary', maxLength: 10})},
      {weight: 1, arbitrary: fc.constantFrom('\n', ' ', '\n\n')},
    ),
    {maxLength: 6},
  )
  .map((parts) => parts.join(''));

const KEYS = [
  'enter escape tab shift+tab up down left right home end pageup pagedown backspace delete f5 shift+enter alt+b alt+d alt+y ctrl+left',
  'ctrl+c ctrl+d ctrl+j ctrl+k ctrl+l ctrl+o ctrl+r ctrl+s ctrl+t ctrl+u ctrl+w ctrl+y ctrl+_ alt+a alt+r',
  'ctrl+] ctrl+v i j c w d p J',
  'y s a h n f e q g G / ? ! @ \\ space 1 2 3 x 漢 👍🏽 é [ # \u200d',
].flatMap((names) => names.split(' '));

const ID = fc.constantFrom('1', '2', '3');
const TOOL = fc.constantFrom('bash', 'read', 'edit', 'mcp__x__y', 'todo', '\x1b[2Jtool');
const INPUT = fc.oneof(
  TEXT.map((command) => ({command})),
  TEXT.map((path) => ({path, old_string: 'a\nb', new_string: 'a\nc'})),
  TEXT,
);
const OUTCOME = fc.constantFrom('success', 'error', 'denied', 'invalid', 'cancelled', 'loop');
const STATUS = fc.constantFrom('queued', 'running', 'waiting', 'completed', 'failed', 'closed');
const ITEM = fc.record({value: TEXT, label: TEXT, detail: TEXT});
const OPTION = fc.record({label: TEXT, description: TEXT});
const DIALOG = fc.constantFrom('q1', 'q2', 'q3');

const EVENT: fc.Arbitrary<Action> = fc.oneof(
  {weight: 8, arbitrary: fc.tuple(TEXT, ID).map(([text, id]) => send.said(text, id))},
  {weight: 2, arbitrary: fc.tuple(TEXT, ID).map(([text, id]) => send.answered(text, id))},
  fc.tuple(TEXT, ID).map(([text, id]) => send.thought(text, `r${id}`)),
  fc.tuple(TEXT, ID).map(([text, id]) => send.reasoned(text, `r${id}`)),
  {weight: 2, arbitrary: fc.tuple(ID, TOOL, INPUT).map(([id, tool, input]) => send.called(`t${id}`, tool, input))},
  {weight: 3, arbitrary: fc.tuple(ID, TEXT).map(([id, text]) => send.wrote(`t${id}`, text))},
  {weight: 2, arbitrary: fc.tuple(ID, TOOL, INPUT, OUTCOME).map(([id, tool, input, outcome]) => send.ran(`t${id}`, tool, input, outcome))},
  {weight: 2, arbitrary: fc.tuple(ID, TEXT, TEXT).map(([id, text, summary]) => send.output(`t${id}`, text, summary))},
  fc.array(fc.tuple(TEXT, fc.constantFrom('pending', 'in_progress', 'completed')), {maxLength: 12}).map((items) => send.todo(...items)),
  fc
    .tuple(fc.constantFrom('verification_started', 'verification_passed', 'verification_failed', 'stalled'), TEXT)
    .map(([name, message]) => send.harness(name, {message, command: message})),
  fc.tuple(ID, STATUS, TEXT).map(([id, status, task]) => send.agent(`worker-${id}`, status, task)),
  fc.tuple(ID, TOOL, INPUT).map(([id, tool, input]) => send.agentCalled(`worker-${id}`, tool, input)),
  fc.tuple(ID, TEXT).map(([id, by]) => send.resolved(`t${id}`, 'deny', by)),
  fc.constant(send.turnCompleted),
);

const ofAgent = (id: string, event: Action): Action => send.byAgent(`worker-${id}`, event)[0] ?? event;
const withHunks = (diff: {path: string; before: string; after: string}) => ({...diff, hunks: hunksOf(diff.before, diff.after, 0)});

const COMMAND = fc.constantFrom('t1', 's2');
const COMMANDS: fc.Arbitrary<readonly LiveCommand[]> = fc.array(
  fc.record({
    id: COMMAND,
    command: TEXT,
    pid: fc.constant(1),
    isInteractive: fc.boolean(),
    isKept: fc.boolean(),
    ageMs: fc.nat(100_000),
    end: fc.option(fc.constant({exitCode: 1, signal: null, timedOut: false, cancelled: false}), {nil: undefined}),
    calls: fc.subarray(['t1:call', 't2:call']),
  }),
  {maxLength: 2},
);
const RUN = fc.record({text: TEXT, columns: fc.nat(40), look: fc.constantFrom(undefined, {bold: true, fg: 2}, {bg: '#102030' as const})});
const CONTENT: fc.Arbitrary<LiveContent> = fc.oneof(
  fc.record({type: fc.constant('output' as const), text: TEXT, isCut: fc.boolean()}),
  fc.record({
    type: fc.constant('screen' as const),
    screen: fc.record({
      columns: fc.integer({min: 1, max: 120}),
      rows: fc.integer({min: 1, max: 40}),
      lines: fc.array(fc.array(RUN, {maxLength: 4}), {maxLength: 40}),
      cursor: fc.option(fc.record({row: fc.nat(39), column: fc.nat(119)}), {nil: undefined}),
      title: TEXT,
      applicationKeys: fc.boolean(),
      bracketedPaste: fc.boolean(),
    }),
  }),
);
/** Who asks about trust makes it visible. */
const SHOWN = TEXT.map(visibleText);
const TRUST_ITEM = fc.record({
  path: SHOWN,
  change: fc.constantFrom(undefined, 'new' as const, 'changed' as const, 'gone' as const),
  does: fc.array(SHOWN, {maxLength: 3}),
  before: fc.option(SHOWN, {nil: undefined}),
  after: fc.option(SHOWN, {nil: undefined}),
});
const CHOICE = fc.record({label: TEXT, description: TEXT, accepts: fc.boolean()});
const FILE = fc.record({
  path: TEXT,
  before: fc.option(TEXT, {nil: undefined}),
  after: fc.option(TEXT, {nil: undefined}),
  note: fc.option(TEXT, {nil: undefined}),
});

/** Rooms of their own: what covers the conversation, commands that go on, pictures. */
const ROOM: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.tuple(TEXT, fc.array(FILE, {minLength: 1, maxLength: 3})).map(([title, files]): Action => ({type: 'diff', title, files})),
  },
  {weight: 2, arbitrary: COMMANDS.map((commands): Action => ({type: 'background', commands}))},
  {weight: 2, arbitrary: fc.tuple(COMMAND, CONTENT).map(([id, content]): Action => ({type: 'live', id, content}))},
  {weight: 2, arbitrary: fc.constantFrom('/ps', '/ps t1', '/agents', '/help').map((text): Action => ({type: 'submit', text}))},
  fc
    .record({
      folder: SHOWN,
      isChange: fc.boolean(),
      entries: fc.array(TRUST_ITEM, {maxLength: 5}),
      problems: fc.array(SHOWN, {maxLength: 2}),
    })
    .map((question): Action => ({type: 'trust', id: 'q3', question})),
  fc
    .record({plan: TEXT, path: fc.option(TEXT, {nil: undefined}), choices: fc.array(CHOICE, {minLength: 1, maxLength: 4})})
    .map((question): Action => ({type: 'plan', id: 'q3', question})),
  fc
    .tuple(fc.option(TEXT, {nil: undefined}), fc.array(TEXT, {maxLength: 2}))
    .map(([pasted, references]): Action => ({type: 'pictured', pasted, references})),
);

const ACTION: fc.Arbitrary<Action> = fc.oneof(
  {weight: 12, arbitrary: ROOM},
  {weight: 20, arbitrary: fc.constantFrom(...KEYS).map((name): Action => ({type: 'key', key: keyOf(name)}))},
  {weight: 3, arbitrary: TEXT.map((text): Action => ({type: 'key', key: {type: 'paste', text}}))},
  {weight: 20, arbitrary: EVENT},
  {
    weight: 6,
    arbitrary: fc.tuple(ID, EVENT).map(([id, event]) => ofAgent(id, event)),
  },
  fc.tuple(ID, fc.option(fc.array(EVENT, {maxLength: 12}), {nil: undefined}), fc.boolean()).map(([id, events, isCut]): Action => ({
    type: 'agentLog',
    id: `worker-${id}`,
    log: events === undefined ? undefined : {events: events.flatMap((one) => (one.type === 'event' ? [one.event] : [])), isCut},
  })),
  fc.array(EVENT, {maxLength: 8}).map((events): Action => ({
    type: 'replay',
    events: events.flatMap((action) => (action.type === 'event' ? [action.event] : [])),
  })),
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('success', 'failed', 'cancelled', 'limit'), TEXT).map(([how, text]) => send.ended(how, text)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        id: DIALOG,
        tool: TEXT,
        reason: TEXT,
        agent: fc.option(TEXT, {nil: undefined}),
        subject: fc.array(fc.record({text: TEXT, risky: fc.boolean()}), {maxLength: 3}),
        diffs: fc.array(fc.record({path: TEXT, before: TEXT, after: TEXT}).map(withHunks), {maxLength: 2}),
        rules: fc.array(fc.record({rule: TEXT, meaning: TEXT}), {maxLength: 2}),
      })
      .map((question) => send.approval(question)),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.record({header: TEXT, question: TEXT, options: fc.array(OPTION, {maxLength: 4}), multiple: fc.boolean()}), {
        minLength: 1,
        maxLength: 3,
      })
      .map((given) => send.questions(...given)),
  },
  DIALOG.map((id): Action => ({type: 'withdrawn', id})),
  fc.tuple(TEXT, fc.array(ITEM, {maxLength: 20})).map(([title, items]): Action => ({type: 'pick', title, command: 'model', items})),
  fc.array(ITEM, {maxLength: 20}).map((items): Action => ({type: 'suggested', query: '', items})),
  TEXT.map((text): Action => ({type: 'entry', entry: {kind: 'plain', text}})),
  TEXT.map((text): Action => ({type: 'entry', entry: {kind: 'notice', level: 'error', text}})),
  TEXT.map((text): Action => ({type: 'text', text})),
  TEXT.map((text): Action => ({type: 'submit', text})),
  fc.record({model: TEXT, mode: TEXT, branch: TEXT, sandbox: TEXT}).map((info): Action => ({type: 'info', info})),
  fc
    .array(fc.record({name: fc.constantFrom('help', 'model', 'clear'), description: TEXT, group: fc.constant('custom' as const)}), {
      maxLength: 4,
    })
    .map((commands): Action => ({type: 'commands', commands})),
  TEXT.map((folder): Action => ({type: 'switched', folder, info: {}})),
);

const RESIZE = SIZE.map((size): Action => ({type: 'resize', size}));

export const STEP: fc.Arbitrary<Step> = fc.oneof(
  {weight: 30, arbitrary: ACTION.map((action): Step => ({type: 'action', action}))},
  {weight: 2, arbitrary: SIZE.map((size): Step => ({type: 'resize', size}))},
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof({weight: 4, arbitrary: ACTION}, RESIZE), {minLength: 2, maxLength: 5})
      .map((actions): Step => ({type: 'together', actions})),
  },
  {weight: 6, arbitrary: fc.constantFrom(10, 50, 400, 1000, 12_000).map((milliseconds): Step => ({type: 'wait', milliseconds}))},
);
