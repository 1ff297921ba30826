import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {onPty} from '../support/pty.ts';
import {realScreen} from './screen-support.ts';
import {fettle, LAUNCHER, modelServer, place} from './support.ts';

const REPLIES = {'s.json': JSON.stringify({replies: [{text: 'Answer one.'}, {text: 'Answer two.'}]})};

describe('scheduled tasks of a session (VT Code architecture › Scheduling: "session-scoped /loop tasks live on the interactive runtime")', () => {
  it('on the screen: a task begins by itself, what is being typed stays, and the end says what ended with it', async () => {
    const at = await place(REPLIES);
    const {type, shows, screen, ended} = realScreen(at, {args: ['-m', `script:${join(at.work, 's.json')}`]});
    await shows('Type a task');
    type('in 1 second run the tests\r');
    await shows(/Task [0-9a-f]{8}, once, next [-\d]+ [\d:]+: run the tests/);
    type('half a line');
    await shows(/Scheduled task [0-9a-f]{8} is due: run the tests\s+› run the tests\s+Answer one\./);
    await shows(/› half a line\n/);
    type('\x15/loop 10m check the build\r');
    await shows(/every 10 minutes, next/);
    type('/schedule\r');
    await shows(/[0-9a-f]{8} {2}[-\d]+ [\d:]+ {2}every 10 minutes {2}check the build/);
    type('\x04');
    expect(await ended).toBe(0);
    expect(screen()).toContain('1 scheduled task ended with the session: check the build');
  });

  it('in plain lines: the same', async () => {
    const at = await place(REPLIES);
    const args = [LAUNCHER, '--surface', 'lines', '-m', `script:${join(at.work, 's.json')}`];
    const {type, until, ended} = onPty(process.execPath, args, {cwd: at.work, env: {...at.env, TERM: 'xterm-256color'}});
    await until(/Type a task/);
    type('in 1 second run the tests\r');
    await until(/Task [0-9a-f]{8}, once/);
    type('half a');
    await until(/Scheduled task [0-9a-f]{8} is due: run the tests/);
    await until(/Answer one\./);
    await until(/›.{0,8}half a/);
    type(' line\r');
    await until(/Answer two\./);
    type('/loop 10m check the build\r');
    await until(/every 10 minutes, next/);
    type('\x04');
    const {code, rest} = await ended;
    expect([code, rest.includes('1 scheduled task ended with the session: check the build')]).toEqual([0, true]);
  });

  it('a headless run has no session that goes on: the model is told so', async () => {
    const create = {toolCalls: [{name: 'cron_create', arguments: {prompt: 'check', every: '10m'}}]};
    const server = await modelServer([{toolCalls: [{name: 'tool_search', arguments: {query: 'cron'}}]}, create, {text: 'Done.'}]);
    const at = await place({}, server.config);
    const done = await fettle(at, ['exec', '--mode', 'full-auto', '--no-sandbox', 'check every 10 minutes']);
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect([
      done.code,
      sent.includes('This run ends with its answer: nothing can be scheduled in it.'),
      sent.includes('cron_list'),
    ]).toEqual([0, true, false]);
  });
});
