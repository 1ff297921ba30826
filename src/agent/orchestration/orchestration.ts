import {toFettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import type {ThreadCompleted} from '../../protocol/events.ts';
import type {Todo, TodoList} from '../../tools/ports/todo-list.ts';
import type {CheckResult} from '../continuation/check-result.ts';
import type {Blocker} from '../continuation/continuation-options.ts';
import {harnessEvent} from '../continuation/harness-event.ts';
import {trackerMarkdown} from '../continuation/open-items.ts';
import type {EndVerdict, FinalAnswer} from '../turn-end.ts';
import type {JsonAnswer} from './request-json.ts';
import {evaluateWork, passes, type Evaluation} from './evaluate-work.ts';
import {
  evaluationMarkdown,
  findingItems,
  isJudged,
  notEvaluatedMarkdown,
  notJudgedMarkdown,
  planText,
  revisionText,
} from './evaluation-text.ts';
import {askForPlan, planFrom, type TaskPlan} from './plan-task.ts';
import {runRole, type RoleOptions} from './run-role.ts';

export interface OrchestrationOptions extends RoleOptions {
  /** Returns true if a user message of the conversation contains this text. */
  readonly isShown: (text: string) => boolean;
  readonly todos: TodoList;
  readonly files: ArtifactFiles;
  readonly maxRounds: number;
  /** Checks of the newest round of verification. */
  readonly checks: () => readonly CheckResult[];
  /** Problems that did not end the run, one line each. */
  readonly warnings: () => readonly string[];
  /** Unified diff of the whole session, or the reason why there is none. */
  readonly diff: (signal: AbortSignal) => Promise<string>;
  readonly handOff: (blocker: Blocker) => Promise<string | undefined>;
}

type Artifact = 'spec' | 'contract' | 'task' | 'evaluation';

export interface ArtifactFiles {
  pathOf(name: Artifact): string;
  /** Returns why the file could not be written; undefined on success. */
  write(name: Artifact, text: string): Promise<string | undefined>;
  read(name: Artifact): Promise<string | undefined>;
}

/** A planner before the work and an evaluator after it, around the thread that does it (VT Code architecture › plan_build_evaluate). */
export interface Orchestration {
  /** Plans the task of a turn, before its first request. */
  plan(task: {readonly text: string; readonly turnId: string}, signal: AbortSignal): Promise<void>;
  judge(answer: FinalAnswer, signal: AbortSignal): Promise<EndVerdict>;
  /** undefined: nothing was judged. */
  readonly evaluation: ThreadCompleted['evaluation'];
}

export function createOrchestration(options: OrchestrationOptions): Orchestration {
  let planned: PlannedTask | undefined;
  let evaluation: ThreadCompleted['evaluation'];
  return {
    get evaluation() {
      return evaluation;
    },
    async plan(task, signal) {
      evaluation = undefined;
      planned = (await earlierPlan(options, task)) ?? (await newPlan(options, task, signal)) ?? planned;
    },
    async judge(answer, signal) {
      if (planned === undefined) return undefined;
      // Set even if the evaluator cannot be asked.
      evaluation = 'not_evaluated';
      const found = await evaluated(options, {planned, turnId: answer.turnId}, signal);
      if (signal.aborted) return undefined;
      if (!found.ok) return await notEvaluated(options, answer, found.problem);
      evaluation = passes(found.value) ? 'passed' : 'failed';
      return passes(found.value) ? undefined : await notPassed(options, answer, found.value);
    },
  };
}

interface PlannedTask extends Pick<TaskPlan, 'spec' | 'contract'> {
  readonly task: string;
}

interface Task {
  readonly text: string;
  readonly turnId: string;
}

/** A plan with open steps, or whose result was not evaluated, is continued: a resumed session does not plan again. */
async function earlierPlan(options: OrchestrationOptions, {text: task, turnId}: Task): Promise<PlannedTask | undefined> {
  const {todos, files, emit} = options;
  const steps = todos.read().filter(({pinned}) => pinned === true);
  if (steps.length === 0) return undefined;
  const [spec, contract, verdict = ''] = await Promise.all([files.read('spec'), files.read('contract'), files.read('evaluation')]);
  if (spec === undefined || contract === undefined) return undefined;
  if (isJudged(verdict) && steps.every(({status}) => status === 'completed')) return undefined;
  const path = files.pathOf('spec');
  emit(harnessEvent(turnId, {event: 'planning_completed', message: `continuing with the plan in ${path}`, path}));
  // The process may have died before the model got it, or a compaction has removed it.
  if (!options.isShown(`<specification path="${path}">`)) emitPlan(options, {spec, contract}, turnId);
  return {spec, contract, task};
}

function emitPlan({files, emit}: OrchestrationOptions, plan: Pick<TaskPlan, 'spec' | 'contract'>, turnId: string): void {
  const text = planText(plan, {spec: files.pathOf('spec'), contract: files.pathOf('contract')});
  emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text, origin: 'harness'}});
}

