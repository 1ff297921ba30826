import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startInstantModel, type InstantModel} from '../instant-model.ts';
import type {PlannedCall} from '../wires/wire.ts';
import {launch} from '../measure.ts';
import {runInTerminal} from '../terminal-run.ts';
import {execArguments, homeEnvironment, inScratch, LAUNCHER, reportGrowth} from './growth.ts';

const LARGE = 1_000_000;
const SMALL = 1000;
const IN_FOLDER = 100;
const PAIRS = 9;

/** A repository of 1,000,000 files over one of 1,000, in turn: start, edits, commands, searches, and what can be mentioned behind @ on the screen. */
export async function measureTreeGrowth(): Promise<number> {
  return await inScratch(async (root) => {
    const model = await startInstantModel();
    try {
      const [large, small] = [join(root, 'large'), join(root, 'small')];
      makeTree(large, LARGE);
      makeTree(small, SMALL);
      const figures = {large: emptyFigures(), small: emptyFigures()};
      for (let pair = 0; pair < PAIRS; pair += 1) {
        // A home of its own for each run: the first command finds nothing that an earlier run saved.
        await oneRun({cwd: large, home: join(root, `home-large-${pair}`), model}, figures.large);
        await oneRun({cwd: small, home: join(root, `home-small-${pair}`), model}, figures.small);
      }
      return FIGURES.map(({key, budget, what}) =>
        reportGrowth({
          name: `grow-tree ${key}`,
          late: figures.large[key],
          early: figures.small[key],
          budget,
          what: `1,000,000 files over 1,000: ${what}`,
        }),
      ).reduce((sum, failed) => sum + failed, 0);
    } finally {
      await model.close();
    }
  });
}

/** Budgets above some are for what must look at all names: it grows with the tree, and this says how much at most. */
const FIGURES = [
  {key: 'start', budget: 1.3, what: 'from the start of the process to its first request'},
  {key: 'first edit', budget: 1.5, what: 'the first edit'},
  {key: 'edit', budget: 1.5, what: 'a later edit'},
  {key: 'first command', budget: 5, what: 'the first command, which counts the names up to 200,000'},
  {key: 'command', budget: 1.2, what: 'a later command'},
  {key: 'read', budget: 1.5, what: 'a read'},
  {key: 'glob', budget: 200, what: 'a glob over all names'},
  {key: 'screen', budget: 1.3, what: 'the prompt on the screen'},
  {key: 'first @', budget: 20, what: 'the first query behind @, which lists the tree'},
  {key: '@', budget: 3, what: 'a later key of a query'},
] as const;

type Figures = Record<(typeof FIGURES)[number]['key'], number[]>;

function emptyFigures(): Figures {
  return Object.fromEntries(FIGURES.map(({key}) => [key, []])) as unknown as Figures;
}

interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly model: InstantModel;
}

const CALLS: readonly (readonly [keyof Figures, PlannedCall])[] = [
  ['first edit', editOf(0, 1)],
  ['edit', editOf(1, 0)],
  ['first command', {name: 'bash', arguments: {command: 'cat counter.txt'}}],
  ['command', {name: 'bash', arguments: {command: 'cat  counter.txt'}}],
  ['command', {name: 'bash', arguments: {command: 'cat   counter.txt'}}],
  ['read', {name: 'read', arguments: {path: 'counter.txt'}}],
  ['glob', {name: 'glob', arguments: {pattern: '**/file7_*'}}],
];

async function oneRun({cwd, home, model}: Place, figures: Figures): Promise<void> {
  const env = homeEnvironment(home, model.baseUrl);
  model.reset(CALLS.map(([, call]) => call));
  const run = await launch({argv: execArguments(), cwd, env}, false);
  const {requests} = model;
  figures.start.push((requests[0]?.arrivedAt ?? Number.NaN) - run.startedAt);
  for (const [at, [key]] of CALLS.entries()) {
    figures[key].push((requests[at + 1]?.arrivedAt ?? Number.NaN) - (requests[at]?.answeredAt ?? Number.NaN));
  }
  const screen = runInTerminal({argv: [LAUNCHER], cwd, env, columns: 100, rows: 30});
  try {
    figures.screen.push((await screen.until('Type a task')) - screen.startedAt);
    // Before the conversation is open nothing can be asked of it.
    await screen.until('@ files');
    figures['first @'].push(await screen.echo('@counter', 'counter.txt'));
    await screen.echo('\x15@pkg0/mod0/pa', 'part0/');
    figures['@'].push(await screen.echo('rt0/file0_1', 'file0_1.'));
  } finally {
    screen.kill();
    await screen.ended;
  }
}

function editOf(from: number, to: number): PlannedCall {
  return {name: 'edit', arguments: {path: 'counter.txt', old_string: `value = ${from};`, new_string: `value = ${to};`}};
}

const ENDINGS = ['ts', 'js', 'md', 'rs', 'txt', 'json', 'h', 'css', 'png', 'bin'];

/** Folders of 100 small files, three deep. */
function makeTree(root: string, files: number): void {
  for (let n = 0; n < files / IN_FOLDER; n += 1) {
    const folder = join(root, `pkg${n % 100}`, `mod${Math.floor(n / 100) % 10}`, `part${Math.floor(n / 1000)}`);
    mkdirSync(folder, {recursive: true});
    for (let at = 0; at < IN_FOLDER; at += 1) {
      writeFileSync(join(folder, `file${n}_${at}.${ENDINGS[at % ENDINGS.length] ?? ''}`), `export const v${n}_${at} = 1;\n`);
    }
  }
  mkdirSync(join(root, '.git/objects'), {recursive: true});
  mkdirSync(join(root, '.git/refs'), {recursive: true});
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, 'counter.txt'), 'value = 0;\n');
}
