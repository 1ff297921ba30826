import {closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, statSync, writeFileSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import type {ThreadEvent} from '../src/protocol/events.ts';
import {createSessionMemory} from '../src/context/memory/session-memory.ts';
import {encodeLine} from '../src/sessions/log-line.ts';
import {startInstantModel, type InstantModel} from './instant-model.ts';
import {launch, median} from './measure.ts';

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const READS = 10_000;
const PAIRS = 7;

/**
 * A session of 50 MB is gone on with: from the start of the process to its first request, over a Node that reads the log once as text; and its
 * peak memory in MiB. Once with compactions, as a long session has them, and once without any. Returns how many budgets are broken.
 */
export async function measureResume(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-resume-')));
  const model = await startInstantModel();
  try {
    mkdirSync(join(root, 'work/.git'), {recursive: true});
    let failed = 0;
    for (const [name, compactEvery] of [
      ['compacted', 250],
      ['plain', Infinity],
    ] as const) {
      const home = join(root, name);
      const log = join(home, 'state/sessions/2026-01-01/thr_long.jsonl');
      writeLog(`${log}.whole`, {cwd: join(root, 'work'), compactEvery, reads: READS});
      const provider = `[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${model.baseUrl}"\n`;
      writeFileSync(join(home, 'config.toml'), provider);
      failed += await measure(name, {root, home, log, model});
    }
    return failed;
  } finally {
    await model.close();
    rmSync(root, {recursive: true, force: true});
  }
}

interface Place {
  readonly root: string;
  readonly home: string;
  readonly log: string;
  readonly model: InstantModel;
}

async function measure(name: string, {root, home, log, model}: Place): Promise<number> {
  const cwd = join(root, 'work');
  const env = {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home, HOME: home};
  const argv = [LAUNCHER, 'exec', '--model', 'instant/instant', '--resume', 'thr_long', 'Go on.'];
  const reading = ['-e', `if (fs.readFileSync(${JSON.stringify(`${log}.whole`)}, 'utf8').length === 0) throw new Error('empty')`];
  const [ours, theirs, peaks]: [number[], number[], number[]] = [[], [], []];
  for (let pair = -1; pair < PAIRS; pair += 1) {
    copyFileSync(`${log}.whole`, log);
    model.reset([]);
    const run = await launch({argv, cwd, env}, true);
    const {wallMs} = await launch({argv: reading, cwd, env}, true);
    if (pair < 0) continue; // the first pair warms the caches
    ours.push((model.requests[0]?.arrivedAt ?? Number.NaN) - run.startedAt);
    theirs.push(wallMs);
    peaks.push(run.peakKib / 1024);
  }
  const ratio = median(ours) / median(theirs);
  const peak = median(peaks);
  const told = `${median(ours).toFixed(0)} / ${median(theirs).toFixed(0)} ms  log of ${(statSync(log).size / 2 ** 20).toFixed(0)} MiB, ${name}`;
  console.log(`${ratio <= 2 ? 'ok    ' : 'FAILED'} resume      ${ratio.toFixed(2).padStart(6)} x  (budget 2 x)  ${told}`);
  console.log(`${peak <= 150 ? 'ok    ' : 'FAILED'} resume      ${peak.toFixed(0).padStart(6)} MiB  (budget 150)  peak memory, ${name}`);
  return [ratio > 2, peak > 150].filter(Boolean).length;
}

/** Writes the log of a session with as many calls of `read`, each answered. */
export function writeLog(file: string, {cwd, compactEvery, reads}: {cwd: string; compactEvery: number; reads: number}): void {
  mkdirSync(dirname(file), {recursive: true});
  const fd = openSync(file, 'wx', 0o600);
  let seq = 0;
  const put = (...events: readonly ThreadEvent[]): void => {
    const lines = events.map((event) => encodeLine({v: 1, seq: (seq += 1), ts: '2026-01-01T00:00:00.000Z', turn: seq > 1 ? 1 : 0, event}));
    writeSync(fd, lines.join(''));
  };
  const head = {schema_version: '1.0.0', thread_id: 'thr_long', fettle_version: '0.1.0'};
  put({type: 'thread.started', ...head, cwd, model: 'instant/instant', toolset: 'fettle'});
  put({type: 'turn.started', thread_id: 'thr_long', turn_id: 'trn_1'});
  put({type: 'item.completed', turn_id: 'trn_1', item: {id: 'itm_task', type: 'user_message', text: 'Read all of it.'}});
  for (let n = 1; n <= reads; n += 1) {
    put(...readEvents(n));
    if (n % compactEvery === 0) put(boundary());
  }
  closeSync(fd);
}

const USAGE = {input_tokens: 0, cached_input_tokens: 0, cache_creation_tokens: 0, output_tokens: 10, reasoning_tokens: 0};

function readEvents(n: number): readonly ThreadEvent[] {
  const base = {request_id: `req_${n}`, tool_name: 'read', tool_call_id: `call_${n}`};
  const call = {id: `itm_${n}`, ...base, type: 'tool_invocation', arguments: JSON.stringify({path: `f${n}.txt`})} as const;
  const output = `line of file ${n} with some words in it, as source code would have\n`.repeat(66);
  const request = {request_id: base.request_id, model: 'instant/instant', stop_reason: 'tool_calls', usage: USAGE};
  const shown = {id: `itm_${n}:output`, ...base, call_id: call.id, type: 'tool_output', output, is_error: false} as const;
  return [
    {type: 'item.started', turn_id: 'trn_1', item: {...call, status: 'in_progress'}},
    {type: 'request.completed', turn_id: 'trn_1', ...request, cost_usd: null, duration_ms: 1, retries: 0},
    {type: 'item.completed', turn_id: 'trn_1', item: {...call, status: 'completed', outcome: 'success', duration_ms: 1}},
    {type: 'item.completed', turn_id: 'trn_1', item: {...shown, summary: '66 lines', status: 'completed'}},
  ];
}

function boundary(): ThreadEvent {
  const counts = {original_message_count: 500, compacted_message_count: 2};
  const long = {role: 'user', text: 'words '.repeat(4000)} as const;
  const messages: {role: 'user'}[] = [long, long];
  const memory = createSessionMemory('thr_long').envelope();
  return {
    type: 'thread.compact_boundary',
    thread_id: 'thr_long',
    trigger: 'auto',
    mode: 'trim',
    ...counts,
    messages: [...messages],
    memory,
  };
}
