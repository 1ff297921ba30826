import {hash} from 'node:crypto';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import type {Containers} from '../../container/containers.ts';
import {runEngine} from '../../container/run-engine.ts';
import {isCheapLastStep, RESUME_ARTIFACTS} from '../progress.ts';
import type {RolloutCall, RolloutRun} from '../rollout-run.ts';
import type {RolloutKey} from '../rollout.ts';
import {engine, type Box} from './box.ts';

const [NOTE = ''] = RESUME_ARTIFACTS;

interface BoxProgress extends Pick<RolloutRun, 'steps' | 'artifacts'> {
  readonly version: 1;
  readonly taskDigest: string;
  /** Id of the stored image. Other machines do not have it. */
  readonly image: string;
}

/** The name of the image with what the agent has left in the container of a rollout. */
export function storedImage({key}: {readonly key: RolloutKey}): string {
  const {run, task, model, toolset, attempt} = key;
  return `localhost/fettle-lab-state:${hash('sha256', JSON.stringify([run, task, model, toolset, attempt])).slice(0, 24)}`;
}

/**
 * Stores the container as an image on this machine, so that the rollout can go on after the last step. False if nothing is stored: the step was the last
 * one, free and quick.
 */
export async function storeBoxProgress({request, place, run}: RolloutCall, box: Box, signal: AbortSignal): Promise<boolean> {
  if (isCheapLastStep(request, run)) return false;
  const image = (await engine(box, ['commit', box.name, storedImage(request)], signal)).stdout.trim();
  const progress: BoxProgress = {version: 1, taskDigest: request.task.digest, steps: run.steps, artifacts: run.artifacts, image};
  const note = join(place.record, NOTE);
  await writeFile(note, JSON.stringify(progress), {mode: 0o600});
  await request.artifacts.put(NOTE, note, signal);
  return true;
}

/** Returns the steps of a rollout that was interrupted, if its image is still here; undefined if it has to begin at the start. */
export async function restoreBoxProgress(
  {request, place}: RolloutCall,
  signal: AbortSignal,
): Promise<Pick<BoxProgress, 'steps' | 'artifacts'> | undefined> {
  const {containers} = request;
  const note = join(place.record, NOTE);
  if (containers === undefined || !(await request.artifacts.get(NOTE, note, signal))) return undefined;
  const progress = readProgress(await readFile(note, 'utf8'));
  if (progress?.taskDigest !== request.task.digest) return undefined;
  const args = ['image', 'inspect', '--format', '{{.Id}}', storedImage(request)];
  const {code, stdout} = await runEngine(containers.engine, {args, timeoutMs: TIMEOUT_MS, accepts: 'all'}, signal);
  // One of a later step, whose note was not written any more, is not what the note tells about.
  if (code !== 0 || plainId(stdout) !== plainId(progress.image)) return undefined;
  return {steps: progress.steps, artifacts: progress.artifacts};
}

/** Removes the stored image of a rollout whose result was accepted. */
export async function dropBoxProgress({engine: of}: Containers, key: RolloutKey, signal: AbortSignal): Promise<void> {
  await runEngine(of, {args: ['rmi', '--force', storedImage({key})], timeoutMs: TIMEOUT_MS, accepts: 'all'}, signal);
}

const TIMEOUT_MS = 60_000;

function plainId(text: string): string {
  return text.trim().replace(/^sha256:/, '');
}

/** The note is the lab's own, but another version may have written it. */
function readProgress(text: string): BoxProgress | undefined {
  const value: unknown = parseJson(text);
  return isProgress(value) ? value : undefined;
}

function isProgress(value: unknown): value is BoxProgress {
  return (
    isJsonObject(value) &&
    value['version'] === 1 &&
    typeof value['image'] === 'string' &&
    Array.isArray(value['steps']) &&
    isJsonObject(value['artifacts'])
  );
}
