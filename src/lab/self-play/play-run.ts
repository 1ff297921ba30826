import {readStepEvents, stepsOfRollout, type ReadArtifact} from '../log/rollout-log.ts';
import type {RolloutEngine} from '../engine/engine.ts';
import {coordinateRun, type CoordinatedRun, type RolloutRunner, type RunEnd} from '../run/coordinate-run.ts';
import type {RunPlan} from '../run/run-plan.ts';
import type {RolloutResult} from '../rollout/rollout.ts';
import type {SuiteTask} from '../suite/task.ts';
import {handOver} from './hand-over.ts';
import {judgeTask, type Judging, type TaskJudgement} from './judge-task.ts';
import {roleTasks, withFindings, type RolesOf, type RoleTask} from './role-tasks.ts';
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
  /** Called before the work on a task is judged. */
  readonly onJudging: (task: string) => void;
  /** File of the scores of pairs. */
  readonly scoresFile: string;
  readonly importsFolder: string;
  /** Reads artefacts of these results. */
  readonly reader: (results: readonly RolloutResult[]) => ReadArtifact;
}

export interface PlayEnd extends RunEnd {
  readonly judgements: readonly TaskJudgement[];
  readonly results: readonly RolloutResult[];
}

/**
 * Carries out a run of self-play, or the rest of it: the runs that localise first, then those that fix and those that test, then every pair. What has
 * a result is neither run nor paid again. An abort ends it without judgements, a spent budget with those of the work that there is.
 * @throws FettleError UNAVAILABLE, also if a verification cannot be made
 */
export async function playRun(play: PlayRun, signal: AbortSignal): Promise<PlayEnd> {
  const all = play.sources.flatMap((source) => roleTasks(source, play.roles));
  const searching = all.filter(({role}) => role === 'localise');
  if (searching.length > 0) {
    const first = await carryOut(play, searching, signal);
    if (first.end === 'aborted') return {...first, judgements: [], results: []};
  }
  const informed = await handedOver(play, all, signal);
  const end = await carryOut(play, informed, signal);
  const results = await resultsOf(play, signal);
  if (end.end === 'aborted') return {...end, judgements: [], results};
  const table = await openScoreTable(play.scoresFile);
  const judgements: TaskJudgement[] = [];
  for (const source of play.sources) {
    play.onJudging(source.id);
    const work = await workOn({source, roles: all.filter((one) => one.source === source), results, read: play.reader(results)}, signal);
    judgements.push(await judgeTask(work, judgingFor({...play, table}, source), signal));
  }
  return {...end, judgements, results};
}

/** Estimated tokens of a log that is handed to another role. */
const LOG_TOKENS = 6000;

async function carryOut(
  {plan, engine, runner, workers, onProgress}: PlayRun,
  tasks: readonly RoleTask[],
  signal: AbortSignal,
): Promise<RunEnd> {
  const byId = new Map(tasks.map(({task}) => [task.id, task]));
  const planned = {...plan, tasks: plan.tasks.filter(({id}) => byId.has(id))};
  return await coordinateRun({plan: planned, engine, runner: {...runner, tasks: byId}, workers, onProgress}, signal);
}

async function handedOver(play: PlayRun, all: readonly RoleTask[], signal: AbortSignal): Promise<readonly RoleTask[]> {
  const results = await resultsOf(play, signal);
  const read = play.reader(results);
  const tasks: RoleTask[] = [];
  for (const one of all) {
    const search = all.find(({role, attempt, source}) => role === 'localise' && attempt === one.attempt && source === one.source);
    const result = one.role === 'localise' ? undefined : judgedResult(results, search);
    const [step] = result === undefined ? [] : stepsOfRollout(result);
    const found = step === undefined ? '' : handOver(await readStepEvents(step, read, signal), LOG_TOKENS);
    tasks.push(found === '' ? one : withFindings(one, found));
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