async function newPlan(options: OrchestrationOptions, {text: task, turnId}: Task, signal: AbortSignal): Promise<PlannedTask | undefined> {
  const {files, emit} = options;
  // A model that cannot be opened is reported before the work begins.
  await Promise.all([options.providerOf('planner'), options.providerOf('evaluator')]);
  emit(harnessEvent(turnId, {event: 'planning_started', message: 'planning'}));
  const answer = await runRole(options, {name: 'planner', turnId, task}, (role) => askForPlan(task, role, signal));
  if (signal.aborted) return undefined;
  const plan = planFrom(task, answer);
  const written = [
    await files.write('spec', plan.spec),
    await files.write('contract', plan.contract),
    await files.write('evaluation', notJudgedMarkdown()),
  ];
  await setTodos(options, plan.todos, turnId);
  const message = [plannedText(plan), ...written.filter((problem) => problem !== undefined)].join('; ');
  emit(harnessEvent(turnId, {event: 'planning_completed', message, path: files.pathOf('spec')}));
  emitPlan(options, plan, turnId);
  return {spec: plan.spec, contract: plan.contract, task};
}

async function evaluated(
  options: OrchestrationOptions,
  {planned, turnId}: {planned: PlannedTask; turnId: string},
  signal: AbortSignal,
): Promise<JsonAnswer<Evaluation>> {
  const {todos, files, emit, checks, warnings, diff} = options;
  emit(harnessEvent(turnId, {event: 'evaluation_started', message: 'evaluating'}));
  await files.write('task', trackerMarkdown(todos.read()));
  const {task, ...plan} = planned;
  const work = {task, plan, todos: todos.read(), checks: checks(), warnings: warnings(), diff: await diff(signal)};
  const found = await asked(options, {name: 'evaluator', turnId, task}, (role) => evaluateWork(work, role, signal));
  if (signal.aborted) return found;
  await files.write('evaluation', found.ok ? evaluationMarkdown(found.value) : notEvaluatedMarkdown(found.problem));
  if (!found.ok) {
    emit(harnessEvent(turnId, {event: 'evaluation_skipped', message: `not evaluated: ${found.problem}`}));
    return found;
  }
  const passed = passes(found.value);
  const message = `evaluation: ${passed ? 'passed' : 'not passed'}. ${found.value.summary}`;
  emit(harnessEvent(turnId, {event: passed ? 'evaluation_passed' : 'evaluation_failed', message, path: files.pathOf('evaluation')}));
  return found;
}

/** A model of the evaluator that cannot be opened gives no verdict either. */
async function asked(...[options, question, ask]: Parameters<typeof runRole<Evaluation>>): Promise<JsonAnswer<Evaluation>> {
  try {
    return await runRole(options, question, ask);
  } catch (thrown) {
    return {ok: false, problem: toFettleError(thrown).message};
  }
}

/** A missing verdict is not a pass (design 1.4). The work stays as it is, and can be evaluated when the session continues. */
async function notEvaluated(options: OrchestrationOptions, {turnId}: FinalAnswer, problem: string): Promise<EndVerdict> {
  const message = `The work was not evaluated: the evaluator gave no verdict (${problem}).`;
  return {
    outcome: 'failed',
    message,
    hint: await options.handOff({outcome: 'failed', summary: message, turnId, results: options.checks()}),
  };
}

/** Puts the findings into the task list; the work goes back, or has failed after the last round. */
async function notPassed(options: OrchestrationOptions, {turnId, rejections}: FinalAnswer, found: Evaluation): Promise<EndVerdict> {
  const {todos, emit, maxRounds, checks, handOff} = options;
  const items = findingItems(found, rejections + 1);
  await setTodos(options, [...todos.read(), ...items], turnId);
  if (rejections < maxRounds) {
    emit(harnessEvent(turnId, {event: 'revision_started', message: `revision ${rejections + 1} of ${maxRounds}`}));
    return {feedback: revisionText(found, items)};
  }
  const rounds = rejections === 0 ? '' : `, nor after ${rejections} ${rejections === 1 ? 'revision' : 'revisions'}`;
  const message = `The evaluation did not pass${rounds}: ${found.summary}`;
  return {outcome: 'failed', message, hint: await handOff({outcome: 'failed', summary: message, turnId, results: checks()})};
}

async function setTodos({todos, files, emit}: OrchestrationOptions, next: readonly Todo[], turnId: string): Promise<void> {
  todos.write(next);
  emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'todo_list', items: [...next]}});
  await files.write('task', trackerMarkdown(next));
}

function plannedText({todos, degraded}: TaskPlan): string {
  if (degraded !== undefined) return `no plan (${degraded}): the task itself is the contract`;
  return `planned: ${todos.length} ${todos.length === 1 ? 'step' : 'steps'}`;
}
