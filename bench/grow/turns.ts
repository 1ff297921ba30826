import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {PlannedCall} from '../wires/wire.ts';
import {startLongModel} from '../long-model.ts';
import {launch} from '../measure.ts';
import {execArguments, homeEnvironment, inScratch, reportGrowth} from './growth.ts';

const TURNS = 5000;
const FILES = 100;
const KINDS = ['read', 'edit', 'grep', 'bash'] as const;
const WINDOW = 400;
const BUDGET = 1.5;

/** One run of 5,000 turns in a small window: reads, edits, searches and commands by turns. The last 400 over those from 100 to 500, each kind for itself. */
export async function measureTurns(): Promise<number> {
  return await inScratch(async (root) => {
    const model = await startLongModel((n) => (n < TURNS ? callOf(n) : undefined));
    try {
      const cwd = join(root, 'work');
      makeFiles(cwd);
      const env = homeEnvironment(join(root, 'home'), model.baseUrl, '[context]\nwindow_tokens = 32000\n');
      const run = await launch({argv: execArguments(), cwd, env}, true);
      const {byCall} = model;
      const told = `turns 4,600-5,000 over 100-500 of one run (${model.summaries} summaries, peak ${(run.peakKib / 1024).toFixed(0)} MiB)`;
      const within = (from: number, kind: number): number[] =>
        byCall.slice(from, from + WINDOW).filter((ms, n) => (from + n) % KINDS.length === kind && !Number.isNaN(ms));
      return KINDS.map((kind, at) =>
        reportGrowth({name: `grow-turns ${kind}`, late: within(TURNS - WINDOW, at), early: within(100, at), budget: BUDGET, what: told}),
      ).reduce((sum, failed) => sum + failed, 0);
    } finally {
      await model.close();
    }
  });
}

function callOf(n: number): PlannedCall {
  const round = Math.floor(n / KINDS.length);
  const path = `f${round % FILES}.txt`;
  const value = Math.floor(round / FILES);
  if (n % 4 === 0) return {name: 'read', arguments: {path, offset: 1 + (round % 7)}};
  if (n % 4 === 1) return {name: 'edit', arguments: {path, old_string: `value = ${value};`, new_string: `value = ${value + 1};`}};
  if (n % 4 === 2) return {name: 'grep', arguments: {pattern: `line of file ${round % FILES} with number ${round}`}};
  return {name: 'bash', arguments: {command: `cat ${path}`}};
}

function makeFiles(cwd: string): void {
  mkdirSync(join(cwd, '.git'), {recursive: true});
  for (let n = 0; n < FILES; n += 1) {
    writeFileSync(join(cwd, `f${n}.txt`), `value = 0;\n${`line of file ${n} with some words in it\n`.repeat(40)}`);
  }
}
