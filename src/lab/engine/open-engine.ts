import {FettleError} from '../../base/errors.ts';
import type {RolloutEngine} from './engine.ts';
import {openLocalEngine} from './local/local-engine.ts';

export interface EnginePlace {
  /** Holds the table of rollouts of this machine; on a local disk. */
  readonly folder: string;
  /** `postgres://…`: the rollouts, and the table of them, are there, shared by all workers of this database. */
  readonly queue?: string | undefined;
  /** Rollouts that this process runs at the same time, as a worker of the queue: coordinators count them. */
  readonly workerSlots?: number | undefined;
}

/**
 * Opens the engine of a place. BAD_ARGS for another kind of queue; UNAVAILABLE where the package pg-boss or the database is missing, or a newer
 * version of Fettle made the tables.
 */
export async function openEngine({folder, queue, workerSlots}: EnginePlace, signal: AbortSignal): Promise<RolloutEngine> {
  signal.throwIfAborted();
  if (queue === undefined) return openLocalEngine({folder});
  if (!/^postgres(?:ql)?:\/\//.test(queue))
    throw new FettleError({
      code: 'BAD_ARGS',
      message: 'The queue is not a PostgreSQL address.',
      hint: 'Name it as postgres://user@host/database.',
    });
  const {openPostgresEngine} = await import('./postgres/postgres-engine.ts');
  return await openPostgresEngine({url: queue, workerSlots}, signal);
}
