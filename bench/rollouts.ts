// A rollout of the lab beside a bare `fettle exec` of the same script: 198 rollouts of the example suite, two at a time, between two halves without a lab.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parse} from 'smol-toml';

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const SUITE = join(import.meta.dirname, '../examples/suites/small');
const ATTEMPTS = 9;
const WORKERS = 2;
/** Share of the bare exec that the lab may take besides the agent and the verification. */
const BUDGET = 0.15;
/** Milliseconds that a model takes for an answer. */
const ANSWER_MS = 2000;
const WAITING_TASKS = 6;
const WAITING_ATTEMPTS = 3;

/** Milliseconds of one rollout while two run: the time of all, divided by how many there are. */
interface Times {
  readonly exec: number;
  readonly verify: number;
  readonly lab: number;
}

interface Suite {
  readonly folder: string;
  readonly tasks: readonly string[];
}

/** Returns how many budgets are broken. */
export async function measureRollouts(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-rollouts-')));
  try {
    const suite = {folder: SUITE, tasks: tasksOf(SUITE)};
    // The first run of each compiles.
    await bothWays(root, suite, 1);
    const count = suite.tasks.length * ATTEMPTS;
    const overhead = show(`${count} rollouts, ${WORKERS} at a time, a model that answers at once`, await bothWays(root, suite, ATTEMPTS));
    const waiting = waitingSuite(join(root, 'waiting'));
    const patient = `${waiting.tasks.length * WAITING_ATTEMPTS} rollouts, ${WORKERS} at a time, a model that takes ${ANSWER_MS / 1000} s for each answer`;
    show(`${patient} (no budget)`, await bothWays(root, waiting, WAITING_ATTEMPTS));
    const isKept = overhead <= BUDGET;
    console.log(
      `${isKept ? 'ok    ' : 'FAILED'} rollouts    what the lab adds to exec and verification: ${percent(overhead)} of the exec, budget ${percent(BUDGET)}`,
    );
    return isKept ? 0 : 1;
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

/** Returns what the lab adds, as a share of the bare exec. */
function show(what: string, {exec, verify, lab}: Times): number {
  const added = lab - exec - verify;
  const row = (name: string, ms: number, share: string): void =>
    console.log(`  ${name.padEnd(34)}${ms.toFixed(0).padStart(6)} ms   ${share}`);
  console.log(what);
  row('bare exec', exec, '');
  row('its verification, without a lab', verify, `${percent(verify / exec)} of the exec`);
  row('rollout of the lab', lab, `${(lab / exec).toFixed(2)} of the exec, ${(lab / (exec + verify)).toFixed(2)} of exec and verification`);
  row('added by the lab', added, `${percent(added / exec)} of the exec`);
  return added / exec;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** The lab between two halves without it, so that a machine that becomes slower changes both. */
async function bothWays(root: string, suite: Suite, attempts: number): Promise<Times> {
  const count = suite.tasks.length * attempts;
  const half = Math.ceil(attempts / 2);
  const first = await bareRuns(root, suite, half);
  const lab = await timed(async () => {
    const args = ['lab', 'run', suite.folder, '--models', 'script', '--attempts', String(attempts), '--workers', String(WORKERS)];
    await run({program: process.execPath, args: [LAUNCHER, ...args], cwd: root, env: variables(root, join(root, 'lab'))});
  });
  const second = await bareRuns(root, suite, attempts - half);
  return {exec: (first.exec + second.exec) / WORKERS / count, verify: (first.verify + second.verify) / WORKERS / count, lab: lab / count};
}

/** The same scripts and verifications without the lab, as sums of what each took; the copies of the starting trees are made before. */
async function bareRuns(root: string, {folder, tasks}: Suite, attempts: number): Promise<Omit<Times, 'lab'>> {
  const waiting = Array.from({length: attempts}, () => tasks.map((task) => bareRun(root, join(folder, task)))).flat();
  const sum = {exec: 0, verify: 0};
  await Promise.all(
    Array.from({length: WORKERS}, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        // Both workers add to the sums: what is read before an await may be old after it.
        const exec = await timed(next.exec);
        next.putTests();
        const verify = await timed(next.verify);
        sum.exec += exec;
        sum.verify += verify;
      }
    }),
  );
  return sum;
}

interface BareRun {
  exec(): Promise<void>;
  putTests(): void;
  verify(): Promise<void>;
}

function bareRun(root: string, task: string): BareRun {
  const folder = mkdtempSync(join(root, 'bare-'));
  const [work, home] = [join(folder, 'work'), join(folder, 'home')];
  mkdirSync(home);
  cpSync(join(task, 'start'), work, {recursive: true});
  const prompt = readFileSync(join(task, 'prompt.md'), 'utf8');
  const model = `script:${join(task, 'script.json')}`;
  const args = ['exec', '--json', '--mode', 'full-auto', '--sandbox', 'workspace-write', '--model', model, '--', prompt];
  const {verify} = parse(readFileSync(join(task, 'task.toml'), 'utf8')) as {verify: string};
  const env = variables(root, home);
  return {
    exec: async () => await run({program: process.execPath, args: [LAUNCHER, ...args], cwd: work, env}),
    putTests: () => cpSync(join(task, 'tests'), join(work, 'hidden-tests'), {recursive: true}),
    verify: async () =>
      await run({program: 'bash', args: ['--norc', '--noprofile', '-c', verify], cwd: work, env: {PATH: env['PATH'], HOME: home}}),
  };
}

/** The compiled code is kept from run to run, as it is for whoever uses the command. */
function variables(root: string, home: string): NodeJS.ProcessEnv {
  return {PATH: process.env['PATH'], HOME: home, FETTLE_HOME: home, NODE_COMPILE_CACHE: join(root, 'compiled')};
}

/** Some tasks of the suite, whose model takes its time. */
function waitingSuite(folder: string): Suite {
  const tasks = tasksOf(SUITE).slice(0, WAITING_TASKS);
  for (const task of tasks) {
    cpSync(join(SUITE, task), join(folder, task), {recursive: true});
    const file = join(folder, task, 'script.json');
    const script = JSON.parse(readFileSync(file, 'utf8')) as {replies: object[]};
    writeFileSync(file, JSON.stringify({...script, replies: script.replies.map((reply) => ({...reply, delayMs: ANSWER_MS}))}));
  }
  return {folder, tasks};
}

function tasksOf(suite: string): string[] {
  return readdirSync(suite, {withFileTypes: true}).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

async function timed(act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

interface Program {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

async function run({program, args, cwd, env}: Program): Promise<void> {
  const child = spawn(program, args, {cwd, env, stdio: 'ignore'});
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} ended with ${String(code)}`);
}
