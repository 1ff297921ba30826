import type {JobDefinition} from '../jobs/job-definition.ts';
import type {OpenRun} from '../store/schedule-store.ts';
import {isOwned} from '../supervisor/recover-run.ts';
import type {DaemonParts, LoadedJobs} from './daemon-ports.ts';
import type {Notifications} from './notifications.ts';
import type {Supervisors} from './supervisors.ts';

/** Runs that have begun, or are beginning, at once; further ones wait. */
const MOST_RUNS = 4;
/** Between two looks at runs that this process does not see ending: another one started them. */
const FOREIGN_MS = 10_000;

export interface Starting {
  readonly parts: DaemonParts;
  readonly supervisors: Supervisors;
  readonly notifications: Notifications;
  readonly loaded: LoadedJobs;
  readonly open: readonly OpenRun[];
}

/** Starts claimed runs, one of each job at a time; returns the moments at which others are to be looked at again. */
export function startRuns(starting: Starting): readonly number[] {
  const {parts, supervisors, notifications, open} = starting;
  const now = parts.clock.now();
  const ours = open.filter(({id}) => supervisors.has(id) || notifications.has(id));
  const others = open.filter((run) => !ours.includes(run));
  const foreign = others.filter((run) => run.status === 'running' || isOwned(run, parts.processes, now));
  const begun = new Set([...ours, ...foreign].map(({job}) => job));
  let room = MOST_RUNS - ours.length - foreign.filter(({status}) => status === 'running').length;
  const later: number[] = foreign.length > 0 ? [now + FOREIGN_MS] : [];
  for (const {run, job} of withJobs(
    starting,
    others.filter((run) => !foreign.includes(run)),
  )) {
    const notBefore = supervisors.notBefore(run.id) ?? now;
    if (notBefore > now) later.push(notBefore);
    if (notBefore > now || begun.has(run.job) || room <= 0) continue;
    begun.add(run.job);
    room -= 1;
    if (job.action.kind === 'reminder') notifications.remind(job, job.action.text, run);
    else supervisors.start(run);
  }
  return later;
}

/** The runs with their jobs. Runs of a job that was removed end; those of a broken one wait until it is fixed. */
function withJobs({parts, loaded}: Starting, runs: readonly OpenRun[]): readonly {readonly run: OpenRun; readonly job: JobDefinition}[] {
  return runs.flatMap((run) => {
    const job = loaded.jobs.find(({name, createdAt}) => name === run.job && createdAt === run.createdAt);
    if (job !== undefined) return [{run, job}];
    if (loaded.broken.every(({name}) => name !== run.job))
      parts.store.endClaimed(run.id, {status: 'skipped', note: 'The job was removed.', endedAt: parts.clock.now()});
    return [];
  });
}
