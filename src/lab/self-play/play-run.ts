import {readStepEvents, stepsOfRollout, type ReadArtifact} from '../log/rollout-log.ts';
import type {RolloutEngine} from '../engine/engine.ts';
import {coordinateRun, type CoordinatedRun, type RolloutRunner, type RunEnd} from '../run/coordinate-run.ts';
import {plannedTask, SCRIPT} from '../run/make-plan.ts';
import type {RunPlan} from '../run/run-plan.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {SuiteTask} from '../suite/task.ts';
import {handOver} from './hand-over.ts';
import {judgeTask, type TaskJudgement} from './judge-task.ts';
import {agenticTasks, roleTasks, withFindings, type RolesOf, type RoleTask} from './role-tasks.ts';
import type {Judging} from './run-tests.ts';
import {openScoreTable, type ScoreTable} from './score-table.ts';
import {scoreTree} from './score-tree.ts';
import {judgedResult, workOn} from './task-work.ts';

/** Everything of one run of self-play. The tasks of its plan are those of the roles. */
export interface PlayRun {
  readonly plan: RunPlan;
  readonly roles: RolesOf;
  /** In the order of the curriculum. */
  readonly sources: readonly SuiteTask[];
  readonly engine: RolloutEngine;
  readonly runner: RolloutRunner;
  readonly workers: number;
  readonly onProgress: CoordinatedRun['onProgress'];
  /** Told what happens between the rollouts, a line each. */
  readonly onNote: (note: string) => void;
  /** Stores the plan once the agentic stage is added to it. */
  readonly savePlan: (plan: RunPlan) => Promise<void>;
  /** File of the scores of pairs. */
  readonly scoresFile: string;
  readonly importsFolder: string;
  /** Reads artefacts of these results. */
  readonly reader: (results: readonly RolloutResult[]) => ReadArtifact;
}

export interface PlayEnd extends RunEnd {
  readonly judgements: readonly TaskJudgement[];
  readonly results: readonly RolloutResult[];
  /** Rollouts that the budget has left out. */
  readonly notStarted: readonly RoleTask[];
}

/**
 * Carries out a run of self-play, or the rest of it. First the pipeline: the runs that localise, those that fix and those that test, then every pair.
 * Then, for tasks of which nothing was promoted, the agentic stage, whose patches and tests are paired with those that are there. What has a result is
 * neither run nor paid again. An abort ends it without judgements, a spent budget with those of the work that there is.
 * @throws FettleError UNAVAILABLE, also if a verification cannot be made
 */
export async function playRun(play: PlayRun, signal: AbortSignal): Promise<PlayEnd> {
  const {sources, roles, plan, onNote} = play;
  const pipeline = sources.flatMap((source) => roleTasks(source, roles));
  const later = sources.flatMap((source) => agenticTasks(source, roles)).filter(({task}) => canRun(task, plan));
  const searching = pipeline.filter(({role}) => role === 'localise');
  if (searching.length > 0) {
    // An earlier process may have left rollouts of later stages in the queue.
    const known = [...(await handedOver(play, pipeline, signal)), ...later];
    const localised = await carryOut(play, {tasks: searching, known}, signal);
    if (localised.end === 'aborted') return {...localised, judgements: [], results: [], notStarted: []};
  }
  const informed = await handedOver(play, pipeline, signal);
  // Those of an agentic stage that an earlier process began are in the queue, too.
  const begun = later.filter(({task}) => plan.tasks.some(({id}) => id === task.id));
  const first = await playStage(play, {tasks: [...informed, ...begun], known: [...informed, ...later], judged: sources}, signal);
  const unsolved = first.judgements.flatMap(({promoted}, at) => (promoted === undefined ? (sources[at] ?? []) : []));
  const agentic = later.filter((one) => unsolved.includes(one.source) && !begun.includes(one));
  if (first.end === 'budget') return leftOut(first, agentic);
  if (first.end !== 'done' || agentic.length === 0) return first;
  onNote(`Nothing is promoted of ${listed(agentic)} yet: each role now does everything itself.`);
  const longer = withTasks(plan, agentic);
  await play.savePlan(longer);
  const judged = unsolved.filter((source) => agentic.some((one) => one.source === source));
  const second = await playStage(
    {...play, plan: longer},
    {tasks: [...informed, ...agentic], known: [...informed, ...later], judged},
    signal,
  );
  const newest = new Map(second.judgements.map((judgement) => [judgement.task, judgement]));
  return leftOut({...second, judgements: first.judgements.map((judgement) => newest.get(judgement.task) ?? judgement)}, []);
}

