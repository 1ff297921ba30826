import {toFettleError} from '../../../../base/errors.ts';
import {coordinateRun, type RunEnd} from '../../../../lab/run/coordinate-run.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {earlierRun, newRun, type LabStart, type ReadRun} from './choose-run.ts';
import {concludeRun, howToContinue} from './conclude-run.ts';
import {labFolders, queueOfRun, withEngine} from './lab-place.ts';
import {workersOf, type LabRunFlags} from './run-flags.ts';
import {closeRunner, openRunner} from './runner.ts';
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
    const {run, suite, learnEnd} = await (flags.resume === undefined ? newRun(start, path, signal) : earlierRun(start, path, signal));
    const beganAt = performance.now();
    const end = await carryOut(start, {run, suite}, signal).catch((thrown: unknown) => {
      if (signal.aborted && toFettleError(thrown).code === 'CANCELLED') return undefined;
      io.note(howToContinue(run));
      throw thrown;
    });
    if (end?.end === 'done') await learnEnd?.({parked: end.counts.parked, tookMs: performance.now() - beganAt});
    if (end !== undefined) return await concludeRun(start, run, end);
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
      {folders, queue: queueOfRun(io, flags, plan)},
      async (engine) => await coordinateRun({plan, engine, runner, workers, onProgress: progress.update}, signal),
      signal,
    );
  } finally {
    progress.end();
    await closeRunner(runner);
  }
}
