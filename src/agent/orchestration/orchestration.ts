import {newId} from '../../base/ids.ts';
import type {ModelReply, Provider} from '../../models/provider.ts';
import type {ThreadCompleted, ThreadEvent} from '../../protocol/events.ts';
import type {Todo, TodoList} from '../../tools/todo-list.ts';
import type {CheckResult} from '../continuation/check-result.ts';
import type {Blocker} from '../continuation/continuation.ts';
import {harnessEvent} from '../continuation/harness-event.ts';
import {trackerMarkdown} from '../continuation/tracker.ts';
import type {Meter} from '../meter.ts';
import type {EndVerdict, FinalAnswer} from '../turn-end.ts';
import {evaluateWork, passes, type Evaluation} from './evaluate-work.ts';
import {evaluationMarkdown, findingItems, notEvaluatedMarkdown, planText, revisionText} from './evaluation-text.ts';
import {planTask, type Role, type TaskPlan} from './plan-task.ts';

export interface OrchestrationOptions {
  /** Opens the model of a role. */
  readonly providerOf: (role: 'planner' | 'evaluator') => Promise<Provider>;
  readonly meter: Meter;
  readonly todos: TodoList;
  readonly files: ArtifactFiles;
  readonly maxRounds: number;
  /** Of the newest round of verification. */
  readonly checks: () => readonly CheckResult[];
  /** What went wrong on the way, a line each. */
  readonly warnings: () => readonly string[];
  /** Of the whole session, unified; or why there is none. */
  readonly diff: (signal: AbortSignal) => Promise<string>;
  readonly handOff: (blocker: Blocker) => Promise<string | undefined>;
  readonly emit: (event: ThreadEvent) => void;
}

type Artifact = 'spec' | 'contract' | 'task' | 'evaluation';

export interface ArtifactFiles {
  pathOf(name: Artifact): string;
  /** Returns why it could not be written. */
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
      const found = await evaluated(options, {planned, turnId: answer.turnId}, signal);
      if (signal.aborted) return undefined;
      evaluation = found === undefined ? 'not_evaluated' : passes(found) ? 'passed' : 'failed';
      return found === undefined || passes(found) ? undefined : await notPassed(options, answer, found);
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

/** A plan whose steps are still open is gone on with: a resumed session does not plan anew. */
async function earlierPlan({todos, files, emit}: OrchestrationOptions, {text: task, turnId}: Task): Promise<PlannedTask | undefined> {
  if (!todos.read().some(({pinned, status}) => pinned === true && status !== 'completed')) return undefined;
  const [spec, contract] = await Promise.all([files.read('spec'), files.read('contract')]);
  if (spec === undefined || contract === undefined) return undefined;
  const path = files.pathOf('spec');
  emit(harnessEvent(turnId, {event: 'planning_completed', message: `going on with the plan in ${path}`, path}));
  return {spec, contract, task};
}

async function newPlan(options: OrchestrationOptions, {text: task, turnId}: Task, signal: AbortSignal): Promise<PlannedTask | undefined> {
  const {files, emit} = options;
  // A model that cannot be opened is told of before the work, not after it.
  const [role] = await Promise.all([roleOf(options, {name: 'planner', turnId}), options.providerOf('evaluator')]);
  emit(harnessEvent(turnId, {event: 'planning_started', message: 'planning'}));
  const plan = await planTask(task, role, signal);
  if (signal.aborted) return undefined;
  await setTodos(options, plan.todos, turnId);
  const written = [await files.write('spec', plan.spec), await files.write('contract', plan.contract)];
  const message = [plannedText(plan), ...written.filter((problem) => problem !== undefined)].join('; ');
  emit(harnessEvent(turnId, {event: 'planning_completed', message, path: files.pathOf('spec')}));
  const text = planText(plan, {spec: files.pathOf('spec'), contract: files.pathOf('contract')});
  emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text, origin: 'harness'}});
  return {spec: plan.spec, contract: plan.contract, task};
}

/** undefined: the evaluator gave no answer that could be used. */
async function evaluated(
  options: OrchestrationOptions,
  {planned, turnId}: {planned: PlannedTask; turnId: string},
  signal: AbortSignal,
): Promise<Evaluation | undefined> {
  const {todos, files, emit, checks, warnings, diff} = options;
  emit(harnessEvent(turnId, {event: 'evaluation_started', message: 'evaluating'}));
  await files.write('task', trackerMarkdown(todos.read()));
  const role = await roleOf(options, {name: 'evaluator', turnId});
  const {task, ...plan} = planned;
  const work = {task, plan, todos: todos.read(), checks: checks(), warnings: warnings(), diff: await diff(signal)};
  const found = await evaluateWork(work, role, signal);
  if (signal.aborted) return undefined;
  await files.write('evaluation', found.ok ? evaluationMarkdown(found.value) : notEvaluatedMarkdown(found.problem));
  if (!found.ok) {
    emit(harnessEvent(turnId, {event: 'evaluation_skipped', message: `not evaluated: ${found.problem}`}));
    return undefined;
  }
  const passed = passes(found.value);
  const message = `evaluation: ${passed ? 'passed' : 'not passed'}. ${found.value.summary}`;
  emit(harnessEvent(turnId, {event: passed ? 'evaluation_passed' : 'evaluation_failed', message, path: files.pathOf('evaluation')}));
  return found.value;
}

/** What was found goes into the task list; the work goes back, or has failed after the last round. */
async function notPassed(options: OrchestrationOptions, {turnId, objections}: FinalAnswer, found: Evaluation): Promise<EndVerdict> {
  const {todos, emit, maxRounds, checks, handOff} = options;
  const items = findingItems(found, objections + 1);
  await setTodos(options, [...todos.read(), ...items], turnId);
  if (objections < maxRounds) {
    emit(harnessEvent(turnId, {event: 'revision_started', message: `revision ${objections + 1} of ${maxRounds}`}));
    return {sendBack: revisionText(found, items)};
  }
  const rounds = objections === 0 ? '' : `, nor after ${objections} ${objections === 1 ? 'revision' : 'revisions'}`;
  const message = `The evaluation did not pass${rounds}: ${found.summary}`;
  return {outcome: 'failed', message, hint: await handOff({outcome: 'failed', summary: message, turnId, results: checks()})};
}

async function setTodos({todos, files, emit}: OrchestrationOptions, next: readonly Todo[], turnId: string): Promise<void> {
  todos.write(next);
  emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'todo_list', items: [...next]}});
  await files.write('task', trackerMarkdown(next));
}

/** What a role asks counts for the run, and is told. */
async function roleOf(
  {providerOf, meter, emit}: OrchestrationOptions,
  {name, turnId}: {name: 'planner' | 'evaluator'; turnId: string},
): Promise<Role> {
  const provider = await providerOf(name);
  const onReply = (reply: ModelReply, durationMs: number): void => {
    const {usage, costUsd, stopReason, retries} = reply;
    meter.add({requests: 1, usage, costUsd});
    emit({
      type: 'request.completed',
      turn_id: turnId,
      request_id: newId('req'),
      model: provider.model,
      stop_reason: stopReason,
      usage,
      cost_usd: costUsd,
      duration_ms: durationMs,
      retries,
      agent: name,
    });
  };
  return {provider, onReply, mayAsk: () => meter.excess() === undefined};
}

function plannedText({todos, degraded}: TaskPlan): string {
  if (degraded !== undefined) return `no plan (${degraded}): the task itself is the contract`;
  return `planned: ${todos.length} ${todos.length === 1 ? 'step' : 'steps'}`;
}
