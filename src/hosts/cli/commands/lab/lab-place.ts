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
  /** Files that are made of imported tasks. */
  readonly imports: string;
  /** Compiled code of the agent. */
  readonly compiled: string;
}

export function labFolders({stateDir, cacheDir}: Pick<FettlePaths, 'stateDir' | 'cacheDir'>): LabFolders {
  const cache = join(cacheDir, 'lab');
  return {
    state: join(stateDir, 'lab'),
    scratch: join(cache, 'scratch'),
    imports: join(cache, 'imports'),
    compiled: join(cache, 'compiled'),
  };
}

/** The engine of this machine, or of all that share a queue. */
export interface EngineChoice {
  readonly folders: LabFolders;
  /** `postgres://…` */
  readonly queue: string | undefined;
}

/** Returns the queue that an option or the variable `FETTLE_LAB_QUEUE` names; undefined: this machine alone. */
export function queueOf({env}: Pick<Io, 'env'>, {queue}: {readonly queue?: string}): string | undefined {
  const named = queue ?? env['FETTLE_LAB_QUEUE'];
  return named === undefined || named === '' ? undefined : named;
}

/** Opens the engine for the time of `act`. */
export async function withEngine<T>(
  {folders, queue}: EngineChoice,
  act: (engine: RolloutEngine) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const engine = await openEngine({folder: folders.state, queue}, signal);
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
