// A worker as a process of its own, so that it can be killed: `node worker-process.ts '{…}'`. It works until it is ended.
import {appendFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {openFolderStore} from '../../../src/lab/artifacts/folder-store.ts';
import type {ClaimedRollout} from '../../../src/lab/engine/engine.ts';
import {openLocalEngine} from '../../../src/lab/engine/local/local-engine.ts';
import {openPostgresEngine} from '../../../src/lab/engine/postgres/postgres-engine.ts';
import type {RolloutResult} from '../../../src/lab/rollout/rollout.ts';
import {resultFor} from './rollouts.ts';

export interface WorkerFacts {
  /** A folder, or the address of a database. */
  readonly place: string;
  readonly slots: number;
  /** Milliseconds of the model run, and again of the verification. */
  readonly ms: number;
  /** Gets a line for each step: `step task pid`. */
  readonly log: string;
  readonly artifacts: string;
  /** Added to what its clock says. */
  readonly clockSkewMs?: number;
}

const facts = JSON.parse(process.argv[2] ?? '') as WorkerFacts;
const {now} = Date;
if (facts.clockSkewMs !== undefined) Date.now = () => now() + (facts.clockSkewMs ?? 0);
const store = openFolderStore(facts.artifacts);
const never = new AbortController().signal;
const isShared = facts.place.startsWith('postgres://');
const engine = isShared ? await openPostgresEngine({url: facts.place}, never) : openLocalEngine({folder: facts.place});
if (!isShared) await engine.coordinate('r', never);
note('ready', '-');
const {end} = await engine.work(
  {
    slots: facts.slots,
    until: isShared ? undefined : 'r',
    run,
    onEvent(event) {
      if (event.is === 'accepted') note(event.isFirst ? 'accepted' : 'refused', event.result.key.task);
      else if (event.is !== 'started') note(event.is, 'key' in event ? event.key.task : '-');
    },
  },
  never,
);
note(end, '-');
await engine.close();

async function run(rollout: ClaimedRollout, signal: AbortSignal): Promise<RolloutResult> {
  const {task} = rollout.key;
  note('start', task);
  if (rollout.key.model === 'poison') process.kill(process.pid, 'SIGKILL');
  const finished = {key: rollout.key, name: 'finished'};
  if (!(await store.has(finished, signal))) {
    note('paid', task);
    await delay(facts.ms, undefined, {signal});
    await store.put(finished, new Uint8Array(), signal);
    note('finished', task);
  }
  await delay(facts.ms, undefined, {signal});
  return resultFor(rollout);
}

function note(step: string, task: string): void {
  appendFileSync(facts.log, `${step} ${task} ${process.pid}\n`);
}
