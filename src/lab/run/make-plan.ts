import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import type {Suite, SuiteTask} from '../suite/task.ts';
import type {PlannedTask, RunPlan} from './run-plan.ts';

/** A run as a person asks for it. */
export interface RunRequest {
  readonly suite: Suite;
  readonly models: readonly string[];
  readonly toolsets: readonly string[];
  /** Names of tasks, in which `*` matches any characters; without it all. */
  readonly tasks?: readonly string[] | undefined;
  readonly attempts: number;
  readonly budgetUsd?: number | undefined;
  readonly name?: string | undefined;
  /** Place of the artefacts; without it a folder of this run. */
  readonly store?: string | undefined;
  readonly isShared: boolean;
  /** Folder of all runs. */
  readonly runsFolder: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly version: string;
}

/**
 * Makes the plan of a run. A task that cannot be read, that lacks something here, or that has no script where one is asked for, is listed as not run.
 * Throws USAGE if no task is left, or if a name fits none.
 */
export function makePlan(request: RunRequest): RunPlan {
  const {suite, models, toolsets, attempts, budgetUsd, isShared, now, version} = request;
  const known = [...suite.tasks.map(({id}) => id), ...suite.broken.map(({id}) => id)];
  const isWanted = wantedBy(request.tasks, known);
  const needsScript = models.includes(SCRIPT);
  const reasons = new Map(suite.tasks.map((task) => [task.id, reasonAgainst(task, needsScript)]));
  const wanted = suite.tasks.filter(({id}) => isWanted(id));
  const notRun = [
    ...wanted.flatMap(({id}) => reasons.get(id) ?? []),
    ...suite.broken.filter(({id}) => isWanted(id)).map(({id, problem}) => ({id, reason: problem})),
  ];
  const tasks = wanted.filter(({id}) => reasons.get(id) === undefined).map(plannedTask);
  const [first] = notRun;
  if (tasks.length === 0) {
    const hint = first === undefined ? 'Name a suite with tasks.' : `${first.id}: ${first.reason}`;
    throw new FettleError({code: 'USAGE', message: `None of the tasks of ${suite.name} can be run here.`, hint});
  }
  const name = request.name ?? `${plain(suite.name)}-${timeName(now)}`;
  const store = request.store ?? join(request.runsFolder, name, 'artifacts');
  const of = {name, suite: suite.folder, suiteName: suite.name, tasks, notRun};
  return {...of, models, toolsets, attempts, budgetUsd, store, isShared, createdAt: now, version};
}

/** Characters of a prompt that a plan keeps: there may be a hundred thousand tasks. */
const MOST_PROMPT = 1000;

/** Returns a task as a plan keeps it. */
export function plannedTask({id, digest, labels, steps, limits: {maxCostUsd}}: SuiteTask): PlannedTask {
  const prompt = steps.map((step) => step.prompt.trim()).join('\n\n');
  return {id, digest, labels, prompt: prompt.length > MOST_PROMPT ? `${prompt.slice(0, MOST_PROMPT)}…` : prompt, maxCostUsd};
}

/** The model that answers from the recorded replies of each task. */
export const SCRIPT = 'script';

function reasonAgainst({id, lacks, script}: SuiteTask, needsScript: boolean): {id: string; reason: string} | undefined {
  const [lack] = lacks;
  if (lack !== undefined) return {id, reason: lack};
  return needsScript && script === undefined ? {id, reason: 'it has no recorded script'} : undefined;
}

function wantedBy(names: readonly string[] | undefined, known: readonly string[]): (id: string) => boolean {
  if (names === undefined) return () => true;
  const patterns = names.map((name) => {
    const pattern = new RegExp(
      `^${name
        .split('*')
        .map((part) => RegExp.escape(part))
        .join('.*')}$`,
    );
    if (known.some((id) => pattern.test(id))) return pattern;
    const near = nearestWord(name, known);
    const hint = near === undefined ? 'List them with `fettle lab tasks SUITE`.' : `Did you mean ${near}?`;
    throw new FettleError({code: 'USAGE', message: `The suite has no task ${name}.`, hint});
  });
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function plain(name: string): string {
  const word = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 50);
  return word === '' ? 'run' : word;
}

/** `20261123-071502`, in UTC. */
function timeName(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}
