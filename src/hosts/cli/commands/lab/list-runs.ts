import {fettlePaths} from '../../../../config/paths.ts';
import type {RolloutCounts} from '../../../../lab/engine/engine.ts';
import {plainLine} from '../../../../lab/report/text/text-table.ts';
import {listRuns, type RunFolder} from '../../../../lab/run/run-folder.ts';
import {plannedCount, type RunPlan} from '../../../../lab/run/run-plan.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {Io} from '../../io.ts';
import {labFolders, queueOf, withEngine} from './lab-place.ts';

interface ListFlags {
  readonly json?: true;
  readonly queue?: string;
}

/** `fettle lab list`: the runs, newest first, with what is done of each. */
export async function listLabRuns(io: Io, flags: ListFlags): Promise<number> {
  const runs = await listRuns(fettlePaths(io).stateDir);
  const queue = queueOf(io, flags);
  const counts = new Map<string, RolloutCounts>();
  for (const isShared of [false, true]) await addCounts(counts, {io, runs, queue, isShared});
  if (flags.json === true) {
    io.data(
      `${JSON.stringify(
        runs.map(({plan}) => ({...plan, counts: counts.get(plan.name) ?? null})),
        null,
        2,
      )}\n`,
    );
    return EXIT.done;
  }
  const rows = runs.map(({plan}) => rowOf(plan, counts.get(plan.name)));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 0));
  for (const row of rows) io.data(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);
  if (runs.length === 0) io.note('No runs yet. Start one: fettle lab run SUITE');
  return EXIT.done;
}

interface Counted {
  readonly io: Io;
  readonly queue: string | undefined;
  readonly runs: readonly RunFolder[];
  /** Those of the queue, or those of this machine. */
  readonly isShared: boolean;
}

/** Without the address of the queue its runs are not counted. */
async function addCounts(counts: Map<string, RolloutCounts>, {io, runs, queue, isShared}: Counted): Promise<void> {
  const mine = runs.filter(({plan}) => plan.isShared === isShared);
  if (mine.length === 0 || (isShared && queue === undefined)) return;
  const signal = new AbortController().signal;
  await withEngine(
    {folders: labFolders(fettlePaths(io)), queue: isShared ? queue : undefined},
    async (engine) => {
      for (const {plan} of mine) counts.set(plan.name, await engine.counts(plan.name, signal));
    },
    signal,
  );
}

/** Name, when it began, what is done; and what was run, which may be of any length. */
function rowOf(plan: RunPlan, counts: RolloutCounts | undefined): readonly string[] {
  const {name, createdAt, suiteName, selfPlay, models, toolsets} = plan;
  const suite = selfPlay === undefined ? suiteName : `self-play of ${suiteName}`;
  const began = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
  return [name, `${began} UTC`, doneText(plan, counts), plainLine(suite), plainLine(models.join(', ')), plainLine(toolsets.join(', '))];
}

function doneText(plan: RunPlan, counts: RolloutCounts | undefined): string {
  if (counts === undefined) return `${plannedCount(plan)} in a queue (--queue URL counts them)`;
  return `${counts.passed + counts.failed} of ${plannedCount(plan)} done, ${counts.passed} passed`;
}
