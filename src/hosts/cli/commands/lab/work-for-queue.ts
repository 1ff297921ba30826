import {FettleError} from '../../../../base/errors.ts';
import {counted} from '../../../../base/counted.ts';
import type {ClaimedRollout} from '../../../../lab/engine/engine.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import {dropProgress, runOne, type RolloutRunner} from '../../../../lab/run/coordinate-run.ts';
import {rolloutName} from '../../../../lab/run/run-plan.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, machineFacts, queueOf, withEngine} from './lab-place.ts';
import {openRunner} from './runner.ts';
import {workersOf} from './run-flags.ts';
import {eventLine} from './show-progress.ts';

export interface LabWorkerFlags {
  readonly queue?: string;
  readonly workers?: string;
  /** false: `--no-isolation`. */
  readonly isolation: boolean;
}

/**
 * `fettle lab worker`: carries out the rollouts of a queue until it is stopped. The first Ctrl-C lets those that run come to their end, the second ends
 * at once; what did not come to its end is left to other workers.
 */
export async function workForQueue(io: Io, flags: LabWorkerFlags): Promise<number> {
  const queue = queueOf(io, flags);
  if (queue === undefined) {
    throw new FettleError({
      code: 'USAGE',
      message: 'No queue is named.',
      hint: 'Use --queue postgres://user@host/database, or set FETTLE_LAB_QUEUE.',
    });
  }
  const settings = await loadSettings({cwd: io.cwd, env: io.env, home: io.home});
  const folders = labFolders(settings.paths);
  const slots = workersOf(flags.workers, false);
  const runners = new Map<string, Promise<RolloutRunner>>();
  /** Opens what rollouts of this suite, store and model need, once. */
  const runnerFor = async ({key: {model}, settings: {suite, store}}: ClaimedRollout, signal: AbortSignal): Promise<RolloutRunner> => {
    if (typeof suite !== 'string' || typeof store !== 'string') {
      throw new FettleError({code: 'CONFIG', message: 'The run does not say where its suite and its store are.', hint: 'Start it again.'});
    }
    const id = JSON.stringify([suite, store, model]);
    const opening =
      runners.get(id) ??
      readSuite(suite, await machineFacts(io, folders), signal).then(
        async (read) => await openRunner({io, settings, folders, flags}, {models: [model], store, suite: read}, signal),
      );
    runners.set(id, opening);
    // A suite that is not there yet is looked for again by the next rollout.
    return await opening.catch((thrown: unknown) => {
      runners.delete(id);
      throw thrown;
    });
  };
  const active = new Map<string, RolloutRunner>();
  const dropped: Promise<void>[] = [];
  const forget = async (result: RolloutResult): Promise<void> => {
    const runner = active.get(rolloutName(result.key));
    active.delete(rolloutName(result.key));
    if (runner !== undefined) await dropProgress(runner, result);
  };
  const interrupts = listenForInterrupts(() =>
    io.note('Stopping when the running rollouts have ended. Press Ctrl-C again to end at once.'),
  );
  try {
    io.note(`${counted(slots, 'rollout')} at a time. Ctrl-C stops.`);
    const {accepted} = await withEngine(
      {folders, queue},
      async (engine) =>
        await engine.work(
          {
            slots,
            drain: {signal: interrupts.signal()},
            async run(rollout, stop) {
              const runner = await runnerFor(rollout, stop);
              active.set(rolloutName(rollout.key), runner);
              return await runOne(runner, {rollout}, stop);
            },
            onEvent(event) {
              if (event.is === 'accepted') dropped.push(forget(event.result));
              const line = eventLine(event);
              if (line !== undefined) io.note(line);
            },
          },
          new AbortController().signal,
        ),
      new AbortController().signal,
    );
    await Promise.all(dropped);
    io.note(`${counted(accepted, 'result')} of this worker accepted.`);
    return EXIT.done;
  } finally {
    interrupts.dispose();
    for (const opening of runners.values()) await opening.then(async ({isolation}) => await isolation?.close()).catch(() => undefined);
  }
}
