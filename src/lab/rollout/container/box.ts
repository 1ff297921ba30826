import {hash} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {CommandResult, OutputListener} from '../../../exec/process/command.ts';
import {assertMountable, INSIDE} from '../../container/agent-mounts.ts';
import type {Containers} from '../../container/containers.ts';
import {execArguments, removeArguments, runArguments, stopArguments, type ExecSpec} from '../../container/engine-arguments.ts';
import type {TaskImage} from '../../container/images.ts';
import {lastLine, runEngine, type EngineAnswer} from '../../container/run-engine.ts';
import {labelsOf} from '../../container/stale-containers.ts';
import {CAPTURE} from '../place/run-confined.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';
import type {RolloutRequest} from '../rollout-request.ts';

/** The container of a rollout. Nothing of the suite, of results or of other rollouts is mounted in it, ever. */
export interface Box {
  readonly containers: Containers;
  /** Name of the container. The same rollout has the same, so that the one of a killed process is found again. */
  readonly name: string;
  /** Absolute in the container. */
  readonly workdir: string;
  readonly place: ScratchPlace;
  /** By which it is found when this process was killed. */
  readonly labels: Readonly<Record<string, string>>;
  /** Id of the image of the task, also where the container began with a stored one. */
  readonly image: string;
}

interface BoxOptions {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
  readonly image: TaskImage;
  /** Name of an image that was stored of this rollout, if it does not begin with that of the task. */
  readonly stored?: string | undefined;
}

/** Shown to the container: files for the agent's own folder, and the folder of the socket to its model. */
export const SEED = {folder: 'seed', at: `${INSIDE}/seed`} as const;
export const MODEL = {folder: 'model', at: `${INSIDE}/model`} as const;

/** Returns the containers of this machine. Throws UNAVAILABLE if there are none. */
export function containersOf({containers, task}: Pick<RolloutRequest, 'containers' | 'task'>): Containers {
  if (containers !== undefined) return containers;
  throw new FettleError({code: 'UNAVAILABLE', message: `The task ${task.id} needs docker or podman.`, hint: 'Start one of them.'});
}

/** Starts the container of a rollout, in place of one that an interrupted attempt has left. */
export async function startBox({request, place, image, stored = image.id}: BoxOptions, signal: AbortSignal): Promise<Box> {
  const containers = containersOf(request);
  const {key, task} = request;
  const labels = labelsOf({...containers, run: key.run});
  const box = {containers, name: boxName(request), labels, workdir: image.workdir, place, image: image.id};
  const own = [SEED, MODEL].map(({folder, at}) => ({from: join(place.folder, folder), at}));
  for (const {from} of own) await mkdir(from, {recursive: true, mode: 0o755});
  const {mounts} = containers.agent;
  assertMountable(mounts, place.hidden);
  assertMountable(own, []);
  await removeBox(box, signal);
  const {cpus, memory} = task.place.container ?? {};
  const spec = {name: box.name, labels, image: stored, mounts: [...mounts, ...own], network: task.place.network, cpus, memory};
  await engine(box, runArguments(spec), signal);
  // Harbor's tasks write logs there, and the working folder may be one that the image does not have.
  const problem = await cleanIn(box, {remove: [], make: [box.workdir, '/logs/agent']}, signal);
  if (problem === undefined) return box;
  const message = `Nothing can be started in the container of ${task.id}: ${problem}`;
  throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Try its image by hand.'});
}

/** Returns the name of the container of a rollout. */
export function boxName({key, folders}: RolloutRequest): string {
  return `fettle-${hash('sha256', JSON.stringify([folders.scratch, key.run, key.task, key.model, key.toolset, key.attempt])).slice(0, 24)}`;
}

/** Runs a command of the engine. Throws UNAVAILABLE with the end of its output. */
export async function engine({containers}: Pick<Box, 'containers'>, args: readonly string[], signal: AbortSignal): Promise<EngineAnswer> {
  return await runEngine(containers.engine, {args, timeoutMs: ENGINE_MS}, signal);
}

const ENGINE_MS = 300_000;

interface BoxCommand extends Omit<ExecSpec, 'container' | 'hasInput'> {
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly input?: string | undefined;
  readonly onOutput?: OutputListener | undefined;
}

