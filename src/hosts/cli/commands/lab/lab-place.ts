import {join} from 'node:path';
import type {FettlePaths} from '../../../../config/paths.ts';
import {openEngine} from '../../../../lab/engine/open-engine.ts';
import type {RolloutEngine} from '../../../../lab/engine/engine.ts';
import {programsOn, type SuiteFacts} from '../../../../lab/suite/suite-facts.ts';
import type {Io} from '../../io.ts';

/** The folders of the lab of one user. */
export interface LabFolders {
  /** Table of rollouts, plans, artefacts and reports. */
  readonly state: string;
  /** Scratch folders of rollouts. */
  readonly scratch: string;
  /** What is made of imported tasks. */
  readonly imports: string;
}

export function labFolders({stateDir, cacheDir}: Pick<FettlePaths, 'stateDir' | 'cacheDir'>): LabFolders {
  return {state: join(stateDir, 'lab'), scratch: join(cacheDir, 'lab', 'scratch'), imports: join(cacheDir, 'lab', 'imports')};
}

/** Opens the engine for the time of `act`. */
export async function withEngine<T>(folders: LabFolders, act: (engine: RolloutEngine) => Promise<T>, signal: AbortSignal): Promise<T> {
  const engine = await openEngine({folder: folders.state}, signal);
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

/** Returns the properties of this machine on which it depends whether a task can be run here. */
export async function machineFacts(io: Pick<Io, 'env'>, folders: LabFolders): Promise<SuiteFacts> {
  const programs = await programsOn(io.env['PATH'] ?? '');
  return {programs, containerEngine: undefined, importsFolder: folders.imports};
}
