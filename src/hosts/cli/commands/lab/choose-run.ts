import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {assertStore} from '../../../../lab/artifacts/open-artifacts.ts';
import {makePlan} from '../../../../lab/run/make-plan.ts';
import {changeBudget, createRun, openRun, runsFolder, type RunFolder} from '../../../../lab/run/run-folder.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import type {Suite} from '../../../../lab/suite/task.ts';
import {AUTO_MODEL, AUTO_TOOLS} from '../../../../sdk/settings/auto-model.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {CHOOSE} from '../../command-line/run-options.ts';
import type {Io} from '../../io.ts';
import {assertVariants} from './check-variants.ts';
import {chooseQueue, learnExecutor, type ExecutedRun} from './choose-queue.ts';
import {AUTO_QUEUE, machineFacts, queueOf, queueOfRun, type LabFolders} from './lab-place.ts';
import {amount, listOf, modelsOf, placeOf, whole, workersOf, type LabRunFlags} from './run-flags.ts';

export interface LabStart {
  readonly io: Io;
  readonly settings: SessionSettings;
  readonly folders: LabFolders;
  readonly flags: LabRunFlags;
}

/** A run with its suite. */
export interface ReadRun {
  readonly run: RunFolder;
  readonly suite: Suite;
  /** Learns how the run ended, if `--queue auto` chose its place. */
  readonly learnEnd?: ((end: ExecutedRun) => Promise<void>) | undefined;
}

/** Reads a suite and begins a run of it. */
export async function newRun({io, settings, folders, flags}: LabStart, path: string | undefined, signal: AbortSignal): Promise<ReadRun> {
  if (path === undefined) throw new FettleError({code: 'USAGE', message: 'No suite is named.', hint: 'fettle lab run SUITE'});
  const suite = await readSuite(resolve(io.cwd, path), await machineFacts(io, folders, signal), signal);
  const plan = makePlan({
    suite,
    models: named(modelsOf(io, flags.models), AUTO_MODEL) ?? [chosenModel(settings)],
    toolsets: named(listOf(flags.toolsets), AUTO_TOOLS) ?? ['fettle'],
    tasks: listOf(flags.tasks),
    attempts: whole('--attempts', flags.attempts) ?? 1,
    budgetUsd: amount(flags.budget),
    name: flags.name,
    store: placeOf(io, flags.store),
    isShared: flags.queue !== AUTO_QUEUE && queueOf(io, flags) !== undefined,
    runsFolder: runsFolder(settings.paths.stateDir),
    now: Date.now(),
    version: VERSION,
  });
  // Whatever is wrong with the options is said before there is a run.
  workersOf(flags.workers, plan.isShared);
  await assertVariants(plan, settings);
  if (flags.store !== undefined) await assertStore(plan.store, io.env);
  const naming = {isFinal: flags.name !== undefined};
  if (flags.queue !== AUTO_QUEUE) return {run: await createRun(settings.paths.stateDir, plan, naming), suite};
  const chosen = await chooseQueue({io, settings, folders, flags}, plan, signal);
  return {
    run: await createRun(settings.paths.stateDir, {...plan, isShared: chosen.executor === 'queue'}, naming),
    suite,
    learnEnd: async (end) => await learnExecutor({io, settings}, {plan, chosen}, end),
  };
}

/** Opens an earlier run, whose plan says everything but the number of workers: an option that would change it is refused, except a new budget. */
export async function earlierRun(
  {io, settings, folders, flags}: LabStart,
  path: string | undefined,
  signal: AbortSignal,
): Promise<ReadRun> {
  const fixed = ['models', 'toolsets', 'tasks', 'attempts', 'name', 'store'] as const;
  const other = fixed.find((name) => flags[name] !== undefined);
  if (other !== undefined || path !== undefined) {
    const message = `A run is continued as it was begun: ${path === undefined ? `--${String(other)}` : 'the suite'} cannot be given.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Leave it out, or start a new run.'});
  }
  const run = await openRun(settings.paths.stateDir, flags.resume === CHOOSE ? undefined : flags.resume);
  if (run.plan.selfPlay !== undefined) {
    const hint = `fettle lab self-play --resume ${run.plan.name}`;
    throw new FettleError({code: 'USAGE', message: `The run ${run.plan.name} is a run of self-play.`, hint});
  }
  if (run.plan.isShared !== (queueOfRun(io, flags, run.plan) !== undefined)) {
    const message = run.plan.isShared ? `The run ${run.plan.name} is in a queue.` : `The run ${run.plan.name} is not in a queue.`;
    throw new FettleError({code: 'USAGE', message, hint: run.plan.isShared ? 'Name it with --queue postgres://…' : 'Leave out --queue.'});
  }
  workersOf(flags.workers, run.plan.isShared);
  const budgetUsd = amount(flags.budget);
  const paid = budgetUsd === undefined ? run : await changeBudget(run, budgetUsd);
  return {run: paid, suite: await readSuite(run.plan.suite, await machineFacts(io, folders, signal), signal)};
}

/** Refuses the name that leaves a choice open: a rollout is of one model and one toolset. */
function named(names: readonly string[] | undefined, open: string): readonly string[] | undefined {
  if (names?.includes(open) !== true) return names;
  const hint = 'The lab compares what you name: separate several by commas.';
  throw new FettleError({code: 'USAGE', message: `The lab chooses no model and no toolset: ${open} cannot be run.`, hint});
}

/** Returns the configured model, which cannot be `auto`. Throws USAGE if there is none. */
export function chosenModel({settings}: SessionSettings): string {
  // A rollout is of one model: what it shows must not depend on earlier ones.
  if (settings.model !== undefined && settings.model !== AUTO_MODEL) return settings.model;
  throw new FettleError({
    code: 'USAGE',
    message: 'No model is named.',
    hint: 'Use --models provider/model,…; `--models script` uses the recorded replies of each task.',
  });
}
