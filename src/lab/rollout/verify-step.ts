import {mkdir, rm} from 'node:fs/promises';
import {isAbsolute, join, posix, relative} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {CapturedOutput} from '../../exec/process/command.ts';
import type {ShownFolder} from '../../exec/sandbox/isolation.ts';
import type {TaskStep} from '../suite/task.ts';
import {mergeTests} from './merge-tests.ts';
import {readRewards} from './read-rewards.ts';
import type {RolloutRequest} from './rollout-request.ts';
import {verifyRules} from './rollout-rules.ts';
import {placeVariables} from './rollout-variables.ts';
import {runConfined} from './run-confined.ts';
import type {ScratchPlace} from './scratch-place.ts';

/** The judgement of one step. */
export interface Judgement {
  /** 0 to 1: the mean of the rewards. */
  readonly reward: number;
  readonly rewards: Readonly<Record<string, number>>;
  readonly timedOut: boolean;
  /** Milliseconds. */
  readonly ms: number;
  /** What the command has said, bounded, and how it ended. */
  readonly output: string;
}

/**
 * Judges what the agent has left: its tests are put in place, the command runs in the sandbox with a HOME of its own, and when all of its processes
 * are gone, the rewards are read. Throws if the verification cannot be made, which is nobody's wrong answer.
 */
export async function verifyStep(
  request: RolloutRequest,
  place: ScratchPlace,
  {step, signal}: {step: TaskStep; signal: AbortSignal},
): Promise<Judgement> {
  const {verify} = step;
  await rm(place.judge, {recursive: true, force: true});
  const home = join(place.judge, 'home');
  await mkdir(home, {recursive: true, mode: 0o700});
  const shown = [...(await putTests(request, place, step)), ...(await freshTemporary(place))];
  const files = await clearRewards(request, place, verify.rewardFiles);
  const result = await runConfined(
    {request, place},
    {
      program: 'bash',
      args: ['--norc', '--noprofile', '-c', verify.command],
      rules: verifyRules(request, place, [...shown, ...files.shown]),
      cwd: place.workdir,
      env: {...placeVariables(request, place, home), ...request.task.place.env, ...verify.env},
      timeoutMs: verify.timeoutS * 1000,
    },
    signal,
  );
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  const found = await readRewards(files.paths);
  const byExit = {reward: result.exitCode === 0 && found.kind === 'none' ? 1 : 0};
  const rewards = result.timedOut ? {reward: 0} : found.kind === 'rewards' ? found.rewards : byExit;
  const end = result.timedOut ? `not finished after ${verify.timeoutS} s` : `exit code ${result.exitCode ?? result.signal}`;
  return {
    reward: mean(Object.values(rewards)),
    rewards,
    timedOut: result.timedOut,
    ms: result.durationMs,
    output: [textOf(result.stdout), textOf(result.stderr), ...(found.kind === 'broken' ? [found.problem] : []), `[${end}]`]
      .filter((part) => part !== '')
      .join('\n'),
  };
}

/** Puts the hidden tests where the command expects them. Those outside of the working folder get a folder that the agent has never seen. */
async function putTests(request: RolloutRequest, place: ScratchPlace, {verify}: TaskStep): Promise<ShownFolder[]> {
  const {tests, testsAt} = verify;
  if (tests.length === 0) return [];
  const inside = insideTree(request, place, testsAt);
  if (inside !== undefined) {
    await mergeTests(tests, {root: place.tree, to: inside});
    return [];
  }
  const folder = join(place.judge, 'tests');
  await mkdir(folder, {recursive: true});
  await mergeTests(tests, {root: folder, to: []});
  return [{folder, at: posix.normalize(testsAt).replace(/\/$/, ''), writable: true}];
}

async function freshTemporary(place: ScratchPlace): Promise<ShownFolder[]> {
  const folder = join(place.judge, 'tmp');
  await mkdir(folder, {recursive: true});
  return [{folder, at: '/tmp', writable: true}];
}

/** Removes what the agent has put where rewards are read; those of Harbor get a folder that the agent has never seen. */
async function clearRewards(
  request: RolloutRequest,
  place: ScratchPlace,
  rewardFiles: readonly string[],
): Promise<{paths: readonly string[]; shown: readonly ShownFolder[]}> {
  const shown = new Map<string, ShownFolder>();
  const paths: string[] = [];
  for (const file of rewardFiles) {
    const inside = insideTree(request, place, file);
    if (inside === undefined) {
      const at = posix.dirname(posix.normalize(file));
      const folder = shown.get(at)?.folder ?? join(place.judge, `rewards-${shown.size}`);
      await mkdir(folder, {recursive: true});
      shown.set(at, {folder, at, writable: true});
      paths.push(join(folder, posix.basename(file)));
    } else {
      // A link on the way would lead elsewhere.
      await mergeTests([], {root: place.tree, to: inside.slice(0, -1)});
      const path = join(place.tree, ...inside);
      await rm(path, {recursive: true, force: true});
      paths.push(path);
    }
  }
  return {paths, shown: [...shown.values()]};
}

/** The names below the tree of a path in the place; undefined if it is another folder of the place. Throws CONFIG if it leads out. */
function insideTree({task}: RolloutRequest, place: ScratchPlace, path: string): string[] | undefined {
  const isRoot = task.place.kind === 'root';
  if (isAbsolute(path) && !isRoot) throw outside(path);
  const full = isAbsolute(path) ? posix.normalize(path) : posix.join(isRoot ? place.workdir : `/${relative(place.tree, place.work)}`, path);
  const base = isRoot ? '/app' : '/';
  const names = relative(base, full)
    .split('/')
    .filter((name) => name !== '');
  if (names[0] !== '..') return names;
  if (isRoot) return undefined;
  throw outside(path);
}

function outside(path: string): FettleError {
  const message = `${path} is outside of the working folder of the task.`;
  return new FettleError({code: 'CONFIG', message, hint: 'Choose a path below it.'});
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function textOf({head, tail}: CapturedOutput): string {
  return tail === '' ? head.trimEnd() : `${head}\n[…]\n${tail}`.trimEnd();
}
