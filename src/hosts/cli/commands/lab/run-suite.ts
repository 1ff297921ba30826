import {join} from 'node:path';
import {toFettleError} from '../../../../base/errors.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import {reportText} from '../../../../lab/report/text/report-text.ts';
import {coordinateRun, type RunEnd} from '../../../../lab/run/coordinate-run.ts';
import type {RunFolder} from '../../../../lab/run/run-folder.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {earlierRun, newRun, type LabStart, type ReadRun} from './choose-run.ts';
import {labFolders, queueOf, withEngine} from './lab-place.ts';
import {workersOf, type LabRunFlags} from './run-flags.ts';
import {pageOf, reportOf, resultsOf} from './run-results.ts';
import {openRunner} from './runner.ts';
import {showProgress} from './show-progress.ts';

/**
 * `fettle lab run`: carries out a run, or the rest of one, prints its report and writes the page. Exit code 0 if every rollout was judged, 1 if the
 * infrastructure failed for some, 4 if the budget ended it, 130 after Ctrl-C.
 */
export async function runSuite(io: Io, path: string | undefined, flags: LabRunFlags): Promise<number> {
  const settings = await loadSettings({cwd: io.cwd, env: io.env, home: io.home});
  const folders = labFolders(settings.paths);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const signal = interrupts.signal();
    const start = {io, settings, folders, flags};
    const {run, suite} = await (flags.resume === undefined ? newRun(start, path, signal) : earlierRun(start, path, signal));
    const end = await carryOut(start, {run, suite}, signal).catch((thrown: unknown) => {
      if (signal.aborted && toFettleError(thrown).code === 'CANCELLED') return undefined;
      throw thrown;
    });
    if (end !== undefined) return await conclude(start, run, end);
    io.note(howToContinue(run));
    return EXIT.interrupted;
  } finally {
    interrupts.dispose();
  }
}

async function carryOut(start: LabStart, {run, suite}: ReadRun, signal: AbortSignal): Promise<RunEnd> {
  const {io, folders, flags} = start;
  const {plan} = run;
  const runner = await openRunner(start, {models: plan.models, store: plan.store, suite}, signal);
  const workers = workersOf(flags.workers, plan.isShared);
  const progress = showProgress(io, plan, workers);
  try {
    return await withEngine(
      {folders, queue: queueOf(io, flags)},
      async (engine) => await coordinateRun({plan, engine, runner, workers, onProgress: progress.update}, signal),
      new AbortController().signal,
    );
  } finally {
    progress.end();
    await runner.isolation?.close();
  }
}

/** Writes the page and the report, and says how the run ended. */
async function conclude({io, folders, flags}: LabStart, run: RunFolder, {end, counts}: RunEnd): Promise<number> {
  const signal = new AbortController().signal;
  const reported = reportOf(
    await withEngine({folders, queue: queueOf(io, flags)}, async (engine) => await resultsOf(run.plan, engine, signal), signal),
  );
  const file = join(run.folder, 'report.html');
  await writePrivateFile(file, await pageOf(reported, {store: run.plan.store, env: io.env}, signal));
  io.data(reportText(reported.report));
  io.note(`The page with plots: ${file}`);
  const {name, budgetUsd} = run.plan;
  if (end === 'aborted') io.note(howToContinue(run));
  if (end === 'budget') io.note(`Stopped: the budget of $${budgetUsd} is spent.`);
  if (end === 'done' && counts.parked > 0) io.note(`To try again what the infrastructure failed: fettle lab run --resume ${name}`);
  return {aborted: EXIT.interrupted, budget: EXIT.limit, done: counts.parked > 0 ? EXIT.failed : EXIT.done}[end];
}

function howToContinue({plan}: RunFolder): string {
  return `Stopped. To continue: fettle lab run --resume ${plan.name}`;
}
