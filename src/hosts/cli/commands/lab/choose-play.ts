import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {changeBudget, createRun, listRuns, openRun, runsFolder, savePlan} from '../../../../lab/run/run-folder.ts';
import type {RunPlan} from '../../../../lab/run/run-plan.ts';
import {earlierRates} from '../../../../lab/self-play/curriculum.ts';
import {planPlay} from '../../../../lab/self-play/plan-play.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {CHOOSE} from '../../command-line/run-options.ts';
import {assertVariants} from './check-variants.ts';
import {chosenModel, type LabStart, type ReadRun} from './choose-run.ts';
import {machineFacts, withEngine} from './lab-place.ts';
import {amount, listOf, whole, workersOf} from './run-flags.ts';

/** The options of `fettle lab self-play`, as they were typed. */
export interface SelfPlayFlags {
  readonly model?: string;
  readonly tasks?: string;
  readonly attempts?: string;
  readonly agentic?: true;
  readonly workers?: string;
  readonly budget?: string;
  readonly name?: string;
  /** false: `--no-isolation`. */
  readonly isolation: boolean;
  /** A name, or `CHOOSE` for the newest. */
  readonly resume?: string;
}

export interface PlayStart extends Omit<LabStart, 'flags'> {
  readonly flags: SelfPlayFlags;
}

/** Reads a suite and begins a run of self-play on it. */
export async function newPlay({io, settings, folders, flags}: PlayStart, path: string | undefined, signal: AbortSignal): Promise<ReadRun> {
  if (path === undefined) throw new FettleError({code: 'USAGE', message: 'No suite is named.', hint: 'fettle lab self-play SUITE'});
  workersOf(flags.workers, false);
  const {stateDir} = settings.paths;
  const suite = await readSuite(resolve(io.cwd, path), await machineFacts(io, folders, signal), signal);
  const plans = (await listRuns(stateDir)).map(({plan}) => plan);
  const rates = await withEngine({folders, queue: undefined}, async (engine) => await earlierRates(engine, {plans, suite}, signal), signal);
  const plan = planPlay({
    run: {
      suite,
      models: [flags.model ?? chosenModel(settings)],
      toolsets: ['fettle'],
      tasks: listOf(flags.tasks),
      budgetUsd: amount(flags.budget),
      name: flags.name,
      runsFolder: runsFolder(stateDir),
      now: Date.now(),
      version: VERSION,
    },
    roles: {
      attempts: whole('--attempts', flags.attempts) ?? ATTEMPTS,
      isAgentic: flags.agentic === true,
      temperature: settings.settings.temperature,
    },
    rates,
  });
  await assertVariants(plan, settings);
  return {run: await createRun(stateDir, plan, {isFinal: flags.name !== undefined}), suite};
}

const ATTEMPTS = 4;

/** Opens an earlier run of self-play, whose plan says everything but the number of workers and a new budget. */
export async function earlierPlay(
  {io, settings, folders, flags}: PlayStart,
  path: string | undefined,
  signal: AbortSignal,
): Promise<ReadRun> {
  const fixed = ['model', 'tasks', 'attempts', 'agentic', 'name'] as const;
  const other = fixed.find((name) => flags[name] !== undefined);
  if (other !== undefined || path !== undefined) {
    const message = `A run is continued as it was begun: ${path === undefined ? `--${String(other)}` : 'the suite'} cannot be given.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Leave it out, or start a new run.'});
  }
  const {stateDir} = settings.paths;
  const newest = (await listRuns(stateDir)).find(({plan}) => plan.selfPlay !== undefined);
  const run = flags.resume === CHOOSE ? newest : await openRun(stateDir, flags.resume);
  if (run?.plan.selfPlay === undefined) {
    const message = run === undefined ? 'No runs of self-play yet.' : `The run ${run.plan.name} is not a run of self-play.`;
    throw new FettleError({code: 'NOT_FOUND', message, hint: 'Start one: fettle lab self-play SUITE'});
  }
  const suite = await readSuite(run.plan.suite, await machineFacts(io, folders, signal), signal);
  workersOf(flags.workers, false);
  const budgetUsd = amount(flags.budget);
  return {run: budgetUsd === undefined ? run : await changeBudget(run, budgetUsd), suite};
}

/** Returns a function that stores the plan of a run once it has more rollouts. */
export function planSaver(folder: string): (plan: RunPlan) => Promise<void> {
  return async (plan) => await savePlan({folder, plan});
}
