import {createHash} from 'node:crypto';
import {dirname} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';
import type {SuiteTask, TaskContainer} from '../suite/task.ts';
import {treeDigest} from '../suite/tree-digest.ts';
import type {ContainerEngine} from './engine.ts';
import {mountArguments, type ContainerMount} from './engine-arguments.ts';
import {lastLine, runEngine} from './run-engine.ts';

/** An image in which rollouts of a task run. */
export interface TaskImage {
  /** The engine's own id. */
  readonly id: string;
  /** Absolute. */
  readonly workdir: string;
}

export interface Images {
  /**
   * Returns the image of a task. The first call builds or pulls it, and checks that Fettle can run in it; the others wait for that. Throws UNAVAILABLE
   * with the last line of the engine.
   */
  of(task: Pick<SuiteTask, 'id' | 'place'>, signal: AbortSignal): Promise<TaskImage>;
  /** Ends builds that nobody waits for any more. */
  close(): void;
}

/** Keeps the images of one process. `node`: Node as containers have it, which must run in each. What was built is not built again, and what could not be built twice is not tried a third time. */
export function createImages(engine: ContainerEngine, node: ContainerMount): Images {
  const made = new Map<string, MadeImage>();
  const over = new AbortController();
  const make = (wanted: Wanted, name: string, tries: number): MadeImage => {
    const one: MadeImage = {image: makeImage({engine, node, ...wanted, name}, over.signal), tries, hasFailed: false};
    one.image.catch(() => {
      one.hasFailed = true;
    });
    made.set(name, one);
    return one;
  };
  return {
    async of({id, place: {container}}, signal) {
      if (container === undefined) throw new FettleError({code: 'BAD_ARGS', message: `The task ${id} has no container.`});
      const name = await imageName(container, signal);
      const known = made.get(name);
      // It may have been the network.
      const isAgain = known?.hasFailed === true && known.tries < MOST_TRIES;
      const one = known === undefined || isAgain ? make({id, container}, name, (known?.tries ?? 0) + 1) : known;
      return await orAbort(one.image, signal);
    },
    close: () => over.abort(),
  };
}

const MOST_TRIES = 2;

interface MadeImage {
  readonly image: Promise<TaskImage>;
  readonly tries: number;
  hasFailed: boolean;
}

interface Wanted {
  /** The task that asked first. */
  readonly id: string;
  readonly container: TaskContainer;
}

interface Making extends Wanted {
  readonly engine: ContainerEngine;
  readonly node: ContainerMount;
  readonly name: string;
}

/** The name of a ready image, or one that the content of the build context decides: the same files have one image, whatever task they belong to. */
async function imageName({image, dockerfile}: TaskContainer, signal: AbortSignal): Promise<string> {
  if (image !== undefined) return image;
  if (dockerfile === undefined) throw new FettleError({code: 'CONFIG', message: 'The task names neither an image nor a Dockerfile.'});
  const digest = await treeDigest(dirname(dockerfile), signal);
  return `localhost/fettle-lab:${createHash('sha256').update(digest).digest('hex').slice(0, 24)}`;
}

async function makeImage(making: Making, signal: AbortSignal): Promise<TaskImage> {
  const {engine, container, name} = making;
  const known = await inspectImage(engine, name, signal);
  if (known === undefined) await (container.image === undefined ? build : pull)(making, signal);
  const image = known ?? (await inspectImage(engine, name, signal));
  if (image === undefined) throw unusable(making, 'made', 'the engine does not know it afterwards');
  await assertFits(making, image.id, signal);
  return {id: image.id, workdir: container.workdir ?? (image.workdir || '/')};
}

/** Returns id and working folder; undefined if the engine does not have the image. */
async function inspectImage(engine: ContainerEngine, name: string, signal: AbortSignal): Promise<TaskImage | undefined> {
  const args = ['image', 'inspect', '--format', '{{.Id}} {{.Config.WorkingDir}}', name];
  const {code, stdout} = await runEngine(engine, {args, timeoutMs: SHORT_MS, accepts: 'all'}, signal);
  const [, id, workdir] = /^(\S+) (.*)$/m.exec(stdout) ?? [];
  return code !== 0 || id === undefined ? undefined : {id, workdir: workdir ?? ''};
}

const SHORT_MS = 60_000;

async function build(making: Making, signal: AbortSignal): Promise<void> {
  const {engine, name, container} = making;
  const {dockerfile = '', buildTimeoutS} = container;
  const args = ['build', '--quiet', '--label', 'fettle.lab=image', '--tag', name, '--file', dockerfile, dirname(dockerfile)];
  await runEngine(engine, {args, timeoutMs: buildTimeoutS * 1000}, signal).catch((thrown: unknown) => {
    throw unusable(making, 'built', thrown);
  });
}

async function pull(making: Making, signal: AbortSignal): Promise<void> {
  const {engine, name, container} = making;
  await runEngine(engine, {args: ['pull', '--quiet', name], timeoutMs: container.buildTimeoutS * 1000}, signal).catch((thrown: unknown) => {
    throw unusable(making, 'pulled', thrown);
  });
}

/** Throws UNAVAILABLE for an image without bash, which every task needs, or without the libraries of Node. */
async function assertFits(making: Making, id: string, signal: AbortSignal): Promise<void> {
  const {engine, node} = making;
  const fixed = ['run', '--rm', '--pull', 'never', '--network', 'none', '--security-opt', 'label=disable', ...mountArguments(node)];
  const args = [...fixed, '--entrypoint', 'sh', id, '-c', PROBE, node.at];
  const {code, stderr} = await runEngine(engine, {args, timeoutMs: SHORT_MS, accepts: 'all'}, signal);
  if (code === 0) return;
  const said = lastLine(stderr);
  if (code === NO_BASH) throw unusable(making, 'used', 'it has no bash');
  if (code === NO_NODE) throw unusable(making, 'used', `Node does not run in it, which needs glibc and libstdc++: ${said}`);
  throw unusable(making, 'used', said);
}

const NO_BASH = 97;
const NO_NODE = 98;
const PROBE = `command -v bash >/dev/null 2>&1 || exit ${NO_BASH}; "$0" --version >/dev/null || exit ${NO_NODE}`;

function unusable({id, engine}: Making, what: string, why: unknown): FettleError {
  if (typeof why !== 'string' && toFettleError(why).code === 'CANCELLED') return toFettleError(why);
  const reason = typeof why === 'string' ? why : toFettleError(why).message;
  const message = `The image of ${id} cannot be ${what}: ${reason}`;
  return new FettleError({code: 'UNAVAILABLE', message, hint: `Try it by hand with ${engine.program}.`, cause: why});
}
