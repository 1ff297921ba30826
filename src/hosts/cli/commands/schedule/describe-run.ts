import type {RunRecord, RunStatus} from '../../../../schedule/store/run-record.ts';
import type {Style} from '../../output/output.ts';
import {momentText} from './moment-text.ts';

/** The status of a run in words. */
export const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  claimed: 'about to start',
  running: 'running',
  done: 'done',
  failed: 'failed',
  usage: 'could not start',
  denied: 'denied',
  limit: 'limit reached',
  loop: 'went in circles',
  blocked: 'blocked',
  provider: 'provider failed',
  cancelled: 'cancelled',
  interrupted: 'killed',
  skipped: 'left out',
  sent: 'sent',
};

/** The colour of a status: green for what was meant to happen, red for what failed. */
export function statusStyle(status: RunStatus): Style {
  if (status === 'done' || status === 'sent') return 'green';
  return ['claimed', 'running', 'skipped', 'cancelled'].includes(status) ? 'yellow' : 'red';
}

/** One line about a run: `12  2026-12-01 09:00 (3 h ago)  failed in 40 s: the tests fail`. */
export function runLine(run: RunRecord, now: number): string {
  const {id, due, trigger} = run;
  const kind = {due: '', missed: ', missed', hand: ', by hand'}[trigger];
  return `${String(id).padStart(4)}  ${momentText(due, now)}${kind}  ${statusText(run)}`;
}

/** `failed in 40 s: the tests fail`. */
export function statusText({status, note, startedAt, endedAt}: RunRecord): string {
  const took = startedAt === undefined || endedAt === undefined ? '' : ` in ${durationText(endedAt - startedAt)}`;
  return `${STATUS_WORDS[status]}${took}${note === undefined ? '' : `: ${note}`}`;
}

function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
