import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {TaskStep} from '../suite/task.ts';
import type {RolloutRequest} from './rollout-request.ts';
import type {RolloutCall} from './rollout-run.ts';

/** Stores a file under this name, and notes where it is. */
export async function keepFile(
  {request, run}: RolloutCall,
  {name, file}: {name: string; file: string},
  signal: AbortSignal,
): Promise<void> {
  run.artifacts = {...run.artifacts, [name]: await request.artifacts.put(name, file, signal)};
}

export async function keepText(
  call: RolloutCall,
  {name, text}: {name: string; text: string | Uint8Array},
  signal: AbortSignal,
): Promise<void> {
  const file = join(call.place.record, 'artifact');
  await writeFile(file, text, {mode: 0o600});
  await keepFile(call, {name, file}, signal);
}

/** The name of an artefact of a step: with several steps, each has its own. */
export function stepArtifact(name: string, step: TaskStep, {task}: Pick<RolloutRequest, 'task'>): string {
  return task.steps.length === 1 ? name : `${step.name.replaceAll(/[^\w.-]/g, '-')}-${name}`;
}
