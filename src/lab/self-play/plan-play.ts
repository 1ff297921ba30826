import {FettleError} from '../../base/errors.ts';
import {makePlan, type RunRequest} from '../run/make-plan.ts';
import type {RunPlan} from '../run/run-plan.ts';
import type {Suite, SuiteTask} from '../suite/task.ts';
import {byBaseRate, type BaseRate} from './curriculum.ts';
import {reasonAgainst, roleTasks, type RolesOf} from './role-tasks.ts';

export interface PlayRequest {
  /** Its attempts are those of the engine: 1. */
  readonly run: Omit<RunRequest, 'attempts' | 'isShared'>;
  readonly roles: RolesOf;
  /** Results of earlier runs, by the id of the task. */
  readonly rates: ReadonlyMap<string, BaseRate>;
}

/** Makes the plan of a run of self-play: its tasks are those of the roles, in the order of the curriculum. Throws USAGE if no task can be used. */
export function planPlay({run, roles, rates}: PlayRequest): RunPlan {
  const {suite} = run;
  const wanted = makePlan({...run, attempts: 1, isShared: false});
  const ids = new Set(wanted.tasks.map(({id}) => id));
  const chosen = suite.tasks.filter(({id}) => ids.has(id));
  const usable = byBaseRate(chosen.filter(isUsable), ({id}) => rates.get(id));
  if (usable.length === 0) {
    const message = `None of the tasks of ${suite.name} can be used for self-play.`;
    throw new FettleError({code: 'USAGE', message, hint: 'Tasks with one step can be.'});
  }
  const tasks = usable.flatMap((source) => roleTasks(source, roles).map(({task}) => task));
  const plan = makePlan({...run, suite: {...suite, tasks, broken: []}, tasks: undefined, name: wanted.name, attempts: 1, isShared: false});
  const unusable = chosen.flatMap((task) => (isUsable(task) ? [] : [{id: task.id, reason: reasonAgainst(task) ?? ''}]));
  const {played, left} = leftOut(usable, roles, plan);
  return {...plan, notRun: [...wanted.notRun, ...unusable, ...left], selfPlay: {...roles, sources: played.map(({id}) => id)}};
}

/** Returns the tasks of which a role can be run, and what cannot: a task as a whole, if that is so for all of its roles. */
function leftOut(
  usable: readonly SuiteTask[],
  roles: RolesOf,
  plan: RunPlan,
): {readonly played: readonly SuiteTask[]; readonly left: RunPlan['notRun']} {
  const planned = new Set(plan.tasks.map(({id}) => id));
  const reasons = new Map(plan.notRun.map(({id, reason}) => [id, reason]));
  const played: SuiteTask[] = [];
  const left: {id: string; reason: string}[] = [];
  for (const source of usable) {
    const ids = roleTasks(source, roles).map(({task}) => task.id);
    const missing = ids.flatMap((id) => (reasons.has(id) ? [{id, reason: reasons.get(id) ?? ''}] : []));
    const isPlayed = ids.some((id) => planned.has(id));
    if (isPlayed) played.push(source);
    left.push(...(isPlayed ? missing : missing.slice(0, 1).map(({reason}) => ({id: source.id, reason}))));
  }
  return {played, left};
}

/** Finds the tasks of a plan in its suite. Throws CONFIG if one is gone. */
export function sourcesOf(plan: RunPlan, suite: Suite): readonly SuiteTask[] {
  return (plan.selfPlay?.sources ?? []).map((id) => {
    const found = suite.tasks.find((task) => task.id === id);
    if (found !== undefined) return found;
    throw new FettleError({code: 'CONFIG', message: `The suite has no task ${id} any more.`, hint: 'Start a new run.'});
  });
}

function isUsable(task: SuiteTask): boolean {
  return reasonAgainst(task) === undefined;
}
