import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import type {LiveCommand, LiveContent} from '../../../src/protocol/live-command.ts';
import {createLiveCommands, type LiveCommands} from '../../../src/sdk/live/live-commands.ts';
import {personAsides} from '../../../src/sdk/live/person-asides.ts';
import {createCommandSessions, type CommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import {scratch} from '../../support/scratch.ts';

const LIMITS = {timeoutMs: 60_000, capture: {headBytes: 1000, tailBytes: 1000}};
const TERMINAL = {columns: 40, rows: 10, timeoutMs: 60_000};

interface Opened {
  readonly sessions: CommandSessions;
  readonly live: LiveCommands;
  readonly acts: string[];
}

async function open(secrets: readonly string[] = []): Promise<Opened> {
  const root = await scratch();
  const spoolDir = join(root, 'spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir, env: process.env}), spoolDir});
  onTestFinished(async () => void (await sessions.endAll()));
  const acts: string[] = [];
  return {sessions, acts, live: createLiveCommands({sessions, secrets, onAct: () => void acts.push('act')})};
}

const piped = (shell: string) => ({command: shell, spec: {shell, ...LIMITS}});

/** Follows a command until it shows the text; resolves to what it shows then. */
async function shows(live: LiveCommands, id: string, text: string): Promise<LiveContent> {
  const found = Promise.withResolvers<LiveContent>();
  const stop = live.watch(id, (content) => (textOf(content).includes(text) ? found.resolve(content) : undefined));
  onTestFinished(stop);
  const content = await found.promise;
  stop();
  return content;
}

function textOf(content: LiveContent): string {
  if (content.type === 'output') return content.text;
  return content.screen.lines.map((line) => line.map(({text}) => text).join('')).join('\n');
}

/** Resolves with the first list that fits. */
async function listed(live: LiveCommands, fits: (commands: readonly LiveCommand[]) => boolean): Promise<readonly LiveCommand[]> {
  const found = Promise.withResolvers<readonly LiveCommand[]>();
  const look = (commands: readonly LiveCommand[]): void => (fits(commands) ? found.resolve(commands) : undefined);
  const stop = live.onChange(look);
  look(live.list());
  const commands = await found.promise;
  stop();
  return commands;
}

/** What a call throws, in a line. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'nothing was thrown';
  } catch (error) {
    const {code, message} = error as {code: string; message: string};
    return `${code} ${message}`;
  }
}

describe.runIf(process.platform === 'linux')('thread.live', () => {
  it('lists what was started, with its end', async () => {
    const {sessions, live} = await open();
    await sessions.start(piped('echo out; exit 3'));
    const waiting = await sessions.open({command: 'read -r _', ...TERMINAL});
    const commands = await listed(live, ([first]) => first?.end !== undefined);
    expect(commands).toEqual([
      {
        id: 's1',
        command: 'echo out; exit 3',
        pid: expect.any(Number),
        isInteractive: false,
        isKept: false,
        ageMs: expect.any(Number),
        end: {exitCode: 3, signal: null, timedOut: false, cancelled: false},
        calls: [],
      },
      {id: 't1', command: 'read -r _', pid: waiting.pid, isInteractive: true, isKept: false, ageMs: expect.any(Number), calls: []},
    ]);
  });

  it('tells which calls wait for one', async () => {
    const {sessions, live} = await open();
    await sessions.open({command: 'read -r _', ...TERMINAL});
    const release = sessions.live.attach('t1', 'call-1');
    const [during] = await listed(live, ([one]) => (one?.calls.length ?? 0) > 0);
    release();
    const [after] = await listed(live, ([one]) => one?.calls.length === 0);
    expect([during?.calls, after?.calls]).toEqual([['call-1'], []]);
  });

  it('a screen is followed, typed into, and seen after its end; the reader of the model misses nothing', async () => {
    const {sessions, live, acts} = await open();
    const session = await sessions.open({command: 'read -rp "name? " n; printf "\\e[32mhi $n"; read -r _; echo over', ...TERMINAL});
    await shows(live, 't1', 'name?');
    live.type('t1', 'you\r');
    const content = await shows(live, 't1', 'hi you');
    expect(content).toMatchObject({type: 'screen', screen: {columns: 40, rows: 10, cursor: {row: 1, column: 6}}});
    expect(content.type === 'screen' && content.screen.lines[1]).toEqual([{text: 'hi you', columns: 6, look: {fg: 2}}]);
    await session.watch(AbortSignal.timeout(60_000));
    await live.end('t1');
    expect(textOf(await shows(live, 't1', 'hi you'))).toBe('name? you\nhi you');
    expect([acts, sessions.live.takeNotes('t1')]).toEqual([
      ['act', 'act'],
      ['the user typed 4 keys into it', 'the user ended it'],
    ]);
  });

  it('output is followed to its end, the newest of it, while the model reads it as well', async () => {
    const {sessions, live} = await open();
    const session = await sessions.start(piped('seq 5000; echo last'));
    const content = await shows(live, 's1', 'last');
    expect(content).toMatchObject({type: 'output', isCut: true});
    expect(textOf(content)).toHaveLength(16_384);
    const watching = session.watch(AbortSignal.timeout(60_000));
    let output = '';
    for (let step = await watching.next(); step.done !== true; step = await watching.next()) output += step.value.text;
    expect(output.endsWith('5000\nlast\n')).toBe(true);
  });

  it('has no secrets in it', async () => {
    const {sessions, live} = await open(['hunter2-hunter2']);
    await sessions.open({command: 'echo "key hunter2-hunter2 end"; read -r _', ...TERMINAL});
    const content = await shows(live, 't1', 'end');
    expect([textOf(content).includes('hunter2'), live.list()[0]?.command.includes('hunter2')]).toEqual([false, false]);
  });

  it('what cannot be done is refused', async () => {
    const {sessions, live} = await open();
    await sessions.start(piped('true'));
    await sessions.open({command: 'true', ...TERMINAL});
    await listed(live, (commands) => commands.every(({end}) => end !== undefined));
    const listener = (): void => undefined;
    const calls = [
      () => live.watch('t9', listener),
      () => live.type('t9', 'x'),
      () => live.end('t9'),
      () => live.type('s1', 'x'),
      () => live.type('t1', 'x'),
      () => live.type('t1', 'x'.repeat(65_537)),
      () => live.type('t1', ''),
      () => live.watch('t1', 'x' as never),
    ];
    expect(await Promise.all(calls.map(refusal))).toEqual([
      'NOT_FOUND There is no session "t9".',
      'NOT_FOUND There is no session "t9".',
      'NOT_FOUND There is no session "t9".',
      'UNAVAILABLE Session "s1" has no terminal to type into.',
      'UNAVAILABLE Session t1 has ended.',
      'LIMIT More than 65536 characters cannot be typed at once.',
      'BAD_ARGS thread.live.type: bytes must be a text that is not empty, not "".',
      'BAD_ARGS thread.live.watch: listener must be a function, not "x".',
    ]);
    expect(personAsides(sessions)).toEqual([]);
  });

  it('what a person did is told once: with the next look, or in front of the next prompt; never what was typed', async () => {
    const {sessions, live} = await open();
    await sessions.open({command: 'stty -echo; echo ready; read -r _; read -r _', ...TERMINAL});
    await shows(live, 't1', 'ready');
    live.type('t1', 'hunter2\r');
    live.type('t1', '\x1b[200~two words\x1b[201~');
    live.type('t1', '\x1b[1;5A\x1bOP\x1bx');
    expect([personAsides(sessions), personAsides(sessions)]).toEqual([
      ['<user_action>\nIn session t1 (stty -echo; echo ready; read -r _; read -r _): the user typed 20 keys into it.\n</user_action>'],
      [],
    ]);
  });
});
