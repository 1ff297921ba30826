import {mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {SessionMemoryEnvelope} from '../src/context/memory/envelope.ts';
import {loadLog} from '../src/sessions/log-reader.ts';
import type {PlannedCall} from './wires/wire.ts';
import {startLongModel} from './long-model.ts';
import {launch, median} from './measure.ts';

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const FILES = 200;
const EPOCH = 500;

/**
 * A session of thousands of turns in a small window, which is compacted again and again: peak memory in MiB, and the median turn of the last
 * 500 over that of the 500 after the first; and whether log and memory are whole. Returns how many budgets are broken.
 */
export async function measureLong(turns: number): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-long-')));
  const model = await startLongModel((n) => (n < turns ? readOf(n) : undefined));
  try {
    const home = makePlace(root, model.baseUrl);
    const limits = ['--max-turns', String(turns * 2), '--max-tokens', '100000000000', '--max-time', '36000'];
    const argv = [LAUNCHER, 'exec', '--model', 'instant/instant', ...limits, 'Read all of it.'];
    const env = {PATH: process.env['PATH'] ?? '', FETTLE_HOME: home, HOME: home};
    const run = await launch({argv, cwd: join(root, 'work'), env}, true);
    const peak = run.peakKib / 1024;
    const growth = median(model.turns.slice(-EPOCH)) / median(model.turns.slice(EPOCH, 2 * EPOCH));
    const told = `${turns} turns, ${model.summaries} summaries, log of ${(statSync(logOf(home)).size / 2 ** 20).toFixed(0)} MiB`;
    console.log(`${peak <= 200 ? 'ok    ' : 'FAILED'} long-memory ${peak.toFixed(0)} MiB (budget 200)  ${told}`);
    console.log(
      `${growth <= 1.5 ? 'ok    ' : 'FAILED'} long-turn   ${growth.toFixed(2)} x (budget 1.5)  last ${EPOCH} turns over early ones`,
    );
    const wrong = await wrongInLog(home, turns);
    console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} long-log    whole, and so is its memory ${wrong.join('; ')}`);
    return [peak > 200, growth > 1.5, wrong.length > 0].filter(Boolean).length;
  } finally {
    await model.close();
    rmSync(root, {recursive: true, force: true});
  }
}

/** Reads file after file. */
function readOf(n: number): PlannedCall {
  return {name: 'read', arguments: {path: `f${n % FILES}.txt`, offset: 1 + (n % 7)}};
}

function makePlace(root: string, baseUrl: string): string {
  const [work, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(join(work, '.git'), {recursive: true});
  mkdirSync(home, {recursive: true});
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(work, `f${n}.txt`), `line of file ${n} with some words in it\n`.repeat(60));
  const provider = `[[custom_providers]]\nname = "instant"\nformat = "openai-chat"\nbase_url = "${baseUrl}"\n`;
  writeFileSync(join(home, 'config.toml'), `[context]\nwindow_tokens = 32000\n${provider}`);
  return home;
}

function logOf(home: string): string {
  const sessions = join(home, 'state', 'sessions');
  const [file] = readdirSync(sessions, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.jsonl'));
  if (file === undefined) throw new Error(`There is no session in ${sessions}.`);
  return join(sessions, file);
}

/** What is not as it must be after so many turns: each call with its output, in unbroken order, and the words of the person in the memory. */
async function wrongInLog(home: string, turns: number): Promise<string[]> {
  const file = logOf(home);
  const {events, report} = await loadLog(file);
  const outputs = events.flatMap(({event}) =>
    event.type === 'item.completed' && event.item.type === 'tool_output' && !event.item.is_error ? [event.item.tool_call_id] : [],
  );
  const ids = outputs.every((id, at) => id === `c${at}`);
  const memory = SessionMemoryEnvelope.safeParse(JSON.parse(readFileSync(`${file}.memory.json`, 'utf8')));
  const words = memory.success ? memory.data.user_words.map(({text}) => text) : [];
  return [
    ...(report.broken.length === 0 ? [] : [`${report.broken.length} broken lines`]),
    ...(events.every(({seq}, at) => seq === at + 1) ? [] : ['numbers with gaps']),
    ...(outputs.length === turns && ids ? [] : [`${outputs.length} outputs of ${turns}, ${ids ? 'in' : 'out of'} order`]),
    ...(isDeepStrictEqual(words, ['Read all of it.']) ? [] : [`the person said ${JSON.stringify(words)}`]),
  ];
}
