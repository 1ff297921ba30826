import {join} from 'node:path';
import type {InstantModel} from './instant-model.ts';
import type {Launch, Run} from './measure.ts';

/** A call of a row, in the words of Fettle and of the bare loop. */
export interface RowCall {
  readonly name: 'read' | 'edit' | 'grep' | 'bash';
  readonly arguments: Readonly<Record<string, string>>;
}

export interface Row {
  readonly name: string;
  readonly what: string;
  /** At most this many times the yardstick. */
  readonly budget: number;
  readonly unit: 'ms' | 'MiB';
  readonly plan: readonly RowCall[];
  /** A command of its own instead of the loop, for both sides. */
  readonly bare?: boolean;
  readonly figure: (run: Run, model: InstantModel) => number;
}

const reads = (count: number): RowCall[] => Array.from({length: count}, (_, n) => ({name: 'read', arguments: {path: `files/f${n}.txt`}}));
const edits = (count: number): RowCall[] =>
  Array.from({length: count}, (_, n) => ({
    name: 'edit',
    arguments: {path: 'counter.txt', old_string: `value = ${n};`, new_string: `value = ${n + 1};`},
  }));
const commands = (count: number): RowCall[] =>
  Array.from({length: count}, (_, n) => ({name: 'bash', arguments: {command: `cat files/f${n}.txt`}}));
const searches = (count: number): RowCall[] =>
  Array.from({length: count}, (_, n) => ({name: 'grep', arguments: {pattern: `needle ${n}\\b`}}));

/** Mean time of the turns from `from` on: from the end of an answer to the arrival of the next request. */
function turns({requests}: InstantModel, from: number): number[] {
  return requests.slice(from + 1).map((request, n) => request.arrivedAt - (requests[from + n]?.answeredAt ?? Number.NaN));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const WARM = 5;

/** The budgets: figures of Fettle over figures of the yardstick. */
export const ROWS: readonly Row[] = [
  {name: 'version', what: 'fettle --version / node -e 0', budget: 1.2, unit: 'ms', plan: [], bare: true, figure: (run) => run.wallMs},
  {
    name: 'start',
    what: 'process start to first request',
    budget: 1.8,
    unit: 'ms',
    plan: [],
    figure: (run, {requests}) => (requests[0]?.arrivedAt ?? Number.NaN) - run.startedAt,
  },
  {name: 'memory-1', what: 'peak memory, one request', budget: 1.12, unit: 'MiB', plan: [], figure: (run) => run.peakKib / 1024},
  {name: 'memory-500', what: 'peak memory, 500 turns', budget: 1.3, unit: 'MiB', plan: reads(500), figure: (run) => run.peakKib / 1024},
  {name: 'read', what: 'one read turn', budget: 3, unit: 'ms', plan: reads(60), figure: (_, model) => mean(turns(model, WARM))},
  {
    name: 'edit',
    what: 'one edit turn, two waits for the disk on both sides',
    budget: 3.5,
    unit: 'ms',
    plan: edits(60),
    figure: (_, model) => mean(turns(model, WARM)),
  },
  {
    name: 'late',
    what: 'the last 50 of 500 turns',
    budget: 2.5,
    unit: 'ms',
    plan: reads(500),
    figure: (_, model) => mean(turns(model, 450)),
  },
  {
    name: 'search',
    what: 'one search turn over 3,000 files',
    budget: 1.2,
    unit: 'ms',
    plan: searches(30),
    figure: (_, model) => mean(turns(model, WARM)),
  },
  {
    name: 'shell',
    what: 'one command turn (cat of a file)',
    budget: 2.5,
    unit: 'ms',
    plan: commands(30),
    figure: (_, model) => mean(turns(model, WARM)),
  },
  {name: 'cpu', what: 'CPU time of 50 read turns', budget: 2.3, unit: 'ms', plan: reads(50), figure: (run) => run.cpuMs},
];

const LAUNCHER = join(import.meta.dirname, '../dist/bin/fettle.cjs');
const LOOP = join(import.meta.dirname, 'minimal-loop.mjs');

export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly rg: string;
  readonly baseUrl: string;
}

export function fettle(row: Row, place: Place): Launch {
  if (row.bare === true) return {argv: [LAUNCHER, '--version'], cwd: place.folder, env: {}};
  const argv = [LAUNCHER, 'exec', '--model', 'instant/instant', '--mode', 'accept-edits', '--max-turns', '1000', 'Do it.'];
  return {argv, cwd: place.folder, env: {PATH: process.env['PATH'] ?? '', FETTLE_HOME: place.home, HOME: place.home}};
}

export function yardstick(row: Row, place: Place): Launch {
  if (row.bare === true) return {argv: ['-e', '0'], cwd: place.folder, env: {}};
  return {argv: [LOOP, place.baseUrl, 'Do it.'], cwd: place.folder, env: {BENCH_RG: place.rg}};
}
