import {join} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import type {FettlePaths} from '../../../../config/paths.ts';
import {openEngine} from '../../../../lab/engine/open-engine.ts';
import type {RolloutEngine} from '../../../../lab/engine/engine.ts';
import {findEngine} from '../../../../lab/container/find-engine.ts';
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
  /** Rollouts that a worker runs at the same time. */
  readonly workerSlots?: number | undefined;
}

/** The value of `--queue` that leaves it to `lab run` whether the queue of `FETTLE_LAB_QUEUE` is used. */
export const AUTO_QUEUE = 'auto';

/** Returns the queue that an option or the variable `FETTLE_LAB_QUEUE` names; undefined: this machine alone. Throws USAGE for `auto`. */
export function queueOf({env}: Pick<Io, 'env'>, {queue}: {readonly queue?: string}): string | undefined {
  const named = queue ?? env['FETTLE_LAB_QUEUE'];
  if (named === AUTO_QUEUE)
    throw new FettleError({code: 'USAGE', message: '--queue auto is for `fettle lab run`.', hint: 'Name the queue of the run.'});
  return named === undefined || named === '' ? undefined : named;
}

/** Returns the queue in which a run is; undefined: none. */
export function queueOfRun(
  io: Pick<Io, 'env'>,
  flags: {readonly queue?: string},
  {isShared}: {readonly isShared: boolean},
): string | undefined {
  if (flags.queue !== AUTO_QUEUE) return queueOf(io, flags);
  return isShared ? queueOf(io, {}) : undefined;
}

/** Returns the queue from which the results of a run are read: none for a run of this machine, even where a queue is configured. */
export function queueToRead(
  io: Pick<Io, 'env'>,
  flags: {readonly queue?: string},
  {isShared}: {readonly isShared: boolean},
): string | undefined {
  return isShared ? queueOf(io, flags) : undefined;
}

/** Opens the engine for the time of `act`. */
export async function withEngine<T>(
  {folders, queue, workerSlots}: EngineChoice,
  act: (engine: RolloutEngine) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const engine = await openEngine({folder: folders.state, queue, workerSlots}, signal);
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Returns the properties of this machine on which it depends whether a task can be run here. The first task that needs a container has an engine looked
 * for; a note says which one it is.
 */
export async function machineFacts(io: Pick<Io, 'env' | 'note'>, folders: LabFolders, signal: AbortSignal): Promise<SuiteFacts> {
  const programs = await programsOn(io.env['PATH'] ?? '');
  let asked: Promise<boolean> | undefined;
  const ask = async (): Promise<boolean> => {
    const found = await findEngine(io.env, signal);
    if ('problems' in found) io.note(`Containers cannot be run here: ${found.problems.join('; ')}.`);
    else io.note(`Containers run with ${found.program} ${found.version}.`);
    return !('problems' in found);
  };
  return {programs, hasContainers: async () => await (asked ??= ask()), importsFolder: folders.imports};
}
