import {stepFolder} from '../log/rollout-log.ts';
import type {TaskStep} from '../suite/task.ts';
import type {ArtifactContent, RolloutRequest} from './rollout-request.ts';
import type {RolloutCall} from './rollout-run.ts';

/** Stores these under their names, all at once, since each waits for the disk; then notes where they are. */
export async function keepArtifacts(
  {request, run}: RolloutCall,
  contents: Readonly<Record<string, ArtifactContent>>,
  signal: AbortSignal,
): Promise<void> {
  const stored = await Promise.all(
    Object.entries(contents).map(async ([name, content]) => [name, await request.artifacts.put(name, content, signal)] as const),
  );
  run.artifacts = {...run.artifacts, ...Object.fromEntries(stored)};
}

/** The name of an artefact of a step: with several steps, each has its own. */
export function stepArtifact(name: string, step: TaskStep, {task}: Pick<RolloutRequest, 'task'>): string {
  return task.steps.length === 1 ? name : `${stepFolder(step.name)}/${name}`;
}
