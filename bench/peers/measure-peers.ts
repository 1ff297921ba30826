import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startInstantModel, type InstantModel} from '../instant-model.ts';
import {ROWS, type Row} from '../rows.ts';
import {makeWorkFolder, resetCounter} from '../work-folder.ts';
import {codex} from './codex.ts';
import {enter, findPeer, type Entrant} from './enter.ts';
import {bareLoop, fettle} from './fettle.ts';
import {geminiCli} from './gemini-cli.ts';
import {pi} from './pi.ts';
import {runTree} from './run-tree.ts';
import {peersTable} from './table.ts';
import {translate} from './translate.ts';
import {undone} from './verify.ts';

const PEERS = [pi, codex, geminiCli];
const TIMEOUT_MS = 300_000;

interface Bench {
  readonly pairs: number;
  readonly folder: string;
  readonly model: InstantModel;
}

interface Competitor extends Entrant {
  /** Figures by the name of the row, or why there are none. */
  readonly cells: Map<string, readonly number[] | string>;
}

/**
 * Runs rows on the bare loop, Fettle and the peers that are installed, in turn, and prints them as a Markdown table. Returns how many rows
 * were broken.
 */
export async function measurePeers(pairs: number, names: readonly string[]): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-peers-')));
  const bench = {pairs, folder: join(root, 'work'), model: await startInstantModel()};
  try {
    makeWorkFolder(bench.folder);
    execFileSync('git', ['init', '-q', bench.folder]);
    const found = PEERS.map((peer) => ({contender: peer, program: findPeer(peer, process.env)}));
    const ours = [bareLoop, fettle].map((contender) => ({contender, program: process.execPath}));
    const competitors = [...ours, ...found].flatMap(({contender, program}) =>
      program === undefined
        ? []
        : [{...enter(contender, program, {root, model: bench.model}), cells: new Map<string, number[] | string>()}],
    );
    const rows = names.length === 0 ? ROWS : ROWS.filter(({name}) => names.includes(name));
    for (const group of groups(rows)) await measureGroup(group, competitors, bench);
    const results = competitors.map(({contender: {name, note}, version, cells}) => ({name, note, version, cells}));
    console.log(peersTable(rows, results));
    for (const {contender, program} of found) {
      if (program === undefined)
        console.log(`- ${contender.name} is not installed: ${contender.install}, or ${contender.variable}=COMMAND`);
    }
    return results.flatMap(({cells}) => [...cells.values()].filter((cell) => typeof cell === 'string')).length;
  } finally {
    await bench.model.close();
    rmSync(root, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  }
}

/** Rows with the same plan are figures of the same runs. */
function groups(rows: readonly Row[]): Row[][] {
  return [...Map.groupBy(rows, ({plan, bare}) => JSON.stringify([plan, bare])).values()];
}

async function measureGroup(group: readonly Row[], competitors: readonly Competitor[], bench: Bench): Promise<void> {
  let running = competitors;
  for (let pair = -1; pair < bench.pairs; pair += 1) {
    const able: Competitor[] = [];
    for (const competitor of running) {
      const figures = await attempt(group, competitor, bench);
      if (figures === undefined) continue;
      able.push(competitor);
      // The first round warms the caches.
      if (pair >= 0) group.forEach(({name}, at) => append(competitor.cells, name, figures[at] ?? Number.NaN));
    }
    running = able;
  }
}

/** Returns the figures of one run; nothing when there are none, with the reason in the cells. */
async function attempt(group: readonly Row[], {cells, ...entrant}: Competitor, bench: Bench): Promise<readonly number[] | undefined> {
  const who = entrant.contender.name;
  try {
    const figures = await measureOnce(group, entrant, bench);
    console.error(`${who}: ${group.map(({name, unit}, at) => `${name} ${figures[at]?.toFixed(2)} ${unit}`).join(', ')}`);
    return figures;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    for (const {name} of group) cells.set(name, reason);
    console.error(`${who}: ${group.map(({name}) => name).join(', ')}: ${reason}`);
    return undefined;
  }
}

function append(cells: Competitor['cells'], name: string, figure: number): void {
  const before = cells.get(name) ?? [];
  if (typeof before !== 'string') cells.set(name, [...before, figure]);
}

/** Returns the figures of the rows of a group. Throws when the command failed or did not do the work. */
async function measureOnce(group: readonly Row[], {contender, argv, idleArgv, env}: Entrant, {folder, model}: Bench): Promise<number[]> {
  const [{plan, bare} = {plan: [], bare: true}] = group;
  resetCounter(folder);
  const watched: (() => void)[] = [];
  model.reset(translate(plan, contender.tools), () => watched.forEach((watch) => watch()));
  const tree = runTree({argv: bare === true ? idleArgv : argv, cwd: folder, env, timeoutMs: TIMEOUT_MS});
  watched.push(() => tree.watchMemory());
  const run = await tree.ended;
  const counter = readFileSync(join(folder, 'counter.txt'), 'utf8');
  const wrong = bare === true ? undefined : undone({plan, requests: model.requests.length, lastBody: model.lastBody, counter});
  if (wrong !== undefined) throw new Error(wrong);
  return group.map((row) => row.figure(run, model));
}
