import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {createCommandSessions, type CommandSessions} from '../../../src/tools/shells/command-sessions.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';

function sessionsIn(root: string): CommandSessions {
  const spoolDir = join(root, '.spool');
  return createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir}), spoolDir});
}

describe('vtcode architecture › CommandTool: streaming', () => {
  it('output comes as it is written, and again only what is new', async () => {
    const root = await scratch();
    const sessions = sessionsIn(root);
    const heard: string[] = [];
    const tools = await openToolset('vtcode', root, {
      context: {sessions},
      listener: {onOutput: ({stream, text}) => heard.push(`${stream} ${text}`)},
    });
    // The command waits for files, so that nothing depends on time.
    const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two >&2';
    const first = await tools.call('exec_command', {command, mode: 'streaming', yield_time_ms: 1000});
    expect(first.text).toMatch(/^one\n\[session s1 runs for /);
    await tools.call('write_file', {path: 'go', content: ''});
    const second = await tools.call('exec_session', {session_id: 's1', yield_time_ms: 30_000});
    expect(second.text).toMatch(/^two\n\[session s1 ended after .* s; exit code 0\]$/);
    expect(heard).toEqual(['stdout one\n', 'stderr two\n']);
    await sessions.endAll();
  });
  it('a cancelled call ends what it has started; the end of the thread ends the rest', async () => {
    const root = await scratch();
    const sessions = sessionsIn(root);
    const stop = new AbortController();
    const tools = await openToolset('vtcode', root, {context: {sessions}, listener: {onOutput: () => stop.abort()}});
    const cancelled = await tools.call('exec_command', {command: 'echo up; sleep 60', mode: 'streaming'}, stop.signal);
    expect({outcome: cancelled.outcome, text: cancelled.text}).toEqual({
      outcome: 'cancelled',
      text: expect.stringMatching(/^up\n\[session s1 ended after .* s; exit code none \(cancelled;/),
    });
    const other = await openToolset('vtcode', root, {context: {sessions}});
    await other.call('exec_command', {command: 'sleep 60', mode: 'streaming', yield_time_ms: 250});
    await sessions.endAll();
    expect(await other.text('exec_session', {session_id: 's2', yield_time_ms: 250})).toMatch(
      /ended after .* s; exit code none \(cancelled;/,
    );
  });
  it('a flood that nobody looks at is dropped from its beginning, and that is said', async () => {
    const root = await scratch();
    const sessions = sessionsIn(root);
    const tools = await openToolset('vtcode', root, {context: {sessions}});
    await tools.call('exec_command', {
      command: 'until [ -e go ]; do sleep 0.02; done; seq 1 200000; touch done',
      mode: 'streaming',
      yield_time_ms: 250,
    });
    await tools.call('exec_command', {command: 'touch go; until [ -e done ]; do sleep 0.02; done'});
    const text = await tools.text('exec_session', {session_id: 's1', yield_time_ms: 30_000});
    expect(text).toMatch(/^\[\d+ characters came before this and were dropped\]\n/);
    expect(text.split('\n').slice(-2)).toEqual(['200000', expect.stringMatching(/^\[session s1 ended/)]);
    await sessions.endAll();
  });
  it('without an owner that would end it, nothing is started', async () => {
    const tools = await openToolset('vtcode', await scratch(), {context: {sessions: undefined}});
    expect(await tools.text('exec_command', {command: 'sleep 60', mode: 'streaming'})).toBe(
      'Error: Nothing here could end a command that outlives its call.\nRun the command to its end instead.',
    );
  });
});
