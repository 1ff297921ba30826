import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../../src/exec/create-environment.ts';
import type {Policy} from '../../../../src/policy/decision.ts';
import {createCommandSessions, type CommandSessions} from '../../../../src/tools/shells/command-sessions.ts';
import type {PipedSession} from '../../../../src/tools/shells/piped-session.ts';
import {scratch} from '../../../support/scratch.ts';
import {openToolset, type OpenedToolset} from '../../support/open-toolset.ts';

async function open(policy?: Policy): Promise<{tools: OpenedToolset; root: string; started: PipedSession[]}> {
  const root = await scratch({'sub/a.txt': 'a\n'});
  const spoolDir = join(root, '.spool');
  const sessions = createCommandSessions({exec: createExecEnvironment({cwd: root, spoolDir, env: process.env}), spoolDir});
  onTestFinished(async () => void (await sessions.endAll()));
  const started: PipedSession[] = [];
  const watched: CommandSessions = {
    ...sessions,
    async start(request) {
      const session = await sessions.start(request);
      started.push(session);
      return session;
    },
  };
  return {
    tools: await openToolset('blade', root, {context: {sessions: watched}, ...(policy === undefined ? {} : {policy: () => policy})}),
    root,
    started,
  };
}

describe('zblade tool calls › run_command', () => {
  it('rules see the whole line of a program, as a shell would have it', async () => {
    const policy: Policy = {mode: 'full-auto', rules: [{text: 'bash:rm *', effect: 'deny', source: 'test'}], fallback: 'allow'};
    const {tools} = await open(policy);
    for (const args of [
      {program: 'rm', args: ['-r', 'sub']},
      {program: 'env', args: ['rm', '-r', 'sub']},
      {program: 'sh', args: ['-c', 'rm -r sub']},
      {program: 'echo', args: ['; rm -r sub'], shell: true},
      {command: 'echo; rm -r sub'},
    ]) {
      expect([args, (await tools.call('run_command', args)).outcome]).toEqual([args, 'denied']);
    }
    expect((await tools.call('run_command', {program: 'echo', args: ['; rm -r sub']})).text).toBe(
      'exit_code: 0\nstdout:\n; rm -r sub\nstderr:',
    );
  });
  it('a program that is not there is an error, not an exit code', async () => {
    const {tools} = await open();
    expect((await tools.text('run_command', {program: 'no-such-program-here'})).split('\n')[0]).toBe(
      'tool_error: The program no-such-program-here was not found on this machine.',
    );
  });
  it('keeps beginning and end of a long output, and where all of it is', async () => {
    const {tools} = await open();
    const {text, spoolPath} = await tools.call('run_command', {command: 'seq -w 100000 | tr "\\n" " "; echo END'});
    expect(Buffer.byteLength(text)).toBeLessThan(50_000);
    expect(text).toContain(`[… 675004 of 700004 bytes left out; whole output: ${spoolPath} …]`);
    expect(text).toMatch(/^exit_code: 0\nstdout:\n000001 [^]* 100000 END\nstderr:$/);
  });
  it('`blocking: false`: what ends in time gives the usual result, a cancelled call leaves nothing behind', async () => {
    const {tools, started} = await open();
    expect(await tools.call('run_command', {command: 'exit 3', blocking: false, wait_ms_before_async: 60_000})).toMatchObject({
      isError: true,
      command: {line: 'exit 3', exitCode: 3},
    });
    const stop = new AbortController();
    const call = tools.call('run_command', {command: 'sleep 60', blocking: false, wait_ms_before_async: 60_000}, stop.signal);
    await expect.poll(() => started.length).toBe(2);
    stop.abort();
    expect((await call).outcome).toBe('cancelled');
    expect(started[1]?.ended()).toMatchObject({cancelled: true});
  });
  it('where nothing would end it, nothing is started', async () => {
    const tools = await openToolset('blade', await scratch(), {context: {sessions: undefined}});
    expect((await tools.text('run_command', {command: 'sleep 60', blocking: false})).split('\n')[0]).toBe(
      'tool_error: Nothing here could end a command that runs in the background.',
    );
  });
});
