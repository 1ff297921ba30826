import {toFettleError} from '../../base/errors.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {OpenRun} from '../store/schedule-store.ts';
import {isOwned, recoverRun} from '../supervisor/recover-run.ts';
import type {ChangeLog} from './change-log.ts';
import type {DaemonParts} from './daemon-ports.ts';
import {decide} from './decide.ts';
import type {Notifications} from './notifications.ts';
import {keepQuota} from './quota.ts';
import {startRuns} from './start-runs.ts';
import type {Supervisors} from './supervisors.ts';

/** Before what failed for one job or run is tried again. */
const RETRY_MS = 60_000;

interface Workers {
  readonly supervisors: Supervisors;
  readonly notifications: Notifications;
  readonly log: ChangeLog;
}

/**
 * Returns the function that looks once at everything: takes over runs whose supervisor is gone, decides about due times, starts runs, notifies.
 * It returns the moment at which something is to be done next; undefined: nothing is ahead. What concerns one job alone is logged and does not
 * stop the others; it throws where the definitions or the store cannot be read at all.
 */
export function createLook(parts: DaemonParts, workers: Workers): () => Promise<number | undefined> {
  const {store, ports, clock} = parts;
  const {log, notifications} = workers;
  const asked = new Set<number>();
  const timings = new Map<string, string>();
  return async () => {
    const loaded = await ports.loadJobs();
    for (const {name, reason} of loaded.broken) log.set(`job ${name}`, `${name} is not run: ${reason}`);
    for (const {name} of loaded.jobs) log.set(`job ${name}`, undefined);
    const moments: number[] = [];
    /** Whatever fails for one job or run is tried again later. */
    const trying = async (key: string, act: () => void | Promise<void>): Promise<void> => {
      try {
        await act();
        log.set(key, undefined);
      } catch (thrown) {
        log.set(key, `${key}: ${toFettleError(thrown).message}`);
        moments.push(clock.now() + RETRY_MS);
      }
    };
    for (const run of store.openRuns()) await trying(`${run.job}, run ${run.id}`, () => takeOver(parts, run));
    for (const job of loaded.jobs) {
      await trying(job.name, () => {
        if (!timings.has(keyOf(job))) keepQuota(parts, job);
        moments.push(...considerDue(parts, job, timings));
      });
    }
    const open = store.openRuns();
    for (const run of open) askToEnd(parts, run, asked);
    moments.push(...startRuns({parts, supervisors: workers.supervisors, notifications, loaded, open}));
    notifications.tellEnds(loaded);
    return moments.length === 0 ? undefined : Math.min(...moments);
  };
}

async function takeOver(parts: DaemonParts, run: OpenRun): Promise<void> {
  const {store, processes, clock, ports} = parts;
  if (run.status !== 'running' || isOwned(run, processes, clock.now())) return;
  await recoverRun(parts, run);
  const now = store.run(run.id);
  ports.log(`${run.job}: run ${run.id} was taken over: ${[now?.status, now?.note].filter(Boolean).join(', ')}`);
}

/** Stores what is decided about the due times of a job; returns the moment of its next one. `timings`: what they were at the last look. */
function considerDue({store, clock}: DaemonParts, job: JobDefinition, timings: Map<string, string>): readonly number[] {
  const now = clock.now();
  const key = keyOf(job);
  const timing = JSON.stringify(job.timing);
  // Due times of a timing that somebody has just changed begin now.
  if ((timings.get(key) ?? timing) !== timing) store.apply(job, {claims: [], skips: [], watermark: now}, now);
  timings.set(key, timing);
  const state = store.state(job);
  const open = store.openRuns().filter((run) => run.job === job.name && run.createdAt === job.createdAt);
  if (state.paused) {
    const left = open.filter(({status, trigger}) => status === 'claimed' && trigger !== 'hand');
    for (const {id} of left) store.endClaimed(id, {status: 'skipped', note: 'The job was paused.', endedAt: now});
  }
  const recorded = store.recorded(job, {after: Math.min(state.watermark, now), upTo: now});
  const {next, ...plan} = decide({job, state, open, recorded, now});
  const isNothing = plan.claims.length === 0 && plan.skips.length === 0;
  // Nothing was due: the watermark may stay, unless the clock was set back.
  if (!isNothing || plan.watermark < state.watermark) store.apply(job, plan, now);
  return next === undefined ? [] : [next];
}

function keyOf({name, createdAt}: JobDefinition): string {
  return `${name} ${createdAt}`;
}

/** A run that is to be cancelled learns it at once, and not with the next renewal of its lease. */
function askToEnd({processes}: DaemonParts, run: OpenRun, asked: Set<number>): void {
  const {id, owner, cancel, folder} = run;
  if (cancel === undefined || owner === undefined || folder === undefined || asked.has(id) || processes.life(owner) !== 'alive') return;
  asked.add(id);
  processes.terminate(owner);
}
