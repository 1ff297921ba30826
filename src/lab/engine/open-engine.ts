import type {RolloutEngine} from './engine.ts';
import {openLocalEngine} from './local/local-engine.ts';

export interface EnginePlace {
  /** Holds the table of rollouts of this machine; on a local disk. */
  readonly folder: string;
  /** `postgres://…`: rollouts are shared by all workers of this database. */
  readonly queue?: string | undefined;
}

/** Opens the engine of a place. UNAVAILABLE where it was made by a newer version of Fettle. */
export async function openEngine({folder}: EnginePlace, signal: AbortSignal): Promise<RolloutEngine> {
  signal.throwIfAborted();
  return openLocalEngine({folder});
}
