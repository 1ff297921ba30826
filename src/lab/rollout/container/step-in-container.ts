import {lstatSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {join, posix} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import type {TaskStep} from '../../suite/task.ts';
import type {AgentRun} from '../agent/run-agent.ts';
import {keepAgentStep} from '../keep-agent-step.ts';
import {keepPaidWork} from '../progress.ts';
import type {FinishedStep, RolloutCall} from '../rollout-run.ts';
import {costOf} from '../rollout-result.ts';
import {changedLoadedFiles, productsOf, putBackFiles, readLoadedFiles, type LoadedFiles} from '../tree/loaded-files.ts';
import {removeTree} from '../tree/remove-tree.ts';
import {takeBase, type TreeBase} from '../tree/tree-base.ts';
import {linksIntoTests} from '../verify/links-into-tests.ts';
import {agentHome, runAgentIn} from './agent-in-container.ts';
import {putBackPrograms} from './first-programs.ts';
import {unjudged} from './verify-in-container.ts';
import {cleanIn, copyIn, copyOut, engine, execIn, restartBox, stopBox, type Box} from './box.ts';

interface BoxedStep {
  readonly box: Box;
  readonly step: TaskStep;
  readonly index: number;
}

/** Copies the files of a step into the container and runs its set-up. Throws UNAVAILABLE with the line that failed and the end of its output. */
export async function prepareStepIn({request: {task}}: RolloutCall, {box, step}: BoxedStep, signal: AbortSignal): Promise<void> {
  if (step.files !== undefined) await copyIn(box, {from: step.files, to: box.workdir}, signal);
  for (const line of step.setUp) {
    const command = {
      command: ['bash', '--norc', '--noprofile', '-c', line],
      workdir: box.workdir,
      env: task.place.env,
      timeoutMs: SET_UP_MS,
    };
    const result = await execIn(box, command, signal);
    if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    if (result.exitCode === 0) continue;
    const said = (result.stderr.tail || result.stderr.head || result.stdout.tail || result.stdout.head).trim().split('\n').at(-1) ?? '';
    const how = result.timedOut ? `did not end in ${SET_UP_MS / 1000} s` : `failed with exit code ${result.exitCode ?? result.signal}`;
    const hint = 'Run the line by hand in a container of the image.';
    throw new FettleError({code: 'UNAVAILABLE', message: `The set-up \`${line}\` ${how}: ${said}`, hint});
  }
}

const SET_UP_MS = 600_000;

/**
 * Runs the agent on one step and keeps what it leaves. When it returns the container was stopped and started again: no process of the agent is left.
 * Changed files that would decide what the verification does are put back, and changed shells; new links into the hidden tests are removed.
 */
export async function agentStepIn(call: RolloutCall, boxed: BoxedStep, signal: AbortSignal): Promise<FinishedStep> {
  const {request, place, run} = call;
  const {box, step, index} = boxed;
  const base = await baseOf(call, box, signal);
  const used = run.steps.reduce((sum, {agent}) => sum + agent.requests, 0);
  const spentUsd = costOf(run.steps) ?? 0;
  const agent = await runAgentIn(request, box, {step, used, spentUsd, eventFile: eventsIn(place), signal, index});
  return await keepPaidWork(signal, async (keeping) => await keepStep(call, {...boxed, base, agent}, keeping));
}

function eventsIn({record}: RolloutCall['place']): string {
  return join(record, 'events.jsonl');
}

interface AgentEnded extends BoxedStep {
  readonly base: BoxedBase | undefined;
  readonly agent: AgentRun;
}

async function keepStep(call: RolloutCall, {box, step, index, base, agent}: AgentEnded, signal: AbortSignal): Promise<FinishedStep> {
  const {request, place} = call;
  await stopBox(box, signal);
  const {patch, after} = await lookAgain(box, base, signal);
  const sessions = await sessionsOf(box, index, signal);
  await keepAgentStep(call, {step, agent, eventFile: eventsIn(place), patch, sessions}, signal);
  const programs = await putBackPrograms(box, signal);
  const replaced = programs.map(({path}) => path);
  if ((await restartBox(box, signal)) !== undefined) return {name: step.name, agent, putBack: replaced};
  const added = programs.flatMap(({path, isNew}) => (isNew ? [path] : []));
  if (added.length > 0) await cleanIn(box, {remove: added, make: []}, signal);
  if (base === undefined) return {name: step.name, agent, putBack: replaced};
  // Files that decide what the verification does could be in it.
  if (after === undefined) return {name: step.name, agent, putBack: replaced, judgement: unjudged(UNSEEN)};
  const links = linksIntoTests({request, place, root: box.workdir}, step, {before: base.loaded, after});
  const runnerFiles = step.verify.runnerFiles === 'agent' ? [] : changedLoadedFiles(base.loaded, after, step.prompt);
  const paths = [...new Set([...runnerFiles, ...links])];
  await putBack(box, {paths, before: base.loaded, after}, signal);
  return {name: step.name, agent, putBack: [...replaced, ...paths]};
}

const UNSEEN = 'The agent left a working folder that cannot be copied, or is too large.';

interface BoxedBase {
  readonly tree: TreeBase;
  readonly loaded: LoadedFiles;
}

/** The working folder as it is before the agent, copied out; undefined if that cannot be done. */
async function baseOf({request, place}: RolloutCall, box: Box, signal: AbortSignal): Promise<BoxedBase | undefined> {
  if (posix.normalize(box.workdir) === '/' || !(await copyTree(box, signal))) return undefined;
  return {tree: await takeBase({request, place}, signal), loaded: await readLoadedFiles({tree: place.tree, work: place.tree})};
}

async function copyTree({place, ...box}: Box, signal: AbortSignal): Promise<boolean> {
  await removeTree(place.tree);
  await mkdir(place.tree, {mode: 0o700});
  return await copyOut({place, ...box}, {from: box.workdir, to: place.tree}, signal);
}

interface LookedAgain {
  readonly patch: string | Buffer;
  readonly after?: LoadedFiles;
}

async function lookAgain(box: Box, base: BoxedBase | undefined, signal: AbortSignal): Promise<LookedAgain> {
  if (base === undefined) return {patch: noPatch('the working folder of the task is the whole file system, or too large')};
  if (!(await copyTree(box, signal))) return {patch: noPatch('the agent left a working folder that cannot be copied, or is too large')};
  const {tree} = box.place;
  const after = await readLoadedFiles({tree, work: tree});
  return {patch: await base.tree.patch(signal), after};
}

function noPatch(why: string): string {
  return `# the difference could not be made: ${why}\n`;
}

interface PutBack {
  readonly paths: readonly string[];
  readonly before: LoadedFiles;
  readonly after: LoadedFiles;
}

/** Paths of one call, as long as arguments may be. */
const MOST_AT_ONCE = 30;

/** The copy is changed first; then the container gets each file as the copy has it. */
async function putBack(box: Box, {paths, ...looked}: PutBack, signal: AbortSignal): Promise<void> {
  const {tree} = box.place;
  await putBackFiles(tree, paths, looked);
  const inside = (path: string): string => posix.join(box.workdir, path);
  const remove = [...paths, ...productsOf(looked.after)].map(inside);
  for (let at = 0; at < remove.length; at += MOST_AT_ONCE)
    await cleanIn(box, {remove: remove.slice(at, at + MOST_AT_ONCE), make: []}, signal);
  for (const path of paths)
    if (lstatSync(join(tree, path), {throwIfNoEntry: false}) !== undefined)
      await engine(box, ['cp', join(tree, path), `${box.name}:${inside(path)}`], signal);
}

/** The agent's session logs, copied out; undefined if they cannot be. */
async function sessionsOf(box: Box, index: number, signal: AbortSignal): Promise<string | undefined> {
  const folder = join(box.place.record, 'state');
  await removeTree(folder);
  await mkdir(folder, {mode: 0o700});
  return (await copyOut(box, {from: posix.join(agentHome(index), 'state'), to: folder}, signal)) ? folder : undefined;
}
