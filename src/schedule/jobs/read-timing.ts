import {FettleError} from '../../base/errors.ts';
import type {Json, JsonObject} from '../../base/json.ts';
import {systemTimeZone} from '../times/local-time.ts';
import {parseCron} from '../times/parse-cron.ts';
import {parseDuration} from '../times/parse-duration.ts';
import {parseMoment} from '../times/parse-moment.ts';
import type {Timing} from '../times/timing.ts';

/** Reads the timing in the file of a job that fits its schema. Throws USAGE: no period, no expression, no moment. */
export function readTiming({every, cron, at = '', time_zone: zone, created = ''}: JsonObject): Timing {
  if (typeof every === 'string') return {kind: 'every', seconds: readPeriod(every), anchor: readMoment(created)};
  // Asked for here alone: the data of time zones are a sixth of the memory of a daemon.
  const timeZone = typeof zone === 'string' ? zone : systemTimeZone();
  if (typeof cron === 'string') return {kind: 'cron', expression: parseCron(cron), timeZone};
  return {kind: 'at', at: readMoment(at, timeZone)};
}

/** The period of a job in seconds. Throws USAGE for what is none, or shorter than a minute. */
export function readPeriod(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined) throw new FettleError({code: 'USAGE', message: `${JSON.stringify(text)} is not a period.`, hint: PERIODS});
  if (seconds >= 60) return seconds;
  throw new FettleError({code: 'USAGE', message: `"${text}" is shorter than a minute, the least period of a job.`, hint: PERIODS});
}

const PERIODS = 'Periods are such as 30m, 2h, "90 minutes", 1d.';

/** Reads a moment of a file, in milliseconds since 1970: a date and a time, since a file is read on other days too. Throws USAGE. */
export function readMoment(text: Json, timeZone = 'UTC'): number {
  // The clock does not matter, and a moment that has passed is one, too.
  if (typeof text === 'string' && DATED.test(text)) return parseMoment(text.replace(/\.0+$/, ''), {now: -Infinity, timeZone});
  throw new FettleError({code: 'USAGE', message: `${JSON.stringify(text)} is not a date with a time, such as 2026-12-01T09:00:00Z`});
}

const DATED = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/;
