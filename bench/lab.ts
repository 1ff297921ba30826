// The engines of the lab: 100,000 queued rollouts, workers with rollouts that do nothing, and the overhead beside rollouts that only wait.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {RolloutEngine} from '../src/lab/engine/engine.ts';
import {openEngine} from '../src/lab/engine/open-engine.ts';
import {findPostgres, startPostgres, type PostgresServer} from '../test/lab/engine/postgres-server.ts';
import {benchRollouts, waitingRun} from './lab-rollouts.ts';

const WORKER = join(import.meta.dirname, 'lab-worker.ts');
const MEMORY_MIB = 150;
const CLAIMS_PER_S = 200;
const OVERHEAD = 1.15;
const WORKERS = [2, 8, 32];
const never = new AbortController().signal;

interface Place {
  readonly name: string;
  /** A folder, or the address of a database: a new one each time. */
  fresh(): Promise<string>;
}

/** Returns how many budgets are broken. */
export async function measureLab(): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'fettle-bench-lab-'));
  const bin = findPostgres();
  const server = bin === undefined ? undefined : await startPostgres(bin);
  if (server === undefined) console.log('PostgreSQL is not installed: its rows are left out');
  try {
    let broken = 0;
    for (const place of placesOf(root, server)) broken += (await measureQueue(place)) + (await measureWorkers(place));
    return broken;
  } finally {
    await server?.stop();
    rmSync(root, {recursive: true, force: true});
  }
}

function placesOf(root: string, server: PostgresServer | undefined): readonly Place[] {
  const local: Place = {name: 'local', fresh: async () => mkdtempSync(join(root, 'local-'))};
  return server === undefined ? [local] : [local, {name: 'postgres', fresh: async () => await server.newDatabase()}];
}

/** A coordinator enqueues 100,000, and runs 2,000 of them that do nothing. */
async function measureQueue({name, fresh}: Place): Promise<number> {
  const facts = JSON.stringify({place: await fresh(), is: 'coordinator'});
  const {stdout} = spawnSync(process.execPath, [WORKER, facts], {stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8'});
  const {enqueueMs, workMs, peakKib} = JSON.parse(stdout) as {
    readonly enqueueMs: number;
    readonly workMs: number;
    readonly peakKib: number;
  };
  const [mib, claims] = [peakKib / 1024, 2_000_000 / workMs];
  const figures = `enqueued in ${(enqueueMs / 1000).toFixed(1)} s, then ${claims.toFixed(0)} claims/s (budget ${CLAIMS_PER_S})`;
  console.log(`${name} 100,000 queued: ${figures}, coordinator ${mib.toFixed(0)} MiB (budget ${MEMORY_MIB})`);
  return (mib <= MEMORY_MIB ? 0 : 1) + (claims >= CLAIMS_PER_S ? 0 : 1);
}

async function measureWorkers(place: Place): Promise<number> {
  for (const workers of WORKERS) {
    const idle = await rate(place, {workers, count: 2000, ms: 0});
    const each = await rate(place, {workers, count: workers * 40, ms: 200});
    const ideal = workers * 5;
    console.log(
      `${place.name} ${workers} workers: ${idle.toFixed(0)} rollouts/s that do nothing; ${each.toFixed(0)}/s that take 200 ms (${(each / ideal).toFixed(2)} of ideal)`,
    );
  }
  const long = await rate(place, {workers: 2, count: 40, ms: 600});
  const overhead = 2 / 0.6 / long;
  console.log(`${place.name} 40 × 600 ms on 2 workers: ${overhead.toFixed(2)} of the bare time, budget ${OVERHEAD}`);
  return overhead <= OVERHEAD ? 0 : 1;
}

interface Load {
  readonly workers: number;
  readonly count: number;
  readonly ms: number;
}

/** Rollouts per second from the moment on at which all workers are ready: slots of one process on one machine, else processes with one slot. */
async function rate({name, fresh}: Place, {workers, count, ms}: Load): Promise<number> {
  const place = await fresh();
  const isShared = name === 'postgres';
  const engine = await openEngine(isShared ? {folder: '', queue: place} : {folder: place}, never);
  const children = isShared ? await Promise.all(Array.from({length: workers}, async () => await startWorker(place, ms))) : [];
  try {
    await engine.coordinate('bench', never);
    await engine.enqueue({name: 'bench', settings: {}}, benchRollouts(count), never);
    for (const child of children) child.send('go');
    const began = performance.now();
    await runAll(engine, {slots: isShared ? 0 : workers, ms});
    return count / ((performance.now() - began) / 1000);
  } finally {
    await Promise.all(children.map(ended));
    await engine.close();
  }
}

async function runAll(engine: RolloutEngine, {slots, ms}: {readonly slots: number; readonly ms: number}): Promise<void> {
  await engine.work({slots, until: 'bench', run: waitingRun(ms)}, never);
}

async function startWorker(place: string, ms: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WORKER, JSON.stringify({place, is: 'worker', ms})], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
