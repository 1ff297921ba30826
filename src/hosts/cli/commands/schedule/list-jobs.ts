import {visibleText} from '../../../../base/visible-text.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {runningDaemon} from '../../../../schedule/daemon/daemon-status.ts';
import {readJobs, type FoundJob} from '../../../../schedule/jobs/job-folder.ts';
import type {RunRecord} from '../../../../schedule/store/run-record.ts';
import type {JobState, ScheduleStore} from '../../../../schedule/store/schedule-store.ts';
import {describeTiming} from '../../../../schedule/times/describe-timing.ts';
import {nextDue} from '../../../../schedule/times/due-times.ts';
import {systemTimeZone} from '../../../../schedule/times/local-time.ts';
import type {Io} from '../../io.ts';
import {statusStyle, statusText} from './describe-run.ts';
import {momentText} from './moment-text.ts';
import {jobJson, runJson, stamp} from './schedule-json.ts';
import {noteMissingDaemon, schedulePlace, withStore} from './schedule-place.ts';

/** `fettle schedule list`: each job with its next due time, its last run and the reason of it. */
export async function listJobs(io: Io, options: {readonly json?: true}): Promise<number> {
  const place = schedulePlace(io);
  const found = await readJobs(place.folders.jobs);
  const now = Date.now();
  const jobs = found.length === 0 ? [] : await withStore(place, (store) => found.map((one) => listed(one, store, now)));
  if (options.json === true) {
    const daemon = runningDaemon(place.folders);
    const running = daemon === undefined ? null : {pid: daemon.pid, startedAt: stamp(daemon.startedAt)};
    io.data(`${JSON.stringify({daemon: running, jobs: jobs.map(asJson)}, null, 2)}\n`);
    return EXIT.done;
  }
  if (jobs.length === 0) {
    io.note('There are no jobs. `fettle schedule add --help` says how to add one.');
    return EXIT.done;
  }
  const width = Math.max(...jobs.map(({found: {name}}) => name.length));
  for (const job of jobs) for (const line of lines(job, {io, now, width})) io.data(`${line}\n`);
  noteMissingDaemon(io, place);
  return EXIT.done;
}

interface ListedJob {
  readonly found: FoundJob;
  readonly state?: JobState;
  /** Absent where none is ahead, or where it would not be run. */
  readonly next?: number | undefined;
  readonly last?: RunRecord | undefined;
}

function listed(found: FoundJob, store: ScheduleStore, now: number): ListedJob {
  if (!('job' in found)) return {found};
  const {job} = found;
  const state = store.state(job);
  const isHeld = state.paused || state.waiting !== undefined;
  return {found, state, next: isHeld ? undefined : nextDue(job.timing, now), last: store.runs(job, 1)[0]};
}

interface Look {
  readonly io: Io;
  readonly now: number;
  readonly width: number;
}

function lines({found, state, next, last}: ListedJob, {io: {paint}, now, width}: Look): readonly string[] {
  const name = paint('bold', found.name.padEnd(width));
  if (!('job' in found)) return [`${name}  ${paint('red', 'broken')}`, ...found.problems.map((problem) => `    ${visibleText(problem)}`)];
  const reason = state?.waiting;
  const waits =
    reason === undefined ? [] : [`    ${paint('red', 'waits for you')}: ${visibleText(reason)} \`fettle schedule resume ${found.name}\``];
  const ahead = next === undefined ? 'not due any more' : `next ${momentText(next, now)}`;
  const going = state?.paused === true ? paint('yellow', 'paused') : ahead;
  const ran = last === undefined ? 'has not run' : ranText(last.note === reason ? {...last, note: undefined} : last, {paint, now});
  const timing = describeTiming(found.job.timing, systemTimeZone());
  return [`${name}  ${timing}`, `    ${reason === undefined ? `${going} · ` : ''}${ran}`, ...waits];
}

function ranText(last: RunRecord, {paint, now}: Pick<Look, 'now'> & Pick<Io, 'paint'>): string {
  return `last ${momentText(last.due, now)} ${paint(statusStyle(last.status), visibleText(statusText(last)))}`;
}

function asJson({found, state, next, last}: ListedJob): object {
  const {name, file} = found;
  if (!('job' in found)) return {name, file, problems: found.problems};
  const {paused = false, waiting} = state ?? {};
  return {name, file, job: jobJson(found.job), paused, waiting, next: stamp(next) ?? null, last: last === undefined ? null : runJson(last)};
}
