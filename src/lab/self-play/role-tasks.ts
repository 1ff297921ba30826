import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {SuiteTask} from '../suite/task.ts';
import {ROLE_SCHEMAS, rolePrompt, ROLES, type Role} from './role-prompts.ts';

/** One rollout of a role, as a task that the engine runs. */
export interface RoleTask {
  readonly role: Role;
  /** From 1. */
  readonly attempt: number;
  readonly source: SuiteTask;
  readonly task: SuiteTask;
}

export interface RolesOf {
  readonly attempts: number;
  /** No run that localises comes first: each role does everything itself. */
  readonly isAgentic: boolean;
}

/** Makes the tasks of all roles for one task of a suite: each attempt is one of its own, since it may be handed another log. */
export function roleTasks(source: SuiteTask, {attempts, isAgentic}: RolesOf): readonly RoleTask[] {
  const numbers = Array.from({length: attempts}, (_, index) => index + 1);
  const roles = ROLES.filter((role) => role !== 'localise' || !isAgentic);
  return roles.flatMap((role) => numbers.map((attempt) => ({role, attempt, source, task: roleTask(source, role, attempt)})));
}

/** Hands the log of the run that localised to another role. The digest stays: it follows from an accepted result of the same run. */
export function withFindings({task, role, source, attempt}: RoleTask, found: string): RoleTask {
  const [step] = task.steps;
  if (step === undefined) return {task, role, source, attempt};
  const prompt = rolePrompt(role, {task: promptOf(source), found});
  return {role, source, attempt, task: {...task, steps: [{...step, prompt}]}};
}

/** The reason why a task cannot be used for self-play; undefined if it can. */
export function reasonAgainst({steps, lacks}: SuiteTask): string | undefined {
  return lacks[0] ?? (steps.length === 1 ? undefined : 'it has several steps');
}

function roleTask(source: SuiteTask, role: Role, attempt: number): SuiteTask {
  const [first] = source.steps;
  const prompt = rolePrompt(role, {task: promptOf(source)});
  const outputSchema = ROLE_SCHEMAS[role];
  // Nothing is judged in the place of a role: the pairs are.
  const verify = {command: 'true', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 60, env: {}};
  const step = {name: role, prompt, files: first?.files, setUp: first?.setUp ?? [], verify, outputSchema};
  const digest = createHash('sha256')
    .update(JSON.stringify([source.digest, attempt, prompt, outputSchema]))
    .digest('hex');
  return {...source, id: `${source.id}.${role}.${attempt}`, digest, steps: [step], script: scriptOf(source, role, attempt)};
}

function promptOf({steps}: SuiteTask): string {
  return steps[0]?.prompt ?? '';
}

/** Recorded replies of a role stand in `self-play/` of the task: `fix-1.json`, `test-2.json`. */
function scriptOf({script}: SuiteTask, role: Role, attempt: number): string | undefined {
  const file = script === undefined ? undefined : join(dirname(script), 'self-play', `${role}-${attempt}.json`);
  return file !== undefined && existsSync(file) ? file : undefined;
}
