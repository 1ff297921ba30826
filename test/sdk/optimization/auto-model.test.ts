import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {loadSettings, openThread, type OpenedThread, type SessionSettings} from '../../../src/sdk/index.ts';
import {openLedger} from '../../../src/optimization/ledger/ledger.ts';
import {taskFeatures} from '../../../src/sdk/optimization/task-features.ts';
import {startModelServer, type ModelScript} from '../../../src/testing/index.ts';
import {scratch} from '../../support/scratch.ts';

const never = new AbortController().signal;
const writes = (path: string) => ({toolCalls: [{name: 'write', arguments: {path, content: 'done\n'}}]});
const write = writes('done.txt');
const done = {text: 'Done.'};

/** Settings with which `auto` may choose `ollama/m` alone. */
async function settings(script: ModelScript): Promise<SessionSettings> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  const home = await scratch({
    'config.toml':
      'model = "auto"\n[optimization]\nenabled = true\nmodels = ["ollama/m"]\n[optimization.bandit]\nexploration_epsilon = 0\n',
  });
  const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home, OLLAMA_BASE_URL: server.url};
  return await loadSettings({cwd: await scratch(), env, home});
}

/** Whether each outcome that was learned is a success. */
function outcomes({paths}: SessionSettings): readonly boolean[] {
  const ledger = openLedger(paths.stateDir);
  try {
    return ledger.outcomesAfter('model', 0).map(({signal}) => signal.success);
  } finally {
    ledger.close();
  }
}

/** Opens a thread whose work is verified, lets it be used, and closes it. */
async function used(session: SessionSettings, use: (thread: OpenedThread) => Promise<void>): Promise<OpenedThread> {
  const thread = await openThread(
    {session, verify: ['test -f done.txt || test -f other.txt'], approve: async () => ({decision: 'allow'})},
    never,
  );
  try {
    await use(thread);
  } finally {
    await thread.close(await last);
  }
  return thread;
}

let last: ReturnType<OpenedThread['run']> | undefined;

async function run(thread: OpenedThread): Promise<void> {
  last = thread.run('Do it.', never);
  await last;
}

describe('a thread whose model was chosen', () => {
  it('names the model and the reason', async () => {
    const session = await settings([write, done]);
    const thread = await used(session, run);
    expect([thread.model, thread.modelReason, thread.notes[0]]).toEqual([
      'ollama/m',
      'tries it: no outcome yet',
      'Model ollama/m: tries it: no outcome yet.',
    ]);
    expect(outcomes(session)).toEqual([true]);
  });

  it('is the first of the list where the ledger cannot be used, and the run goes on', async () => {
    const session = await settings([write, done]);
    await mkdir(join(session.paths.stateDir, 'optimization', 'ledger.sqlite'), {recursive: true});
    const thread = await used(session, run);
    expect([thread.model, thread.modelReason]).toEqual(['ollama/m', 'the first of the list, since what was learned cannot be used']);
    expect(await last).toMatchObject({report: {verified: true}});
    expect(thread.notes[1]).toContain('ledger.sqlite is not a regular file. Remove it');
  });

  it('earned nothing if a person has undone its work before it ends', async () => {
    const session = await settings([write, done]);
    await used(session, async (thread) => {
      await run(thread);
      await thread.restore({id: 'undo', scope: 'files'});
    });
    expect(outcomes(session)).toEqual([false]);
  });

  it.each(['files', 'both'] as const)('earned it all the same if the person brought its work back (%s)', async (scope) => {
    const session = await settings([write, done]);
    await used(session, async (thread) => {
      await run(thread);
      await thread.restore({id: 'undo', scope});
      await thread.restore({id: 'redo', scope});
    });
    expect(outcomes(session)).toEqual([true]);
  });

  it('is judged by the work after an undo', async () => {
    const session = await settings([write, done, writes('other.txt'), done]);
    await used(session, async (thread) => {
      await run(thread);
      await thread.restore({id: 'undo', scope: 'both'});
      await run(thread);
    });
    expect(outcomes(session)).toEqual([true]);
  });

  it('learns nothing if it was only opened', async () => {
    const session = await settings([]);
    last = undefined;
    await used(session, async () => undefined);
    expect(outcomes(session)).toEqual([]);
  });
});

describe('taskFeatures', () => {
  const features = async (files: Readonly<Record<string, string>>, task?: string) => {
    const session = await settings([]);
    return await taskFeatures({session: {...session, cwd: await scratch(files)}, approve: undefined, task});
  };

  it('has the language of the folder, the size of the prompt and the kind of run', async () => {
    expect(await features({'Cargo.toml': '', 'package.json': '{}'}, 'x'.repeat(9999))).toEqual({kind: 'exec', language: 'rust', size: 1});
    expect(await features({'package.json': '{}', 'tsconfig.json': '{}'})).toEqual({kind: 'exec', language: 'typescript'});
    expect(await features({'a.txt': ''})).toEqual({kind: 'exec', language: 'other'});
  });

  it('does without a folder', async () => {
    const session = await settings([]);
    const cwd = join(session.cwd, 'gone');
    expect(await taskFeatures({session: {...session, cwd}, approve: async () => ({decision: 'deny'}), task: undefined})).toEqual({
      kind: 'chat',
      language: 'other',
    });
  });
});
