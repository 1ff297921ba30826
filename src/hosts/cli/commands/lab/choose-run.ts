import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {makePlan} from '../../../../lab/run/make-plan.ts';
import {createRun, openRun, runsFolder, type RunFolder} from '../../../../lab/run/run-folder.ts';
import {readSuite} from '../../../../lab/suite/read-suite.ts';
import type {Suite} from '../../../../lab/suite/task.ts';
import {AUTO_MODEL} from '../../../../sdk/settings/auto-model.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import {CHOOSE} from '../../command-line/run-options.ts';
import type {Io} from '../../io.ts';
import {machineFacts, queueOf, type LabFolders} from './lab-place.ts';
import {amount, listOf, placeOf, whole, type LabRunFlags} from './run-flags.ts';

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
}

/** Reads a suite and begins a run of it. */
export async function newRun({io, settings, folders, flags}: LabStart, path: string | undefined, signal: AbortSignal): Promise<ReadRun> {
  if (path === undefined) throw new FettleError({code: 'USAGE', message: 'No suite is named.', hint: 'fettle lab run SUITE'});
  const suite = await readSuite(resolve(io.cwd, path), await machineFacts(io, folders), signal);
  const plan = makePlan({
    suite,
    models: listOf(flags.models) ?? [chosenModel(settings)],
    toolsets: listOf(flags.toolsets) ?? ['fettle'],
    tasks: listOf(flags.tasks),
    attempts: whole('--attempts', flags.attempts) ?? 1,
    budgetUsd: amount(flags.budget),
    name: flags.name,
    store: placeOf(io, flags.store),
    isShared: queueOf(io, flags) !== undefined,
    runsFolder: runsFolder(settings.paths.stateDir),
    now: Date.now(),
    version: VERSION,
  });
  return {run: await createRun(settings.paths.stateDir, plan), suite};
}

/** Opens an earlier run, whose plan says everything but the number of workers: an option that would change it is refused. */
export async function earlierRun(
  {io, settings, folders, flags}: LabStart,
  path: string | undefined,
  signal: AbortSignal,
): Promise<ReadRun> {
  const fixed = ['models', 'toolsets', 'tasks', 'attempts', 'budget', 'name', 'store'] as const;
  const other = fixed.find((name) => flags[name] !== undefined);
  if (other !== undefined || path !== undefined) {
    const message = `A run is continued as it was begun: ${path === undefined ? `--${String(other)}` : 'the suite'} cannot be given.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Leave it out, or start a new run.'});
  }
  const run = await openRun(settings.paths.stateDir, flags.resume === CHOOSE ? undefined : flags.resume);
  if (run.plan.selfPlay !== undefined) {
    const hint = `fettle lab self-play --resume ${run.plan.name}`;
    throw new FettleError({code: 'USAGE', message: `The run ${run.plan.name} is one of self-play.`, hint});
  }
  if (run.plan.isShared !== (queueOf(io, flags) !== undefined)) {
    const message = run.plan.isShared ? `The run ${run.plan.name} is in a queue.` : `The run ${run.plan.name} is not in a queue.`;
    throw new FettleError({code: 'USAGE', message, hint: run.plan.isShared ? 'Name it with --queue postgres://…' : 'Leave out --queue.'});
  }
  return {run, suite: await readSuite(run.plan.suite, await machineFacts(io, folders), signal)};
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
