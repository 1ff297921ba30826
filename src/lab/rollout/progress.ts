import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import type {RolloutCall, RolloutRun} from './rollout-run.ts';
import {packTree, restoreTree, treeArchive} from './tree/tree-archive.ts';

/** Names of the artefacts by which a rollout goes on at its verification. They are of no use once its result is accepted. */
export const RESUME_ARTIFACTS: readonly string[] = ['progress.json', 'tree.tar'];
const [NOTE = '', TREE = ''] = RESUME_ARTIFACTS;

const QUICK_MS = 30_000;

const KEEP_MS = 10_000;

/** Keeps the work of an agent that has ended: it is paid, so `keep` has 10 s more after an abort than everything else. */
export async function keepPaidWork<Kept>(signal: AbortSignal, keep: (signal: AbortSignal) => Promise<Kept>): Promise<Kept> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stopListening = onAbort(signal, () => {
    timer = setTimeout(() => late.abort(signal.reason), KEEP_MS);
  });
  try {
    return await keep(late.signal);
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}

interface Progress extends Pick<RolloutRun, 'steps' | 'artifacts'> {
  readonly version: 1;
  readonly taskDigest: string;
}

/**
 * Stores what is needed to go on after the last step, the tree first: where the note is, the tree is, too. False if the tree cannot be packed: after
 * an interruption the agent would have to run again. So would one that was free and quick: to store its work takes longer.
 */
export async function storeProgress({request, place, run}: RolloutCall, signal: AbortSignal): Promise<boolean> {
  if (isCheapLastStep(request, run)) return false;
  if (!(await packTree(place, signal))) return false;
  const progress: Progress = {version: 1, taskDigest: request.task.digest, steps: run.steps, artifacts: run.artifacts};
  const note = join(place.record, NOTE);
  await writeFile(note, JSON.stringify(progress), {mode: 0o600});
  await request.artifacts.put(TREE, treeArchive(place), signal);
  await request.artifacts.put(NOTE, note, signal);
  return true;
}

/** True if nothing follows, and the agent was free and quick. */
export function isCheapLastStep({task}: RolloutCall['request'], {steps}: RolloutRun): boolean {
  return steps.length === task.steps.length && steps.every(({agent}) => agent.costUsd === 0 && agent.ms < QUICK_MS);
}

/** Brings back the tree after the last finished step, and returns the steps; undefined if the rollout has to begin at the start. */
export async function restoreProgress(
  {request, place}: RolloutCall,
  signal: AbortSignal,
): Promise<Pick<Progress, 'steps' | 'artifacts'> | undefined> {
  const note = join(place.record, NOTE);
  if (!(await request.artifacts.get(NOTE, note, signal))) return undefined;
  const progress = readProgress(await readFile(note, 'utf8'));
  if (progress?.taskDigest !== request.task.digest) return undefined;
  if (!(await request.artifacts.get(TREE, treeArchive(place), signal))) return undefined;
  if (!(await restoreTree(place, signal))) return undefined;
  return {steps: progress.steps, artifacts: progress.artifacts};
}

/** The note is the lab's own, but another version may have written it. */
function readProgress(text: string): Progress | undefined {
  const value: unknown = parseJson(text);
  return isProgress(value) ? value : undefined;
}

function isProgress(value: unknown): value is Progress {
  return isJsonObject(value) && value['version'] === 1 && Array.isArray(value['steps']) && isJsonObject(value['artifacts']);
}
