import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {SuiteTask} from '../suite/task.ts';
import type {HandedOver} from './hand-over.ts';
import {ROLE_SCHEMAS, rolePrompt, ROLES, type Role} from './role-prompts.ts';

/** One rollout of a role, as a task that the engine runs. */
export interface RoleTask {
  readonly role: Role;
  /** From 1; those of the agentic stage count on where the pipeline ends. */
  readonly attempt: number;
  readonly source: SuiteTask;
  readonly task: SuiteTask;
}

export interface RolesOf {
  /** Rollouts of each role in a stage. The first is greedy: its temperature is 0. */
  readonly attempts: number;
  /** The pipeline is left out: there is no run that localises, and each role does everything itself. */
  readonly isAgentic: boolean;
  /** Temperature of all rollouts but the greedy ones; undefined: the default of the model. */
  readonly temperature?: number | undefined;
}

/**
 * Makes the tasks of the first stage for one task of a suite: the pipeline, in which a run localises for each that fixes or tests. Each attempt is a
 * task of its own, since it may be handed another log.
 */
export function roleTasks(source: SuiteTask, roles: RolesOf): readonly RoleTask[] {
  return tasksOf(source, roles, {first: 1, isAgentic: roles.isAgentic});
}

/** Makes the tasks of the agentic stage, for a task of which the pipeline has promoted nothing: none if there was no pipeline. */
export function agenticTasks(source: SuiteTask, roles: RolesOf): readonly RoleTask[] {
  return roles.isAgentic ? [] : tasksOf(source, roles, {first: roles.attempts + 1, isAgentic: true});
}

interface Stage {
  /** Number of its first attempt. */
  readonly first: number;
  readonly isAgentic: boolean;
}

function tasksOf(source: SuiteTask, {attempts, temperature}: RolesOf, {first, isAgentic}: Stage): readonly RoleTask[] {
  const numbers = Array.from({length: attempts}, (_, index) => first + index);
  return ROLES.filter((role) => role !== 'localise' || !isAgentic).flatMap((role) =>
    numbers.map((attempt) => {
      const of = {role, attempt, temperature: attempt === first ? GREEDY : temperature};
      return {role, attempt, source, task: roleTask(source, of)};
    }),
  );
}

const GREEDY = 0;

/** Hands the log of the run that localised to another role. The digest stays: it follows from an accepted result of the same run. */
export function withFindings({task, role, source, attempt}: RoleTask, found: HandedOver): RoleTask {
  const [step] = task.steps;
  if (step === undefined) return {task, role, source, attempt};
  const prompt = rolePrompt(role, {task: promptOf(source), found});
  return {role, source, attempt, task: {...task, steps: [{...step, prompt}]}};
}

/** The reason why a task cannot be used for self-play; undefined if it can. */
export function reasonAgainst({steps, lacks, place}: SuiteTask): string | undefined {
  const inContainer = place.container === undefined ? undefined : 'it runs in a container, and pairs are scored without one';
  return lacks[0] ?? inContainer ?? (steps.length === 1 ? undefined : 'it has several steps');
}

interface Attempt extends Pick<RoleTask, 'role' | 'attempt'> {
  readonly temperature: number | undefined;
}

function roleTask(source: SuiteTask, {role, attempt, temperature}: Attempt): SuiteTask {
  const [first] = source.steps;
  const prompt = rolePrompt(role, {task: promptOf(source)});
  const outputSchema = ROLE_SCHEMAS[role];
  // The work of a role is not judged where it was made: the pairs are.
  const verify = {command: 'true', tests: [], testsAt: '.', rewardFiles: [], timeoutS: 60, env: {}};
  const isReadOnly = role === 'localise';
  const step = {name: role, prompt, files: first?.files, setUp: first?.setUp ?? [], verify, outputSchema, isReadOnly, temperature};
  const digest = createHash('sha256')
    .update(JSON.stringify([source.digest, attempt, prompt, outputSchema, temperature]))
    .digest('hex');
  return {...source, id: `${source.id}.${role}.${attempt}`, digest, steps: [step], script: scriptOf(source, {role, attempt})};
}

function promptOf({steps}: SuiteTask): string {
  return steps[0]?.prompt ?? '';
}

/** Recorded replies of a role are in `self-play/` of the task: `fix-1.json`, `test-2.json`. */
function scriptOf({script}: SuiteTask, {role, attempt}: Pick<RoleTask, 'role' | 'attempt'>): string | undefined {
  const file = script === undefined ? undefined : join(dirname(script), 'self-play', `${role}-${attempt}.json`);
  return file !== undefined && existsSync(file) ? file : undefined;
}
