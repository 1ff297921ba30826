import {toFettleError} from '../../base/errors.ts';
import type {ReadArtifact} from '../log/rollout-log.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {SuiteTask} from '../suite/task.ts';
import {cleanPatch, type CleanPatch} from './patch-sections.ts';
import type {RoleTask} from './role-tasks.ts';
import {readTestSet, type TestSet} from './test-set.ts';

/** The usable work of the roles on one task. */
export interface TaskWork {
  readonly task: SuiteTask;
  readonly patches: readonly (CleanPatch & {readonly attempt: number})[];
  readonly tests: readonly (TestSet & {readonly attempt: number})[];
  /** Answers that cannot be used, one line each. */
  readonly unusable: readonly string[];
}

export interface TaskRoles {
  readonly source: SuiteTask;
  /** The roles of this task. */
  readonly roles: readonly RoleTask[];
  readonly results: readonly RolloutResult[];
  readonly read: ReadArtifact;
}

/** Collects the patches and tests that the roles have left for one task, and says what of it cannot be used. */
export async function workOn({source, roles, results, read}: TaskRoles, signal: AbortSignal): Promise<TaskWork> {
  const parts: Part[] = [];
  for (const one of roles) {
    if (one.role === 'localise') continue;
    const result = judgedResult(results, one);
    const place = result?.artifacts[one.role === 'fix' ? 'diff.patch' : 'last-message.txt'];
    const bytes = place === undefined ? undefined : await read(place, signal);
    if (bytes !== undefined) parts.push(partOf(one, new TextDecoder().decode(bytes)));
    else parts.push({unusable: failureOf(one, results)});
  }
  return {
    task: source,
    patches: parts.flatMap(({patch}) => patch ?? []),
    tests: parts.flatMap(({tests}) => tests ?? []),
    unusable: parts.flatMap(({unusable}) => unusable ?? []),
  };
}

/** The result of a role, unless the infrastructure failed. */
export function judgedResult(results: readonly RolloutResult[], task: RoleTask | undefined): RolloutResult | undefined {
  return results.find(({key, outcome}) => key.task === task?.task.id && outcome !== 'infrastructure');
}

/** One that was not started is listed with the others at the end of the run. */
function failureOf(one: RoleTask, results: readonly RolloutResult[]): readonly string[] {
  const result = results.find(({key}) => key.task === one.task.id);
  return result === undefined ? [] : [`${nameOf(one)}: it was not run to its end${result.note === undefined ? '' : `: ${result.note}`}`];
}

interface Part {
  readonly patch?: TaskWork['patches'][number];
  readonly tests?: TaskWork['tests'][number];
  readonly unusable?: readonly string[];
}

function partOf(one: RoleTask, text: string): Part {
  return one.role === 'fix' ? patchPart(one, text) : testsPart(one, text);
}

function patchPart(one: RoleTask, text: string): Part {
  const clean = cleanPatch(text);
  const dropped = clean.dropped.length === 0 ? [] : [`${nameOf(one)}: changes dropped in ${clean.dropped.join(', ')}`];
  if (clean.patch === '') return {unusable: [...dropped, `${nameOf(one)}: it changes no sources`]};
  return {patch: {...clean, attempt: one.attempt}, unusable: dropped};
}

function testsPart(one: RoleTask, text: string): Part {
  try {
    return {tests: {...readTestSet(text), attempt: one.attempt}};
  } catch (thrown) {
    return {unusable: [`${nameOf(one)}: ${toFettleError(thrown).message}`]};
  }
}

/** `fix 2`. */
export function nameOf({role, attempt}: Pick<RoleTask, 'role' | 'attempt'>): string {
  return `${role} ${attempt}`;
}
