import {toFettleError} from '../../../../base/errors.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import type {RolloutEngine} from '../../../../lab/engine/engine.ts';
import {chooseExecutor, type Executor, type ExecutorFacts} from '../../../../lab/run/choose-executor.ts';
import {listRuns} from '../../../../lab/run/run-folder.ts';
import {plannedCount, type RunPlan} from '../../../../lab/run/run-plan.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {openOptimizer} from '../../../../sdk/optimization/open-optimizer.ts';
import {openThreadOptimizer, problemText} from '../../../../sdk/optimization/thread-optimizer.ts';
import type {Io} from '../../io.ts';
import {queueOf, withEngine, type LabFolders} from './lab-place.ts';
import {workersOf, type LabRunFlags} from './run-flags.ts';

interface Choosing {
  readonly io: Io;
  readonly settings: SessionSettings;
  readonly folders: LabFolders;
  readonly flags: LabRunFlags;
}

/** The choice for a run, to learn how it ended. */
export interface ChosenExecutor {
  readonly executor: Executor;
  /** Absent where learning is off or frozen. */
  readonly choice?: string | undefined;
}

/**
 * `--queue auto`: chooses this machine or the queue of `FETTLE_LAB_QUEUE` by the expected time, and where learning is on by how earlier runs of about as many
 * rollouts ended. Says why on stderr.
 */
export async function chooseQueue(choosing: Choosing, plan: RunPlan, signal: AbortSignal): Promise<ChosenExecutor> {
  const {io, settings, folders} = choosing;
  const queue = queueOf(io, {});
  if (queue === undefined) return noted(io, {executor: 'local'}, 'no queue is configured: set FETTLE_LAB_QUEUE');
  const live = await withEngine({folders, queue}, async (engine) => await engine.liveSlots(signal), signal).catch((thrown: unknown) => {
    signal.throwIfAborted();
    return toFettleError(thrown).message;
  });
  if (typeof live === 'string') return noted(io, {executor: 'local'}, live.replace(/\.$/, ''));
  const {feasible, why} = chooseExecutor(await factsOf(choosing, {plan, live}, signal));
  const [first, second] = feasible;
  const {optimization} = settings.settings;
  if (second === undefined || !optimization.enabled) return noted(io, {executor: first}, why);
  const optimizer = await openThreadOptimizer(settings);
  const {action, choice, ...made} = optimizer.select(feasible, {decision: decisionOf(plan), exploreShare: optimization.explore_share});
  for (const notice of optimizer.close()) io.note(notice);
  return noted(io, {executor: action, choice}, `${made.why}; ${why}`);
}

/** A run that was carried out to its end. */
export interface ExecutedRun {
  readonly parked: number;
  readonly tookMs: number;
}

/** Learns how a run ended that was carried out to its end: its time for each rollout counts. Where nothing can be learned a note says why. */
export async function learnExecutor(
  {io, settings}: Pick<Choosing, 'io' | 'settings'>,
  {plan, chosen}: {readonly plan: RunPlan; readonly chosen: ChosenExecutor},
  {parked, tookMs}: ExecutedRun,
): Promise<void> {
  const {executor, choice} = chosen;
  if (choice === undefined) return;
  try {
    const optimizer = await openOptimizer({session: settings});
    try {
      optimizer.applyReward({action: executor, success: parked === 0, latency_ms: tookMs / plannedCount(plan)}, {choice});
    } finally {
      optimizer.close();
    }
  } catch (thrown) {
    io.note(problemText(thrown));
  }
}

/** Runs of different sizes are learned apart: what is quick for ten rollouts says nothing of a thousand. */
function decisionOf(plan: RunPlan): string {
  const count = plannedCount(plan);
  return `lab-executor:${count < 10 ? 'few' : count < 100 ? 'some' : 'many'}`;
}

function noted(io: Io, chosen: ChosenExecutor, why: string): ChosenExecutor {
  io.note(visibleText(`${chosen.executor === 'queue' ? 'In the queue' : 'On this machine'}: ${why}.`));
  return chosen;
}

async function factsOf(
  {settings, folders, flags}: Choosing,
  {plan, live}: {readonly plan: RunPlan; readonly live: number},
  signal: AbortSignal,
): Promise<ExecutorFacts> {
  const rolloutMs = await withEngine(
    {folders, queue: undefined},
    async (engine) => await measuredMs(engine, {plan, stateDir: settings.paths.stateDir}, signal),
    signal,
  );
  const localSlots = workersOf(flags.workers, false);
  return {rollouts: plannedCount(plan), localSlots, queueSlots: live, rolloutMs, isStoreShared: flags.store !== undefined};
}

/** The mean time of rollouts of the suite in the newest run on this machine that has results. */
async function measuredMs(
  engine: RolloutEngine,
  {plan, stateDir}: {readonly plan: RunPlan; readonly stateDir: string},
  signal: AbortSignal,
): Promise<number | undefined> {
  const earlier = (await listRuns(stateDir)).filter((run) => run.plan.suite === plan.suite && !run.plan.isShared);
  for (const {plan: one} of earlier) {
    let [sum, count] = [0, 0];
    for await (const {outcome, agentMs, verifyMs} of engine.results(one.name, signal)) {
      if (outcome === 'infrastructure') continue;
      [sum, count] = [sum + agentMs + verifyMs, count + 1];
      if (count === MOST_READ) break;
    }
    if (count > 0) return sum / count;
  }
  return undefined;
}

const MOST_READ = 500;
