import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import type {Policy} from '../../../src/policy/decision.ts';
import {createCommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import type {ApprovalRequest} from '../../../src/tools/dispatch/dispatch.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset, type ToolsetOptions} from '../support/open-toolset.ts';

async function open(options: ToolsetOptions = {}): Promise<OpenedToolset> {
  const root = await scratch({'sub/a.txt': 'a\n'});
  const spoolDir = join(root, '.spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir}), spoolDir});
  onTestFinished(async () => {
    for (const {pid} of await sessions.endAll()) process.kill(-pid, 'SIGKILL');
  });
  return await openToolset('fettle', root, {...options, context: {sessions, ...options.context}});
}

const ASKS = String.raw`printf '\e]0;Setup\a'; read -rp 'name? ' n; echo "hello $n"; while :; do read -r -t 600 _; done`;

describe('start_command and command_session of fettle: a terminal (vtcode architecture › "PTY session management for interactive commands")', () => {
  const steady = (text: string): string => text.replaceAll(/\d+\.\d s/g, 'N s');

  it('screen, cursor and title; typing; a new size; the list; closing', async () => {
    const tools = await open();
    const texts = [
      await tools.text('start_command', {command: ASKS, pty: true}),
      await tools.text('command_session', {session: 't1', input: 'you\n'}),
      await tools.text('command_session', {session: 't1', rows: 10, columns: 60, wait_ms: 100}),
      await tools.text('command_session', {action: 'list'}),
      await tools.text('command_session', {session: 't1', action: 'close'}),
    ];
    expect(texts.map(steady)).toMatchInlineSnapshot(`
      [
        "name?
      [session t1 runs for N s; cursor at line 1, column 7; title "Setup"; command_session looks again, or write]",
        "name? you
      hello you
      [session t1 runs for N s; cursor at line 3, column 1; title "Setup"; command_session looks again, or write]",
        "name? you
      hello you
      [session t1 runs for N s; cursor at line 3, column 1; title "Setup"; command_session looks again, or write]",
        "t1  runs for N s  printf '\\e]0;Setup\\a'; read -rp 'name? ' n; echo "hello $n"; while :; do read -r -t 600 _; done",
        "name? you
      hello you
      [session t1 ended after N s; exit code none (cancelled; everything it started was killed)]",
      ]
    `);
  });

  it('what a person did to it is told with the next look, once', async () => {
    const root = await scratch();
    const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir: root}), spoolDir: root});
    onTestFinished(async () => void (await sessions.endAll()));
    const tools = await open({context: {sessions}});
    await tools.text('start_command', {command: 'echo ready; read -r _', pty: true});
    sessions.live.note('t1', {type: 'typed', keys: 1});
    const texts = [
      await tools.text('command_session', {session: 't1', wait_ms: 0}),
      await tools.text('command_session', {session: 't1', wait_ms: 0}),
    ];
    sessions.live.note('t1', {type: 'typed', keys: 12});
    sessions.live.note('t1', {type: 'ended'});
    await sessions.find('t1').end();
    texts.push(await tools.text('command_session', {session: 't1', wait_ms: 0}));
    expect(texts.map((text) => steady(text).split('\n').slice(1))).toEqual([
      ['[the user typed 1 key into it]', '[session t1 runs for N s; cursor at line 2, column 1; command_session looks again, or write]'],
      ['[session t1 runs for N s; cursor at line 2, column 1; command_session looks again, or write]'],
      [
        '[the user typed 12 keys into it; the user ended it]',
        '[session t1 ended after N s; exit code none (cancelled; everything it started was killed)]',
      ],
    ]);
  });

  it('its time is limited: then it is ended, with everything it started', async () => {
    const tools = await open();
    const {text, outcome} = await tools.call('start_command', {command: 'sleep 600', pty: true, timeout_s: 1, wait_ms: 60_000});
    expect([outcome, steady(text)]).toEqual([
      'error',
      '[session t1 ended after N s; exit code none (timed out after N s; everything it started was killed)]',
    ]);
  });

  it.each([
    ['start_command', {command: 'true', pty: true, keep: true}, /^Error: A command with a terminal cannot outlive the thread/],
    ['command_session', {session: 's9'}, /^Error: There is no session "s9"\.\nNo command was started in the background\.$/],
    ['command_session', {session: 't1', rows: 4}, /^Error: .*rows/],
  ])('%s %j is refused', async (tool, args, text) => {
    expect(await (await open()).text(tool, args)).toMatch(text);
  });
});