/** A budget that was spent by the last rollout has ended nothing. */
function leftOut(end: PlayEnd, later: readonly RoleTask[]): PlayEnd {
  const started = new Set(end.results.map(({key}) => key.task));
  const notStarted = [...end.notStarted, ...later.filter(({task}) => !started.has(task.id))];
  return {...end, notStarted, end: end.end === 'budget' && notStarted.length === 0 ? 'done' : end.end};
}

interface Rollouts {
  /** Those that are to be carried out, and have results in the end. */
  readonly tasks: readonly RoleTask[];
  /** All that may be in the queue. */
  readonly known: readonly RoleTask[];
}

interface Stage extends Rollouts {
  /** Tasks of the suite whose pairs are scored. */
  readonly judged: readonly SuiteTask[];
}

async function playStage(play: PlayRun, {tasks, known: all, judged}: Stage, signal: AbortSignal): Promise<PlayEnd> {
  const end = await carryOut(play, {tasks, known: all}, signal);
  const results = await resultsOf(play, signal);
  if (end.end === 'aborted') return {...end, judgements: [], results, notStarted: []};
  const known = new Set(results.map(({key}) => key.task));
  const notStarted = tasks.filter(({task}) => !known.has(task.id));
  const table = await openScoreTable(play.scoresFile);
  const judgements: TaskJudgement[] = [];
  for (const source of judged) {
    play.onNote(`Scoring the pairs of ${source.id}.`);
    const work = await workOn({source, roles: tasks.filter((one) => one.source === source), results, read: play.reader(results)}, signal);
    judgements.push(await judgeTask(work, judgingFor({...play, table}, source), signal));
  }
  return {...end, judgements, results, notStarted};
}

/** Recorded replies are there for as many attempts as were recorded. */
function canRun({script}: SuiteTask, {models}: RunPlan): boolean {
  return script !== undefined || !models.includes(SCRIPT);
}

function listed(tasks: readonly RoleTask[]): string {
  return [...new Set(tasks.map(({source}) => source.id))].join(', ');
}

function withTasks(plan: RunPlan, more: readonly RoleTask[]): RunPlan {
  const known = new Set(plan.tasks.map(({id}) => id));
  return {...plan, tasks: [...plan.tasks, ...more.filter(({task}) => !known.has(task.id)).map(({task}) => plannedTask(task))]};
}

async function carryOut(
  {plan, engine, runner, workers, onProgress}: PlayRun,
  {tasks, known}: Rollouts,
  signal: AbortSignal,
): Promise<RunEnd> {
  const ids = new Set(tasks.map(({task}) => task.id));
  const planned = {...plan, tasks: plan.tasks.filter(({id}) => ids.has(id))};
  const byId = new Map(known.map(({task}) => [task.id, task]));
  return await coordinateRun({plan: planned, engine, runner: {...runner, tasks: byId}, workers, onProgress}, signal);
}

/** Estimated tokens of a log that is handed to another role. */
const LOG_TOKENS = 6000;

async function handedOver(play: PlayRun, all: readonly RoleTask[], signal: AbortSignal): Promise<readonly RoleTask[]> {
  const results = await resultsOf(play, signal);
  const read = play.reader(results);
  const searches = new Map(all.map((one) => [`${one.source.id} ${one.role} ${one.attempt}`, one]));
  const tasks: RoleTask[] = [];
  for (const one of all) {
    const search = one.role === 'localise' ? undefined : searches.get(`${one.source.id} localise ${one.attempt}`);
    const result = search === undefined ? undefined : judgedResult(results, search);
    const [step] = result === undefined ? [] : stepsOfRollout(result);
    const found = step === undefined ? undefined : handOver(await readStepEvents(step, read, signal), LOG_TOKENS);
    const isNew = found?.cut !== undefined && judgedResult(results, one) === undefined;
    if (isNew) play.onNote(`${one.task.id}: the log of localise ${one.attempt} is cut for it: ${found.cut}.`);
    tasks.push(found === undefined || found.text === '' ? one : withFindings(one, found));
  }
  return tasks;
}

async function resultsOf({plan, engine}: PlayRun, signal: AbortSignal): Promise<readonly RolloutResult[]> {
  return await Array.fromAsync(engine.results(plan.name, signal));
}

function judgingFor({plan, runner, table, importsFolder}: PlayRun & {readonly table: ScoreTable}, task: SuiteTask): Judging {
  const {folders, agent, artifacts, isolation} = runner;
  // One key for all trees: it names the scratch folder.
  const key = {run: plan.name, task: task.id, model: 'none', toolset: 'pairs', attempt: 1};
  const request = {key, task, retries: 0, folders, agent, artifacts: artifacts(key), isolation};
  return {table, importsFolder, score: async (tree, signal) => await scoreTree(request, tree, signal)};
}
