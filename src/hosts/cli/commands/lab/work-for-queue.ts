import {FettleError, toFettleError} from '../../../../base/errors.ts';
import {counted} from '../../../../base/counted.ts';
import type {ClaimedRollout, WorkEvent, WorkOptions} from '../../../../lab/engine/engine.ts';
import type {RolloutResult} from '../../../../lab/rollout/rollout.ts';
import {dropProgress, runOne, taskOf, type RolloutRunner} from '../../../../lab/run/coordinate-run.ts';
import {rolloutName} from '../../../../lab/run/run-plan.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {loadSettings} from '../../../../sdk/settings/load-settings.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {labFolders, machineFacts, queueOf, withEngine} from './lab-place.ts';
import {closeRunner, openRunner, tasksOf} from './runner.ts';
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
  const start = {io, settings, folders: labFolders(settings.paths), flags};
  const slots = workersOf(flags.workers, false);
  const rollouts = createWork(start);
  const interrupts = listenForInterrupts(() =>
    io.note('Stopping when the running rollouts have ended. Press Ctrl-C again to end at once.'),
  );
  try {
    const never = new AbortController().signal;
    const drain = {signal: interrupts.signal()};
    const {accepted} = await withEngine(
      {folders: start.folders, queue, workerSlots: slots},
      async (engine) => {
        io.note(`${counted(slots, 'rollout')} at a time. Ctrl-C stops.`);
        return await engine.work({slots, drain, run: rollouts.run, onEvent: rollouts.onEvent}, never);
      },
      never,
    );
    await rollouts.settled();
    io.note(`${counted(accepted, 'result')} of this worker accepted.`);
    return EXIT.done;
  } finally {
    interrupts.dispose();
    await rollouts.close();
  }
}

/** The rollouts of one worker, whatever runs they belong to. */
interface Work extends Pick<WorkOptions, 'run'> {
  onEvent(event: WorkEvent): void;
  /** Resolves when nothing is left to be removed of accepted rollouts. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

function createWork(start: LabWork): Work {
  const runners = createRunners(start);
  const active = new Map<string, RolloutRunner>();
  const dropped: Promise<void>[] = [];
  /** Why rollouts were left to others: the same is not said again and again. */
  const said = new Set<string>();
  const forget = async (result: RolloutResult): Promise<void> => {
    const runner = active.get(rolloutName(result.key));
    active.delete(rolloutName(result.key));
    if (runner !== undefined) await dropProgress(runner, result);
  };
  return {
    async run(rollout, signal) {
      const runner = await runners.open(rollout, signal).catch((thrown: unknown) => {
        signal.throwIfAborted();
        return {notHere: toFettleError(thrown).message};
      });
      if ('notHere' in runner) return runner;
      active.set(rolloutName(rollout.key), runner);
      return await runOne(runner, rollout, signal);
    },
    onEvent(event) {
      if (event.is === 'accepted') dropped.push(forget(event.result));
      const line = eventLine(event);
      if (line === undefined || (event.is === 'left' && said.has(event.reason))) return;
      if (event.is === 'left') said.add(event.reason);
      start.io.note(line);
    },
    settled: async () => void (await Promise.all(dropped)),
    close: runners.close,
  };
}

type LabWork = Parameters<typeof openRunner>[0];

/** Places that a run names. */
interface RunPlace {
  readonly suite: string;
  readonly store: string;
}

interface Runners {
  open(rollout: ClaimedRollout, signal: AbortSignal): Promise<RolloutRunner>;
  close(): Promise<void>;
}

/** Opens what the rollouts of a suite, a store and a model need, once for all of them, and again for a suite that has changed. */
function createRunners(start: LabWork): Runners {
  const opened = new Map<string, Promise<RolloutRunner>>();
  const all = new Set<Promise<RolloutRunner>>();
  const openOne = async (rollout: ClaimedRollout, {suite, store}: RunPlace, signal: AbortSignal): Promise<RolloutRunner> => {
    const read = await readSuite(suite, await machineFacts(start.io, start.folders, signal), signal);
    taskOf({tasks: tasksOf(read)}, rollout);
    return await openRunner(start, {store, models: [rollout.key.model], suite: read}, signal);
  };
  return {
    async open(rollout, signal) {
      const {key, settings, taskDigest} = rollout;
      const {suite, store} = settings;
      if (typeof suite !== 'string' || typeof store !== 'string') {
        throw new FettleError({
          code: 'CONFIG',
          message: 'The run does not say where its suite and its store are.',
          hint: 'Start it again.',
        });
      }
      const id = JSON.stringify([suite, store, key.model]);
      const before = opened.get(id);
      const known = await before?.catch(() => undefined);
      const now = opened.get(id);
      const isCurrent = known?.tasks.get(key.task)?.digest === taskDigest || now !== before;
      const opening = (isCurrent ? now : undefined) ?? openOne(rollout, {suite, store}, signal);
      opened.set(id, opening);
      all.add(opening);
      const runner = await opening;
      taskOf(runner, rollout);
      return runner;
    },
    async close() {
      for (const opening of all) await opening.then(closeRunner).catch(() => undefined);
    },
  };
}
