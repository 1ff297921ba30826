import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {openCommandTerminal, type CommandTerminal, type TerminalRequest} from '../../../src/exec/terminal/terminal.ts';
import type {Policy} from '../../../src/policy/decision.ts';
import {createCommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset, type ToolsetOptions} from '../support/open-toolset.ts';

async function open(options: ToolsetOptions = {}, toolset = 'vtcode'): Promise<OpenedToolset & {endAll(): Promise<void>}> {
  const root = await scratch();
  const spoolDir = join(root, '.spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir}), spoolDir});
  const endAll = async (): Promise<void> => void (await sessions.endAll());
  onTestFinished(endAll);
  const tools = await openToolset(toolset, root, {...options, context: {sessions, ...options.context}});
  return {...tools, endAll};
}

/** A menu on the whole screen: arrows move, q ends. */
const MENU = `
  at=1; draw() { printf '\\e[2J\\e[H'; for i in 1 2 3; do [ $i = $at ] && printf '> ' || printf '  '; echo "item $i"; done; }
  printf '\\e[?1049h'; draw
  while IFS= read -rsn1 key; do
    case $key in A) at=$((at-1)); draw;; B) at=$((at+1)); draw;; q) exit 0;; esac
  done`;

describe('vtcode architecture › CommandTool: "PTY session management for interactive commands"', () => {
  it('a program that draws: the screen is read back after each key', async () => {
    const tools = await open();
    expect(await tools.text('exec_command', {command: MENU, mode: 'pty'})).toMatch(/^> item 1\n {2}item 2\n {2}item 3\n\[session t1 runs/);
    expect(await tools.text('exec_session', {session_id: 't1', input: '<Down>'})).toMatch(
      /^ {2}item 1\n> item 2\n {2}item 3\n\[session t1 runs/,
    );
    expect(await tools.text('exec_session', {session_id: 't1', input: 'q'})).toMatch(/\[session t1 ended after .* s; exit code 0\]$/);
    expect((await tools.call('exec_session', {session_id: 't1', input: 'q'})).text).toBe(
      'Error: Session t1 has ended.\nStart the command again.',
    );
  });

  it.each(['vtcode', 'fettle', 'vibe'])('the terminal tools of VT Code by their names, in toolset %s (issue 14 › 6)', async (toolset) => {
    const tools = await open({}, toolset);
    const command = 'printf "name? "; read -r name; echo "hello $name"; read -r more';
    expect(await tools.text('create_pty_session', {command, working_dir: '.', yield_time_ms: 1000})).toMatch(/^name\?\s+\[session t1 runs/);
    expect(await tools.text('send_pty_input', {session_id: 't1', input: 'ann', append_newline: true})).toMatch(
      /hello ann\s+\[session t1 runs/,
    );
    expect(await tools.text('unified_exec', {action: 'poll', session_id: 't1', yield_time_ms: 250})).toMatch(/\[session t1 runs/);
    expect((await tools.call('resize_pty_session', {session_id: 't1', cols: 100, rows: 30, yield_time_ms: 250})).outcome).toBe('success');
    expect(await tools.text('list_pty_sessions', {})).toMatch(/^t1 {2}runs/);
    expect(await tools.text('close_pty_session', {session_id: 't1'})).toMatch(/\[session t1 ended/);
    expect(await tools.text('unified_exec', {action: 'list'})).toMatch(/^t1 {2}ended/);
  });

  it('only the newest 200 lines are shown', async () => {
    const text = await (await open()).text('exec_command', {command: 'seq 1000', mode: 'pty'});
    const lines = text.split('\n');
    expect([lines.length, lines[0], lines[1], lines.at(-2)]).toEqual([202, '[800 lines above]', '801', '1000']);
  });

  it('the eleventh is refused; the end of the thread ends all', async () => {
    const tools = await open();
    const start = {command: 'echo up; exec sleep 600', mode: 'pty', yield_time_ms: 250};
    for (let count = 1; count <= 10; count += 1) await tools.call('exec_command', {...start, command: `: ${count}; ${start.command}`});
    const running = Array.from({length: 10}, (_, index) => `t${index + 1} (: ${index + 1}; echo up; exec sleep 600)`).join(', ');
    expect(await tools.text('exec_command', start)).toBe(
      `Error: 10 sessions are already running: ${running}.\nClose one that is no longer needed.`,
    );
    expect((await tools.call('exec_command', {...start, mode: 'streaming'})).outcome).toBe('error');
    await tools.endAll();
    const list = await tools.text('exec_session', {action: 'list'});
    expect(list.split('\n').filter((line) => / {2}ended after /.test(line))).toHaveLength(10);
  });

  it('a cancelled start ends what it has started', async () => {
    const tools = await open();
    const stop = new AbortController();
    const running = tools.call('exec_command', {command: 'sleep 600', mode: 'pty', yield_time_ms: 30_000}, stop.signal);
    let looks = 0; // the same call again and again would be taken for a loop
    await expect.poll(() => tools.text('exec_session', {action: 'list', yield_time_ms: (looks += 1)})).toMatch(/^t1 {2}runs/);
    stop.abort();
    expect((await running).outcome).toBe('cancelled');
    expect(await tools.text('exec_session', {action: 'list'})).toMatch(/^t1 {2}ended/);
  });

  it('without the library for pseudo-terminals: UNAVAILABLE', async () => {
    const failing = (): Promise<never> => Promise.reject(new Error('no part for this platform'));
    const cwd = await scratch();
    const refusing = (request: TerminalRequest): Promise<CommandTerminal> => openCommandTerminal({...request, cwd, env: {}}, failing);
    const exec = {...createExecEnvironment({cwd, spoolDir: cwd}), openTerminal: refusing};
    const tools = await open({context: {sessions: createCommandSessions({exec, spoolDir: cwd})}});
    expect(await tools.text('exec_command', {command: 'tty', mode: 'pty'})).toBe(
      'Error: There is no pseudo-terminal on this platform.\nRun the command without a terminal.',
    );
  });

  it('without an owner that would end it, nothing is started', async () => {
    const tools = await open({context: {sessions: undefined}});
    expect(await tools.text('exec_command', {command: 'tty', mode: 'pty'})).toBe(
      'Error: Nothing here could end a command that outlives its call.\nRun the command to its end instead.',
    );
  });
});

describe('permission to type', () => {
  const policy = (...allow: string[]): Policy => ({
    mode: 'ask',
    fallback: 'ask',
    rules: allow.map((text) => ({text, effect: 'allow', source: 'user'})),
  });
  const LESS = {command: 'cat', mode: 'pty', yield_time_ms: 250};
  const TYPED = {session_id: 't1', input: 'x\n'};

  it.each([
    ['a rule for the command that was started does not cover what is typed into it', ['bash:cat *'], 'denied'],
    ['one for all of bash does', ['bash:*'], 'success'],
    ['one for the tool does', ['bash:cat *', 'exec_session'], 'success'],
  ])('%s', async (_, allow, outcome) => {
    const tools = await open({policy: () => policy(...allow), approve: undefined});
    expect((await tools.call('exec_command', LESS)).outcome).toBe('success');
    expect((await tools.call('exec_session', TYPED)).outcome).toBe(outcome);
    expect((await tools.call('exec_session', {session_id: 't1', yield_time_ms: 250})).outcome).toBe('success');
    expect((await tools.call('exec_session', {session_id: 't1', action: 'close'})).outcome).toBe('success');
  });

  it('plan mode: looking is allowed, typing is not', async () => {
    let mode: Policy['mode'] = 'full-auto';
    const tools = await open({policy: () => ({...policy(), mode})});
    await tools.call('exec_command', LESS);
    mode = 'plan';
    expect((await tools.call('exec_session', TYPED)).outcome).toBe('denied');
    expect((await tools.call('exec_session', {session_id: 't1', action: 'close'})).outcome).toBe('success');
  });
});