describe('keep: a command that goes on after the session', () => {
  const policy = (rules: readonly string[], mode: Policy['mode'] = 'ask'): Policy => ({
    mode,
    fallback: 'ask',
    rules: rules.map((text) => ({text: text.replace('!', ''), effect: text.startsWith('!') ? 'deny' : 'allow', source: 'user'})),
  });
  const KEEP = {command: 'sleep 600', keep: true, wait_ms: 0};

  it.each<[string, Policy, string, RegExp]>([
    ['a rule for the command does not cover it', policy(['bash:sleep *']), 'denied', /it keeps running after the session; `?sleep 600/],
    ['nor one for all of bash', policy(['bash']), 'denied', /A rule that would allow it: keep:sleep/],
    ['a rule for keep does not cover the command', policy(['keep']), 'denied', /A rule that would allow it: start_command:sleep/],
    [
      'both do',
      policy(['bash:sleep *', 'keep:sleep *']),
      'success',
      /runs for .* s and goes on after the session; command_session looks again\]$/,
    ],
    ['a deny for it holds in every mode', policy(['!keep'], 'full-auto'), 'denied', /it keeps running after the session/],
    ['plan mode refuses it', policy(['bash', 'keep'], 'plan'), 'denied', /mode plan/],
  ])('%s', async (_, rules, outcome, text) => {
    const tools = await open({policy: () => rules, approve: undefined});
    const result = await tools.call('start_command', KEEP);
    expect([result.outcome, result.text]).toEqual([outcome, expect.stringMatching(text)]);
  });

  it('in a sandbox, which ends with the session, it is refused before anybody is asked', async () => {
    const root = await scratch();
    const exec = {...createExecEnvironment({cwd: root, spoolDir: root}), scratchDir: join(root, 'tmp')};
    const tools = await open({context: {exec}, approve: () => expect.unreachable()});
    expect(await tools.text('start_command', KEEP)).toBe(
      'Error: Commands run in a sandbox, which ends with the session: none can outlive it.\nStart it without keep, and tell the user how to start it themselves.',
    );
  });

  it('a person is asked about it as a thing of its own', async () => {
    const asked: ApprovalRequest[] = [];
    const tools = await open({
      policy: () => policy(['bash:sleep *']),
      approve: async (request) => {
        asked.push(request);
        return {decision: 'deny'};
      },
    });
    expect((await tools.call('start_command', KEEP)).outcome).toBe('denied');
    expect(asked.map(({toolName, decision}) => [toolName, decision.reason, decision.wouldAllow])).toMatchInlineSnapshot(`
      [
        [
          "keep",
          "it keeps running after the session; sleep 600: no rule allows it",
          "keep:sleep 600",
        ],
      ]
    `);
  });
});

describe('where a tool may go', () => {
  it('what fettle borrows follows the policy, as its own tools; in its own toolset it stays in the workspace', async () => {
    const outside = await scratch({'x.txt': 'x'});
    const [fettle, blade] = [await open(), await openToolset('blade', await scratch())];
    expect((await fettle.call('get_file_info', {path: join(outside, 'x.txt')})).outcome).toBe('success');
    expect(await blade.text('get_file_info', {path: join(outside, 'x.txt')})).toMatch(/^tool_error: .*outside/s);
    const vibe = await openToolset('vibe', await scratch());
    expect((await vibe.call('read_file', {path: join(outside, 'x.txt')})).outcome).toBe('success');
    expect((await vibe.call('write_file', {path: join(outside, 'y.txt'), content: ''})).outcome).toBe('error');
    await expect(readFile(join(outside, 'y.txt'))).rejects.toMatchObject({code: 'ENOENT'});
  });
});
