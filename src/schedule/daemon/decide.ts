import {counted} from '../../base/counted.ts';
import type {JobDefinition} from '../jobs/job-definition.ts';
import type {DuePlan, DueRun, JobState, OpenRun} from '../store/schedule-store.ts';
import {dueBetween, nextDue} from '../times/due-times.ts';

/** A job at one moment. */
export interface JobSituation {
  readonly job: JobDefinition;
  readonly state: JobState;
  /** The runs of the job that have not ended. */
  readonly open: readonly OpenRun[];
  /** Due times since the watermark that have a row already: the clock was set back. */
  readonly recorded: ReadonlySet<number>;
  readonly now: number;
}

export interface Decision extends DuePlan {
  /** The moment of the next due time; absent where there is none, or where it would not be run. */
  readonly next?: number | undefined;
}

/** A due time that is noticed later than this was missed: the computer slept, or no daemon ran. */
export const LATE_MS = 120_000;
/** Missed due times that are made up for at most; the older ones are left out. */
const MOST_MISSED = 100;
/** Runs of a job that wait for the one before at most. */
const MOST_WAITING = 10;

/**
 * Decides which due times of a job that have passed are run, and which are left out and why. A paused job has no due times. Those of a job that
 * waits for a person are considered when it goes on, as missed ones. After the clock was set back, those that were run once are not run again.
 */
export function decide({job, state, open, recorded, now}: JobSituation): Decision {
  if (state.paused || state.waiting !== undefined) return {claims: [], skips: [], watermark: state.watermark};
  const next = nextDue(job.timing, now);
  if (now < state.watermark) return {claims: [], skips: [], watermark: now, next};
  const {due, omitted} = dueBetween(job.timing, {after: state.watermark, upTo: now, most: MOST_MISSED});
  const fresh = due.filter((time) => !recorded.has(time));
  const onTime = fresh.filter((time) => now - time <= LATE_MS).map((time): DueRun => ({due: time, trigger: 'due'}));
  const missed = fresh.filter((time) => now - time > LATE_MS).map((time): DueRun => ({due: time, trigger: 'missed'}));
  const caughtUp = catchUp(job, {missed, omitted, isCovered: onTime.length > 0});
  const plan = overlap(job, {missed: caughtUp.claims, onTime, open});
  return {...plan, skips: [...caughtUp.skips, ...plan.skips], watermark: now, next};
}

interface Missed {
  readonly missed: readonly DueRun[];
  /** Older ones that are not in the list. */
  readonly omitted: number;
  /** A due time that was not missed is run in any case. */
  readonly isCovered: boolean;
}

type Part = Pick<DuePlan, 'claims' | 'skips'>;

/** The rule of the job for missed due times. */
function catchUp({missed: rule}: JobDefinition, {missed, omitted, isCovered}: Missed): Part {
  const wanted = {skip: 0, once: isCovered ? 0 : 1, all: omitted > 0 ? MOST_MISSED - 1 : MOST_MISSED}[rule];
  const claims = wanted === 0 ? [] : missed.slice(-wanted);
  const left = missed.slice(0, missed.length - claims.length);
  const count = left.length + omitted;
  return {claims, skips: skipped(left, 'It was missed: the computer slept or was off, or no daemon ran.', count)};
}

interface Wanted {
  readonly missed: readonly DueRun[];
  readonly onTime: readonly DueRun[];
  readonly open: readonly OpenRun[];
}

/** The rule of the job for due times that come while an earlier run goes on. Missed ones that are made up for run one after the other. */
function overlap(job: JobDefinition, {missed, onTime, open}: Wanted): Part & Pick<DuePlan, 'replace'> {
  const isBusy = open.length > 0;
  const all = [...missed, ...onTime];
  if (job.overlap === 'queue') {
    const waiting = open.filter(({status, trigger}) => status === 'claimed' && trigger === 'due').length;
    const room = Math.max(0, MOST_WAITING - waiting);
    return {
      claims: [...missed, ...onTime.slice(0, room)],
      skips: skipped(onTime.slice(room), `${counted(MOST_WAITING, 'run')} of the job wait already.`),
    };
  }
  if (job.overlap === 'skip' && isBusy) return {claims: [], skips: skipped(all, 'An earlier run still goes on.')};
  if (job.overlap === 'skip' && missed.length > 0) return {claims: missed, skips: skipped(onTime, 'The runs that were missed go first.')};
  const claims = onTime.length > 0 ? onTime.slice(-1) : missed;
  const skips = skipped(all.slice(0, all.length - claims.length), 'A later due time took its place.');
  const replaces = isBusy && claims.length > 0;
  return {claims, skips, ...(replaces ? {replace: 'A later due time took its place.'} : {})};
}

/** One row, at the newest of them: the rows of a job that is due each minute would push all others out. */
function skipped(runs: readonly DueRun[], reason: string, count = runs.length): DuePlan['skips'] {
  const last = runs.at(-1);
  if (last === undefined) return [];
  return [{...last, note: count === 1 ? reason : `${reason} This stands for ${count} due times.`}];
}
