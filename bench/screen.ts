import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {median} from './measure.ts';
import {writeLog} from './resume.ts';
import {startStreamingModel} from './streaming-model.ts';
import {runInTerminal, usageOf, type TerminalRun} from './terminal-run.ts';

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const PAIRS = 9;
const TOKENS = 10_000;
/** Not in the text of the model, one for each key, so that an echo is told from all else. */
const LETTERS = 'жщюыэя';
const PROMPT = 'Type a task';

/**
 * The screen through a pseudo-terminal: first paint with the echo of a key over bare Node; a key while 10,000 tokens stream on 200×50, the bytes
 * that this writes over the text; what it uses when nothing happens; and going on with 10,000 items. Returns how many budgets are broken.
 */
export async function measureScreen(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-screen-')));
  const model = await startStreamingModel(TOKENS);
  const place = {root, baseUrl: model.baseUrl};
  try {
    mkdirSync(join(root, 'work/.git'), {recursive: true});
    return (await measurePaint(place)) + (await measureStream(place, model.text)) + (await measureLongSession(place));
  } finally {
    await model.close();
    rmSync(root, {recursive: true, force: true});
  }
}

interface Place {
  readonly root: string;
  readonly baseUrl: string;
}

async function measurePaint(place: Place): Promise<number> {
  const [bare, painted, echoed]: [number[], number[], number[]] = [[], [], []];
  for (let pair = -1; pair < PAIRS; pair += 1) {
    const node = runInTerminal({argv: ['-e', '0'], cwd: place.root, env: {}, columns: 80, rows: 24});
    await node.ended;
    const nodeMs = performance.now() - node.startedAt;
    const {run, paintMs} = await started(place);
    const echoMs = paintMs + (await run.echo('ж', 'ж'));
    await ended(run);
    if (pair < 0) continue; // the first pair warms the caches
    bare.push(nodeMs);
    painted.push(paintMs);
    echoed.push(echoMs);
  }
  const ratio = median(echoed) / median(bare);
  const told = `prompt after ${median(painted).toFixed(0)} ms, key echoed after ${median(echoed).toFixed(0)} / ${median(bare).toFixed(0)} ms`;
  return row('paint', {value: ratio, budget: 6, unit: 'x', what: told});
}

/** One key each tenth of a second while the answer streams, then some seconds of nothing. */
async function measureStream(place: Place, text: string): Promise<number> {
  const {run} = await started(place, {columns: 200, rows: 50});
  try {
    await settledDown();
    const idle = usageOf(run.pid);
    await run.echo('Go.', 'Go.');
    const before = run.arrived.bytes;
    run.press('\r');
    // A key so soon after it would make it a paste.
    await pause(100);
    const until = performance.now() + (TOKENS / 500) * 1000;
    const times: number[] = [];
    while (performance.now() < until) {
      const letter = LETTERS[times.length % LETTERS.length] ?? '';
      times.push(await run.echo(letter, letter));
      if (times.length % 100 === 0) run.press('\x15');
      await pause(100);
    }
    await settledDown();
    const [p50, p99] = [0.5, 0.99].map((share) => times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? Number.NaN);
    const bytes = run.arrived.bytes - before;
    const [chunks, used] = [run.arrived.chunks, usageOf(run.pid)];
    await pause(5000);
    const still = usageOf(run.pid);
    return [
      row('echo', {value: p99 ?? 0, budget: 16, unit: 'ms', what: `key to echo, p99 of ${times.length} (median ${p50?.toFixed(1)})`}),
      row('stream-bytes', {
        value: bytes / Buffer.byteLength(text),
        budget: 6,
        unit: 'x',
        what: `${bytes} bytes for ${Buffer.byteLength(text)}`,
      }),
      row('tui-idle', {value: run.arrived.chunks - chunks, budget: 0, unit: 'writes', what: 'in 5 s of nothing'}),
      used === undefined || still === undefined
        ? 0
        : row('tui-idle', {value: still.cpuMs - used.cpuMs, budget: 10, unit: 'ms', what: 'CPU time in 5 s of nothing'}),
      idle === undefined ? 0 : row('tui-memory', {value: idle.mib, budget: 110, unit: 'MiB', what: 'idle, nothing said'}),
    ].reduce((sum, failed) => sum + failed, 0);
  } finally {
    await ended(run);
  }
}

/** A session of 10,000 items: calls with their output. */
async function measureLongSession(place: Place): Promise<number> {
  const home = homeOf(place);
  writeLog(join(home, 'state/sessions/2026-01-01/thr_long.jsonl'), {cwd: join(place.root, 'work'), compactEvery: 250, reads: 5000});
  const {run} = await started(place, {args: ['--resume', 'thr_long']});
  try {
    const paintMs = (await run.until('f5000.txt')) - run.startedAt;
    await settledDown();
    const used = usageOf(run.pid);
    return [
      row('tui-resume', {value: paintMs, budget: 1000, unit: 'ms', what: '10,000 items, from the start to the newest on the screen'}),
      used === undefined ? 0 : row('tui-memory', {value: used.mib, budget: 200, unit: 'MiB', what: '10,000 items'}),
    ].reduce((sum, failed) => sum + failed, 0);
  } finally {
    await ended(run);
  }
}

interface Start {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
}

async function started(place: Place, {columns = 80, rows = 24, args = []}: Start = {}): Promise<{run: TerminalRun; paintMs: number}> {
  const home = homeOf(place);
  const env = {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home, HOME: home, LANG: 'C.UTF-8'};
  const run = runInTerminal({argv: [LAUNCHER, ...args], cwd: join(place.root, 'work'), env, columns, rows});
  return {run, paintMs: (await run.until(PROMPT)) - run.startedAt};
}

async function ended(run: TerminalRun): Promise<void> {
  await settledDown(300);
  run.press('\x15\x04');
  const timer = setTimeout(() => run.kill(), 5000);
  await run.ended;
  clearTimeout(timer);
}

/** What is loaded and collected behind the last frame is over. */
async function settledDown(ms = 4000): Promise<void> {
  await pause(ms);
}

function homeOf({root, baseUrl}: Place): string {
  const home = join(root, 'home');
  mkdirSync(home, {recursive: true});
  const provider = `model = "instant/instant"\n[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${baseUrl}"\n`;
  writeFileSync(join(home, 'config.toml'), provider);
  return home;
}

interface Figure {
  readonly value: number;
  readonly budget: number;
  readonly unit: string;
  readonly what: string;
}

function row(name: string, {value, budget, unit, what}: Figure): number {
  const isKept = value <= budget;
  console.log(
    `${isKept ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${value.toFixed(2).padStart(6)} ${unit}  (budget ${budget} ${unit})  ${what}`,
  );
  return isKept ? 0 : 1;
}
