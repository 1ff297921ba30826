import {join} from 'node:path';
import {counted} from '../../../../base/counted.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import type {RolloutCounts} from '../../../../lab/engine/engine.ts';
import {reportText} from '../../../../lab/report/text/report-text.ts';
import type {RunEnd} from '../../../../lab/run/coordinate-run.ts';
import type {RunFolder} from '../../../../lab/run/run-folder.ts';
import {plannedCount} from '../../../../lab/run/run-plan.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import type {LabStart} from './choose-run.ts';
import {queueOfRun, withEngine} from './lab-place.ts';
import {reportWidth} from './report-width.ts';
import {pageOf, reportOf, resultsOf} from './run-results.ts';

/** Writes the page and the report, and says how the run ended. */
export async function concludeRun({io, folders, flags}: LabStart, run: RunFolder, {end, counts}: RunEnd): Promise<number> {
  const signal = new AbortController().signal;
  const reported = reportOf(
    await withEngine(
      {folders, queue: queueOfRun(io, flags, run.plan)},
      async (engine) => await resultsOf(run.plan, engine, signal),
      signal,
    ),
  );
  const file = join(run.folder, 'report.html');
  await writePrivateFile(file, await pageOf(reported, {store: run.plan.store, env: io.env}, signal));
  io.data(reportText(reported.report, reportWidth()));
  io.note(`The page with plots: ${file}`);
  const {name} = run.plan;
  if (end === 'aborted') io.note(howToContinue(run));
  if (end === 'budget') for (const line of budgetLines(run, counts)) io.note(line);
  if (end === 'done' && counts.parked > 0) io.note(`To try again what the infrastructure failed: fettle lab run --resume ${name}`);
  return {aborted: EXIT.interrupted, budget: EXIT.limit, done: counts.parked > 0 ? EXIT.failed : EXIT.done}[end];
}

export function howToContinue({plan}: RunFolder): string {
  return `Stopped. To continue: fettle lab run --resume ${plan.name}`;
}

function budgetLines({plan}: RunFolder, {passed, failed, parked, costUsd}: RolloutCounts): string[] {
  const missing = plannedCount(plan) - passed - failed - parked;
  return [
    `Stopped by the budget: $${costUsd.toFixed(2)} of $${plan.budgetUsd} spent, ${counted(missing, 'rollout')} not run.`,
    `To continue with a larger budget: fettle lab run --resume ${plan.name} --budget USD`,
  ];
}
