import {describe, expect, it} from 'vitest';
import {exec} from '../../../src/hosts/cli/commands/exec.ts';
import {listSessionsCommand} from '../../../src/hosts/cli/commands/sessions.ts';
import {CHOOSE, withChoice} from '../../../src/hosts/cli/command-line/run-options.ts';
import {sessionToResume} from '../../../src/hosts/cli/session-to-resume.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openThread} from '../../../src/sdk/thread/open-thread.ts';
import {latestSession, listSessions} from '../../../src/sessions/session-list.ts';
import {createSession} from '../../../src/sessions/session-store.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo} from './captured-io.ts';

async function worked() {
  const [here, there, home] = [await scratch({'s.json': '{"replies": [{"text": "hi"}]}'}), await scratch({}), await scratch({})];
  const env = {FETTLE_HOME: home};
  const model = `script:${here}/s.json`;
  await exec(capturedIo({cwd: here, home, env}).io, 'the task', {model});
  const stateDir = `${home}/state`;
  const [{threadId} = {threadId: ''}] = listSessions({stateDir});
  const settings = async (cwd: string) => await loadSettings({cwd, home, env, flags: {'--model': model}});
  return {here, there, home, env, model, stateDir, threadId, settings};
}

describe('--resume from another folder', () => {
  it('is refused without a person, and costs nothing; -C says that it is meant', async () => {
    const {here, there, home, env, model, threadId} = await worked();
    const at = {cwd: there, home, env};
    await expect(exec(capturedIo(at).io, 'more', {model, resume: threadId})).rejects.toMatchObject({
      code: 'USAGE',
      message: `Session ${threadId} worked in ${here}; this is ${there}.`,
      hint: `Continue it there with -C ${here}, or here with -C ${there}.`,
    });
    const {io, stdout, stderr} = capturedIo(at);
    expect([await exec(io, 'more', {model, resume: threadId, cwd: there}), stdout()]).toEqual([0, 'hi\n']);
    expect(stderr()).toContain(`Session ${threadId} worked in ${here}; this is ${there}.`);
    expect(await exec(capturedIo({...at, cwd: here}).io, 'more', {model, resume: threadId})).toBe(0);
  });

  it.each([true, false])('a person is asked: %j', async (answer) => {
    const {there, threadId, settings} = await worked();
    const {io, stderr} = capturedIo();
    const asked: string[] = [];
    const ask = async (question: string): Promise<boolean> => asked.push(question) > 0 && answer;
    const resumed = sessionToResume({io, session: await settings(there), options: {resume: threadId}, ask});
    if (answer) expect(await resumed).toEqual({id: threadId});
    else await expect(resumed).rejects.toMatchObject({code: 'USAGE'});
    expect([asked, stderr().includes('worked in')]).toEqual([['Continue it here? [y]es, [N]o: '], true]);
  });
});

describe('a session that nobody typed into', () => {
  it('is not kept', async () => {
    const {here, stateDir, threadId, settings} = await worked();
    const thread = await openThread({session: await settings(here)}, new AbortController().signal);
    await thread.close();
    expect(listSessions({stateDir}).map((one) => one.threadId)).toEqual([threadId]);
  });

  it('and was killed is neither the newest nor listed', async () => {
    const {here, home, env, stateDir, threadId} = await worked();
    const {log} = await createSession({stateDir});
    log.append({
      type: 'thread.started',
      thread_id: 'x',
      schema_version: '1',
      cwd: here,
      model: 'm',
      toolset: 'fettle',
      provider: 'p',
    } as never);
    log.close();
    expect([listSessions({stateDir}).length, latestSession({stateDir, cwd: here})?.threadId]).toEqual([2, threadId]);
    const {io, stdout} = capturedIo({cwd: here, home, env});
    await listSessionsCommand(io, {});
    expect(
      stdout()
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]),
    ).toEqual([threadId]);
  });

  it('but resumed and left alone again stays', async () => {
    const {here, stateDir, threadId, settings} = await worked();
    const thread = await openThread({session: await settings(here), resume: {id: threadId}}, new AbortController().signal);
    await thread.close();
    expect(listSessions({stateDir}).map((one) => one.threadId)).toEqual([threadId]);
  });
});

describe('--resume without an id, in lines', () => {
  it.each([
    ['1', undefined],
    ['2', 'No session was chosen.'],
    ['', 'No session was chosen.'],
  ])('the number %j', async (typed, message) => {
    const {here, threadId, settings} = await worked();
    const {io, stderr} = capturedIo();
    const asked: string[] = [];
    const question = async (text: string): Promise<string> => {
      asked.push(text);
      return typed;
    };
    const resume = sessionToResume({io, session: await settings(here), options: {resume: CHOOSE}, question});
    if (message === undefined) expect(await resume).toEqual({id: threadId});
    else await expect(resume).rejects.toMatchObject({code: 'USAGE', message});
    expect([asked, stderr()]).toEqual([
      ['Which one? Its number: '],
      expect.stringMatching(/^ {2}1\. \d{4}-\d\d-\d\d \d\d:\d\d {2}the task\n$/),
    ]);
  });

  it('is refused where nobody can choose, and where there is none', async () => {
    const {here, there, settings} = await worked();
    const {io} = capturedIo();
    const options = {resume: CHOOSE};
    await expect(sessionToResume({io, session: await settings(here), options})).rejects.toMatchObject({code: 'USAGE'});
    const question = async (): Promise<string> => '1';
    await expect(sessionToResume({io, session: await settings(there), options, question})).rejects.toMatchObject({code: 'NOT_FOUND'});
  });

  it.each([
    [['--resume'], ['--resume=?']],
    [
      ['--resume', '-m', 'a/b'],
      ['--resume=?', '-m', 'a/b'],
    ],
    [
      ['--resume', 'thr_1', 'go on'],
      ['--resume', 'thr_1', 'go on'],
    ],
    [
      ['--', '--resume'],
      ['--', '--resume'],
    ],
  ])('%j', (given, expected) => {
    expect(withChoice(given)).toEqual(expected);
  });
});