/** Runs a program in the container. A limit of time ends the engine's client alone: whoever calls it stops the container. */
export async function execIn(
  {containers, name, place}: Box,
  {timeoutMs, input, onOutput, ...command}: BoxCommand,
  signal: AbortSignal,
): Promise<CommandResult> {
  const args = execArguments({...command, container: name, hasInput: input !== undefined});
  return await clientOf({containers, place}).run(
    {program: containers.engine.program, args, timeoutMs, input, capture: CAPTURE},
    signal,
    onOutput,
  );
}

function clientOf({containers, place}: Pick<Box, 'containers' | 'place'>, limits = {}): ReturnType<typeof createExecEnvironment> {
  const {env} = containers.engine;
  return createExecEnvironment({cwd: place.record, spoolDir: join(place.record, 'spool'), env: {}, added: env, limits});
}

/** Ends every process in the container; its files stay. */
export async function stopBox(box: Box, signal: AbortSignal): Promise<void> {
  await engine(box, stopArguments(box.name), signal);
}

/**
 * Starts the container again, with no process but the one that waits. Returns why it cannot be started, if that is the fault of what is in it: a fresh
 * container of the image starts. Throws UNAVAILABLE if it does not.
 */
export async function restartBox(box: Box, signal: AbortSignal): Promise<string | undefined> {
  const {code, stderr} = await runEngine(box.containers.engine, {args: ['start', box.name], timeoutMs: ENGINE_MS, accepts: 'all'}, signal);
  if (code === 0) return undefined;
  await engine(box, ['run', '--rm', '--pull', 'never', '--network', 'none', '--entrypoint', 'sh', box.image, '-c', 'exit 0'], signal);
  return lastLine(stderr);
}

/** Removes the container, if there is one. */
export async function removeBox({containers, name}: Pick<Box, 'containers' | 'name'>, signal: AbortSignal): Promise<void> {
  const {program} = containers.engine;
  const {code, stderr} = await runEngine(
    containers.engine,
    {args: removeArguments(program, [name]), timeoutMs: ENGINE_MS, accepts: 'all'},
    signal,
  );
  if (code === 0 || /no (?:such )?container/i.test(stderr)) return;
  throw new FettleError({
    code: 'UNAVAILABLE',
    message: `The container ${name} cannot be removed: ${stderr.trim().slice(-300)}`,
    hint: `${program} rm --force ${name}`,
  });
}

/**
 * Copies the content of a folder out of the stopped container into an empty folder. False if it is not there, or too large, which the agent may have
 * arranged.
 */
export async function copyOut(
  {containers, name, place}: Box,
  {from, to}: {readonly from: string; readonly to: string},
  signal: AbortSignal,
): Promise<boolean> {
  const command = {
    program: containers.engine.program,
    args: ['cp', `${name}:${from}/.`, to],
    cwd: to,
    timeoutMs: ENGINE_MS,
    capture: CAPTURE,
  };
  const result = await clientOf({containers, place}, {diskBytes: MAX_COPY_BYTES}).run(command, signal);
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  return result.exitCode === 0 && result.overrun === undefined;
}

const MAX_COPY_BYTES = 2 * 1024 * 1024 * 1024;

/** Copies the content of a folder into an existing folder of the container. */
export async function copyIn(box: Box, {from, to}: {readonly from: string; readonly to: string}, signal: AbortSignal): Promise<void> {
  await engine(box, ['cp', `${from}/.`, `${box.name}:${to}`], signal);
}

interface Cleaning {
  /** Removed, whatever they are. */
  readonly remove: readonly string[];
  /** Folders that exist afterwards; those that did not exist may be written by every user. */
  readonly make: readonly string[];
}

/** Removes and makes paths in the container, as root and with the mounted Node, not with programs that an agent could have replaced. Returns the problem. */
export async function cleanIn(box: Box, cleaning: Cleaning, signal: AbortSignal): Promise<string | undefined> {
  const command = [box.containers.agent.node.at, '-e', CLEAN, JSON.stringify(cleaning)];
  const result = await execIn(box, {command, workdir: '/', asRoot: true, timeoutMs: ENGINE_MS}, signal);
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  return result.exitCode === 0 ? undefined : lastLine(result.stderr.head);
}

const CLEAN = `const fs = require('node:fs');
const {remove, make} = JSON.parse(process.argv[1]);
for (const path of remove) fs.rmSync(path, {recursive: true, force: true});
for (const path of make) {
  if (!fs.statSync(path, {throwIfNoEntry: false})?.isDirectory()) fs.rmSync(path, {force: true});
  if (fs.mkdirSync(path, {recursive: true}) !== undefined) fs.chmodSync(path, 0o777);
}`;
