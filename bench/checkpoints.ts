import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createCheckpointer} from '../src/workspace/checkpoints/checkpointer.ts';
import {storePlace} from '../src/workspace/checkpoints/store/store-place.ts';
import {median} from './measure.ts';

const FILES = 10_000;
const ROUNDS = 3;
const never = new AbortController().signal;

/** What undo costs around a command in a tree of 10,000 files, over plain Node: its first look over reading and hashing, each later pair of looks over two walks. */
export async function measureCheckpoints(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-undo-')));
  try {
    makeTree(join(root, 'work'));
    const first: number[] = [];
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const {baseline, looks} = await commands(join(root, 'work'), join(root, `state-${round}`));
      first.push(baseline / timed(() => readAll(join(root, 'work'))));
      later.push(looks / timed(() => (walk(join(root, 'work')), walk(join(root, 'work')))));
    }
    return report('undo-first', median(first), 25) + report('undo-later', median(later), 4);
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

async function commands(work: string, state: string): Promise<{baseline: number; looks: number}> {
  const checkpointer = createCheckpointer({
    place: storePlace(state, work),
    session: 'thr_bench',
    limits: {maxBytes: 1e9, maxFileBytes: 1e7, maxEntries: 200_000, maxReadMs: 60_000},
    ignored: false,
    env: {},
    isBusy: () => false,
  });
  const around = async (): Promise<number> => {
    const began = performance.now();
    const pending = await checkpointer.before({paths: 'tree'}, never);
    await pending.finish();
    return performance.now() - began;
  };
  checkpointer.beginTurn({id: 'trn_1', title: 'bench'});
  const baseline = await around();
  const looks = median([await around(), await around(), await around()]);
  checkpointer.endTurn();
  return {baseline, looks};
}

function makeTree(work: string): void {
  for (let n = 0; n < FILES; n += 1) {
    const folder = join(work, `d${n % 100}`, `e${n % 10}`);
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, `f${n}.ts`), `export const value${n} = ${n};\n`.repeat(20 + (n % 200)));
  }
  // Files that are older than any clock is coarse.
  execFileSync('sh', ['-c', 'sleep 2.1'], {cwd: work});
}

function readAll(folder: string): void {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) readAll(path);
    else createHash('sha256').update(readFileSync(path)).digest('hex');
  }
}

function walk(folder: string): void {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const path = join(folder, entry.name);
    lstatSync(path);
    if (entry.isDirectory()) walk(path);
  }
}

function timed(body: () => void): number {
  const began = performance.now();
  body();
  return performance.now() - began;
}

function report(name: string, ratio: number, budget: number): number {
  const ok = ratio <= budget;
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(11)} ${ratio.toFixed(2).padStart(6)} x  (budget ${budget} x)  a command in ${FILES} files`,
  );
  return ok ? 0 : 1;
}
