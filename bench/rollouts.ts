// A rollout of the lab beside a bare `fettle exec` of the same script: 200 rollouts of the example suite, two at a time, in rounds that take turns.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {median} from './measure.ts';

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const SUITE = join(import.meta.dirname, '../examples/suites/small');
const ROUNDS = 3;
const ATTEMPTS = 3;
const WORKERS = 2;
const BUDGET = 1.15;

/** Returns how many budgets are broken. */
export async function measureRollouts(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-rollouts-')));
  try {
    const tasks = readdirSync(SUITE);
    // The first run of each compiles.
    await rollouts(root, 'warm', 1);
    await bareRuns(root, tasks, 1);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await bareRuns(root, tasks, ATTEMPTS);
      const lab = await rollouts(root, `round-${round}`, ATTEMPTS);
      ratios.push(lab / bare);
    }
    const ratio = median(ratios);
    const count = tasks.length * ATTEMPTS * ROUNDS;
    console.log(`rollouts: ${count}, ${WORKERS} at a time: ${ratio.toFixed(2)} of a bare exec of the same script, budget ${BUDGET}`);
    return ratio <= BUDGET ? 0 : 1;
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

/** Milliseconds for a run of the suite. */
async function rollouts(root: string, name: string, attempts: number): Promise<number> {
  const args = ['lab', 'run', SUITE, '--models', 'script', '--attempts', String(attempts), '--workers', String(WORKERS), '--name', name];
  return await timed(async () => await fettle(args, {cwd: root, home: join(root, 'lab')}));
}

/** Milliseconds for the same scripts without the lab: copies of the starting trees are made beforehand. */
async function bareRuns(root: string, tasks: readonly string[], attempts: number): Promise<number> {
  const waiting: (() => Promise<void>)[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    for (const task of tasks) {
      const folder = mkdtempSync(join(root, 'bare-'));
      const [work, home] = [join(folder, 'work'), join(folder, 'home')];
      mkdirSync(home);
      cpSync(join(SUITE, task, 'start'), work, {recursive: true});
      const model = `script:${join(SUITE, task, 'script.json')}`;
      const args = ['exec', '--json', '--mode', 'full-auto', '--sandbox', 'workspace-write', '--model', model, 'Do the task.'];
      waiting.push(async () => await fettle(args, {cwd: work, home}));
    }
  }
  return await timed(async () => {
    const workers = Array.from({length: WORKERS}, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    });
    await Promise.all(workers);
  });
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function fettle(args: readonly string[], {cwd, home}: {readonly cwd: string; readonly home: string}): Promise<void> {
  const env = {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE']};
  const child = spawn(process.execPath, [LAUNCHER, ...args], {cwd, env, stdio: 'ignore'});
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`fettle ${args.slice(0, 2).join(' ')} ended with ${String(code)}`);
}
