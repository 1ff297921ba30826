import {fettlePaths} from '../../../../config/paths.ts';
import {listRuns} from '../../../../lab/run/run-folder.ts';
import {plannedCount} from '../../../../lab/run/run-plan.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {Io} from '../../io.ts';
import {labFolders, queueOf, withEngine} from './lab-place.ts';

/** `fettle lab list`: the runs, newest first, with what is done of each. */
export async function listLabRuns(io: Io, flags: {readonly json?: true; readonly queue?: string}): Promise<number> {
  const paths = fettlePaths(io);
  const runs = await listRuns(paths.stateDir);
  const signal = new AbortController().signal;
  const rows = await withEngine(
    {folders: labFolders(paths), queue: queueOf(io, flags)},
    async (engine) => await Promise.all(runs.map(async ({plan}) => ({plan, counts: await engine.counts(plan.name, signal)}))),
    signal,
  );
  if (flags.json === true) {
    io.data(
      `${JSON.stringify(
        rows.map(({plan, counts}) => ({...plan, counts})),
        null,
        2,
      )}\n`,
    );
    return EXIT.done;
  }
  const width = Math.max(...rows.map(({plan}) => plan.name.length), 0);
  for (const {plan, counts} of rows) {
    const done = `${counts.passed + counts.failed} of ${plannedCount(plan)} done, ${counts.passed} passed`;
    io.data(`${plan.name.padEnd(width)}  ${done}  ${plan.models.join(', ')}  ${plan.toolsets.join(', ')}\n`);
  }
  if (rows.length === 0) io.note('There are no runs yet. Start one: fettle lab run SUITE');
  return EXIT.done;
}
