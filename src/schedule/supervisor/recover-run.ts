import type {Clock} from '../clock.ts';
import type {OpenRun, RunEnd, ScheduleStore} from '../store/schedule-store.ts';
import {markerOf, preventBegin, writtenExitCode, type Attempt} from './gate.ts';
import type {Processes} from './processes.ts';
import {runEnd} from './run-end.ts';

/** A supervisor whose life cannot be known from here counts as alive while it renewed its lease within this time. */
const TRUSTED_MS = 60_000;

/** Says whether a process takes care of an open run. A clock that was set does not change that for a process of this system. */
export function isOwned({owner, renewedAt, due}: OpenRun, processes: Pick<Processes, 'life'>, now: number): boolean {
  if (owner === undefined) return false;
  const life = processes.life(owner);
  return life === 'unknown' ? Math.abs(now - (renewedAt ?? due)) < TRUSTED_MS : life === 'alive';
}

/**
 * Takes over a running run whose supervisor is gone. If its program has never begun, it is claimed again; else its processes are ended, and it
 * ends with the exit code that was written down, or as interrupted. Throws where that cannot be decided or stored now; it can be called again.
 */
export async function recoverRun(
  {store, processes, clock}: {store: ScheduleStore; processes: Processes; clock: Clock},
  run: OpenRun,
): Promise<void> {
  const lease = {id: run.id, attempt: run.attempt};
  const end = (what: Omit<RunEnd, 'endedAt'>): void => void store.end(lease, {...what, endedAt: clock.now()});
  // A reminder has no artefacts: one that was perhaps not shown is shown again.
  const attempt: Attempt | undefined = run.folder === undefined ? undefined : {folder: run.folder, attempt: run.attempt};
  const isOfThisBoot = run.owner !== undefined && processes.isOfThisBoot(run.owner);
  if (attempt === undefined || (isOfThisBoot && preventBegin(attempt))) {
    if (run.cancel !== undefined) end({status: 'cancelled', note: run.cancel});
    else store.release(lease, 'Its supervisor ended before it began.');
    return;
  }
  const code = writtenExitCode(attempt);
  if (code !== undefined) {
    end(runEnd({code, signal: null, stopped: run.cancel}));
    return;
  }
  if (run.leader !== undefined && isOfThisBoot) await processes.endGroup(run.leader, markerOf(attempt));
  const note = isOfThisBoot
    ? 'Its supervisor ended unexpectedly: it was killed, or memory ran out.'
    : 'The computer was restarted while it ran.';
  end(run.cancel === undefined ? {status: 'interrupted', note} : {status: 'cancelled', note: run.cancel});
}
