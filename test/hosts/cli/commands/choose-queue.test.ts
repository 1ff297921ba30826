import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {chooseQueue, learnExecutor} from '../../../../src/hosts/cli/commands/lab/choose-queue.ts';
import {labFolders} from '../../../../src/hosts/cli/commands/lab/lab-place.ts';
import {openEngine} from '../../../../src/lab/engine/open-engine.ts';
import type {RunPlan} from '../../../../src/lab/run/run-plan.ts';
import {openLedger} from '../../../../src/optimization/ledger/ledger.ts';
import {loadSettings} from '../../../../src/sdk/settings/load-settings.ts';
import {findPostgres, startPostgres} from '../../../lab/engine/postgres-server.ts';
import {scratch} from '../../../support/scratch.ts';
import {capturedIo} from '../captured-io.ts';

const never = new AbortController().signal;
const POSTGRES = findPostgres();
const PLAN = {
  name: 'r',
  suite: '/suite',
  tasks: Array.from({length: 200}, (_, n) => ({id: `t${n}`})),
  models: ['script'],
  toolsets: ['fettle'],
  attempts: 1,
} as unknown as RunPlan;

async function choosing(queue: string | undefined) {
  const home = await scratch({
    'config.toml': '[optimization]\nenabled = true\nexplore_share = 0\n[optimization.bandit]\nexploration_epsilon = 0\n',
  });
  const env = {FETTLE_HOME: home, ...(queue === undefined ? {} : {FETTLE_LAB_QUEUE: queue})};
  const {io, stderr} = capturedIo({env, home, cwd: home});
  const settings = await loadSettings({cwd: home, env, home});
  const flags = {queue: 'auto', isolation: true, workers: '2'};
  return {at: {io, settings, folders: labFolders(settings.paths), flags}, stderr};
}

describe('--queue auto', () => {
  it.each([
    ['no queue is configured', undefined, 'On this machine: no queue is configured: set FETTLE_LAB_QUEUE.\n'],
    ['the queue is not an address', 'mysql://x', 'On this machine: The queue is not a PostgreSQL address.\n'],
  ])('stays on this machine where %s, and says so', async (_, queue, note) => {
    const {at, stderr} = await choosing(queue);
    expect([await chooseQueue(at, PLAN, never), stderr()]).toEqual([{executor: 'local'}, note]);
  });

  it.skipIf(POSTGRES === undefined)('counts live workers, chooses by the expected time, and learns how the run ended', async () => {
    const server = await startPostgres(POSTGRES ?? '');
    onTestFinished(async () => await server.stop());
    const queue = await server.newDatabase();
    const {at, stderr} = await choosing(queue);
    const shared = {...at, flags: {...at.flags, store: '/shared'}};
    expect((await chooseQueue(shared, PLAN, never)).executor).toBe('local');
    expect(stderr()).toBe('On this machine: no worker of the queue is live.\n');
    const workers = await Promise.all([8, 2].map(async (workerSlots) => await openEngine({folder: '', queue, workerSlots}, never)));
    expect((await chooseQueue(at, PLAN, never)).executor).toBe('local');
    const chosen = await chooseQueue(shared, PLAN, never);
    expect([chosen.executor, stderr().split('\n').at(-2)]).toEqual([
      'queue',
      'In the queue: tries it: no outcome yet; 200 rollouts take about 50 min here and 9 min with 10 more at a time in the queue (30 s assumed for a rollout).',
    ]);
    await Promise.all(workers.map(async (worker) => await worker.close()));
    await learnExecutor(at, {plan: PLAN, chosen}, {parked: 0, tookMs: 2_000_000});
    const ledger = openLedger(at.settings.paths.stateDir);
    onTestFinished(() => ledger.close());
    expect(ledger.outcomesAfter('lab-executor:many', 0)).toMatchObject([{signal: {action: 'queue', success: true, latency_ms: 10_000}}]);
  });

  it.skipIf(POSTGRES === undefined)('goes on where what was learned cannot be read, with the notice of sessions', async () => {
    const server = await startPostgres(POSTGRES ?? '');
    onTestFinished(async () => await server.stop());
    const queue = await server.newDatabase();
    const {at, stderr} = await choosing(queue);
    const shared = {...at, flags: {...at.flags, store: '/shared'}};
    const worker = await openEngine({folder: '', queue, workerSlots: 8}, never);
    onTestFinished(async () => await worker.close());
    const {stateDir} = at.settings.paths;
    const chosenBefore = await chooseQueue(shared, PLAN, never);
    await writeFile(join(stateDir, 'optimization', 'ledger.sqlite'), 'x'.repeat(5000));
    const chosen = await chooseQueue(shared, PLAN, never);
    await learnExecutor(at, {plan: PLAN, chosen: chosenBefore}, {parked: 0, tookMs: 1});
    expect([chosen, stderr().replaceAll(stateDir, '<state>').split('\n').slice(-4)]).toMatchInlineSnapshot(`
      [
        {
          "choice": undefined,
          "executor": "queue",
        },
        [
          "The ledger of outcomes <state>/optimization/ledger.sqlite cannot be used. Remove the file to start over, or look at the disk: \`fettle doctor\`.",
          "In the queue: the first of the list, since what was learned cannot be used; 200 rollouts take about 50 min here and 11 min with 8 more at a time in the queue (30 s assumed for a rollout).",
          "The ledger of outcomes <state>/optimization/ledger.sqlite cannot be used. Remove the file to start over, or look at the disk: \`fettle doctor\`.",
          "",
        ],
      ]
    `);
  });
});
