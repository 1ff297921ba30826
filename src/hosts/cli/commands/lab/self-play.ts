import {join} from 'node:path';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {artifactReader} from '../../../../lab/artifacts/rollout-artifacts.ts';
import {sourcesOf} from '../../../../lab/self-play/plan-play.ts';
import {playRun, type PlayEnd} from '../../../../lab/self-play/play-run.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {earlierPlay, newPlay, planSaver, type PlayStart, type SelfPlayFlags} from './choose-play.ts';
import type {ReadRun} from './choose-run.ts';
import {labFolders, withEngine} from './lab-place.ts';
import {workersOf} from './run-flags.ts';
import {closeRunner, openRunner} from './runner.ts';
import {showPlay} from './show-play.ts';
import {showProgress} from './show-progress.ts';

/**
 * `fettle lab self-play`: patches and tests of many attempts judge each other, and the best patch of each task is written with its training data.
 * Exit code 0 if every rollout was judged, 1 if the infrastructure failed for some, 4 if the budget ended it, 130 after Ctrl-C.
 */
export async function selfPlay(io: Io, path: string | undefined, flags: SelfPlayFlags): Promise<number> {
  const settings = await loadSettings({cwd: io.cwd, env: io.env, home: io.home});
  const folders = labFolders(settings.paths);
  const interrupts = listenForInterrupts(() => io.note('Cancelling. Press Ctrl-C again to end at once.'));
  try {
    const signal = interrupts.signal();
    const start = {io, settings, folders, flags};
    const chosen = await (flags.resume === undefined ? newPlay(start, path, signal) : earlierPlay(start, path, signal));
    const end = await carryOut(start, chosen, signal);
    if (end === 'interrupted' || end.end === 'aborted') {
      io.note(`Stopped. To continue: fettle lab self-play --resume ${chosen.run.plan.name}`);
      return EXIT.interrupted;
    }
    await showPlay({io, run: chosen.run, end}, signal);
    return end.end === 'budget' ? EXIT.limit : end.counts.parked > 0 ? EXIT.failed : EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

async function carryOut(start: PlayStart, {run, suite}: ReadRun, signal: AbortSignal): Promise<PlayEnd | 'interrupted'> {
  const {io, folders, flags} = start;
  const {plan, folder} = run;
  const roles = plan.selfPlay ?? {attempts: 1, isAgentic: true};
  const runner = await openRunner(start, {models: plan.models, store: plan.store, suite}, signal);
  const workers = workersOf(flags.workers, false);
  const store = await openArtifacts(plan.store, io.env);
  const progress = showProgress(io, plan, workers);
  try {
    return await withEngine(
      {folders, queue: undefined},
      async (engine) =>
        await playRun(
          {
            plan,
            roles,
            sources: sourcesOf(plan, suite),
            engine,
            runner,
            workers,
            onProgress: progress.update,
            onNote: io.note,
            savePlan: planSaver(folder),
            scoresFile: join(folder, 'pairs.jsonl'),
            importsFolder: folders.imports,
            reader: (results) => artifactReader(store, results),
          },
          signal,
        ),
      new AbortController().signal,
    );
  } catch (thrown) {
    if (signal.aborted) return 'interrupted';
    throw thrown;
  } finally {
    progress.end();
    await closeRunner(runner);
  }
}
