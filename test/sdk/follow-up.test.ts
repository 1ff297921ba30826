import {describe, expect, it, onTestFinished} from 'vitest';
import {loadSettings, withModel} from '../../src/sdk/settings/load-settings.ts';
import {openThread, type OpenedThread} from '../../src/sdk/thread/open-thread.ts';
import {startModelServer, type ModelScript} from '../../src/testing/index.ts';
import type {RunResult} from '../../src/agent/thread.ts';
import {scratch} from '../support/scratch.ts';

/** Runs a prompt; `act` is called once, when the first call is about to run. */
async function run(script: ModelScript, act: (thread: OpenedThread) => void): Promise<{result: RunResult; asked: unknown[]}> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const cwd = await scratch({'a.txt': 'one\n'});
  const env = {FETTLE_HOME: await scratch({}), FETTLE_MODEL: 'ollama/model', OLLAMA_BASE_URL: server.url};
  const session = withModel(await loadSettings({cwd, env, home: cwd}));
  const signal = new AbortController().signal;
  let acted = false;
  const thread: OpenedThread = await openThread(
    {
      session,
      onEvent(event) {
        if (acted || event.type !== 'item.started' || event.item.type !== 'tool_invocation') return;
        acted = true;
        act(thread);
      },
    },
    signal,
  );
  const result = await thread.run('first', signal);
  await thread.close(result);
  expect(server.violations).toEqual([]);
  const last = server.requests.at(-1)?.body['messages'] as {role: string; content: string}[];
  return {result, asked: last.filter(({role}) => role === 'user').map(({content}) => content)};
}

const call = (name: string, args: object) => ({toolCalls: [{name, arguments: {...args}}]});
const READ = call('read', {path: 'a.txt'});

describe('inputs while a turn runs (vtcode architecture › queued follow-up inputs)', () => {
  it('follow-ups begin turns of their own, one at a time, when the turn is over', async () => {
    const {result, asked} = await run([READ, {text: 'A1'}, {text: 'A2'}, {text: 'A3'}], (thread) => {
      thread.followUp('second');
      thread.followUp('third');
    });
    expect([result.outcome, result.text, result.turns, asked]).toEqual(['success', 'A3', 3, ['first', 'second', 'third']]);
  });

  it('steering goes into the running turn', async () => {
    const {result, asked} = await run([READ, {text: 'A1'}], (thread) => void thread.steer('this way'));
    expect([result.turns, asked]).toEqual([1, ['first', 'this way']]);
  });

  it('a denied call does not hold a follow-up back, and its success does not hide the denial', async () => {
    const script = [call('bash', {command: 'rm a.txt'}), {text: 'I could not.'}, {text: 'Well.'}];
    const {result, asked} = await run(script, (thread) => void thread.followUp('second'));
    expect([result.outcome, result.denied, result.text, asked]).toEqual(['denied', ['bash'], 'Well.', ['first', 'second']]);
  });
});
