import {FettleError} from '../../base/errors.ts';
import {formatLocal, fromLocal, toLocal, type LocalTime} from './local-time.ts';
import {parseDuration} from './parse-duration.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** IANA name of the zone in which times without one are meant. */
  readonly timeZone: string;
}

/**
 * Reads a moment ahead: RFC 3339, `2026-12-01 09:00`, `15:00` or `3pm` (tomorrow where it is past), `in 20 minutes`, `today 15:00`, `tomorrow
 * 9:00`, `friday 9:00` (also `9:00 on friday`). A time that daylight saving leaves out moves on by the gap, one that comes twice is the first.
 * Throws USAGE with what was understood where the text is none, where a day comes without a time, and where the moment is past.
 */
export function parseMoment(text: string, clock: Clock): number {
  const moment = readMoment(text, clock);
  if (moment === undefined) throw notUnderstood(text);
  if (moment > clock.now) return moment;
  const when = `${formatLocal(moment, clock.timeZone)} ${clock.timeZone}`;
  throw usage(`${quoted(text)} is past: it was understood as ${when}.`, `Give a moment after ${formatLocal(clock.now, clock.timeZone)}.`);
}

/** Reads a moment as {@link parseMoment} does, a past one, too. Returns undefined for a text that is none; throws USAGE for a date that does not exist. */
export function readMoment(text: string, clock: Clock): number | undefined {
  const plain = plainText(text);
  return parseTimestamp(plain) ?? parseSpan(plain, clock) ?? parseDated(plain, clock) ?? parseDay(plain, clock);
}

function plainText(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

const STAMP = /^(\d{4})-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?(z|[+-]\d\d:\d\d)$/;

/** Reads a date and time with its offset from UTC (RFC 3339, 5.6; the seconds may be left out). Returns undefined for anything else. */
export function parseTimestamp(text: string): number | undefined {
  const found = STAMP.exec(text.trim().toLowerCase());
  if (found === null) return undefined;
  const offset = found[8] === 'z' || found[8] === undefined ? 0 : offsetOf(found[8]);
  const local = checked({...dateOf(found), hour: Number(found[4]), minute: Number(found[5]), second: Number(found[6] ?? 0)});
  if (local === undefined || offset === undefined) return undefined;
  const thousandths = Math.floor(Number(`0.${found[7] ?? 0}`) * 1000);
  return Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second) + thousandths - offset;
}

function offsetOf(text: string): number | undefined {
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  return hours > 23 || minutes > 59 ? undefined : (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function dateOf(found: readonly (string | undefined)[]): {year: number; month: number; day: number} {
  return {year: Number(found[1]), month: Number(found[2]), day: Number(found[3])};
}

function parseSpan(plain: string, {now}: Clock): number | undefined {
  const seconds = plain.startsWith('in ') && /\d|\ban? /.test(plain) ? parseDuration(plain.slice(3)) : undefined;
  return seconds === undefined ? undefined : now + seconds * 1000;
}

const TIME = String.raw`(?:at )?(?:(\d{1,2})(?::(\d\d)(?::(\d\d))?)? ?(am|pm)?|(noon|midnight))`;
const DATED = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:t| )${TIME}$`);
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY = String.raw`(?:on )?(today|tomorrow|${DAYS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
const DAY_FIRST = new RegExp(`^(?:${DAY},? )?${TIME}$`);
const TIME_FIRST = new RegExp(`^${TIME} ${DAY}$`);

/** A date and a time without an offset: local time. */
function parseDated(plain: string, {timeZone}: Clock): number | undefined {
  const found = DATED.exec(plain);
  const time = found === null ? undefined : timeOf(found.slice(4));
  if (found === null || time === undefined) return undefined;
  const local = checked({...dateOf(found), ...time});
  if (local !== undefined) return fromLocal(local, timeZone);
  throw usage(`There is no ${found[1]}-${found[2]}-${found[3]}.`, 'Give a date that exists, as "2026-12-01 09:00".');
}

/** A time, with or without a day: the next such moment. */
function parseDay(plain: string, clock: Clock): number | undefined {
  const dayFirst = DAY_FIRST.exec(plain);
  const found = dayFirst ?? TIME_FIRST.exec(plain);
  if (found === null) return undefined;
  const day = dayFirst === null ? found[6] : found[1];
  const time = timeOf(dayFirst === null ? found.slice(1) : found.slice(2));
  if (time === undefined) return undefined;
  const today = toLocal(clock.now, clock.timeZone);
  const on = (days: number): number => fromLocal({...daysAfter(today, days), ...time}, clock.timeZone);
  if (day === 'today' || day === 'tomorrow') return on(day === 'today' ? 0 : 1);
  const week = day === undefined ? 1 : 7;
  const ahead = day === undefined ? 0 : (DAYS.findIndex((name) => name.startsWith(day.slice(0, 3))) - weekday(today) + 7) % 7;
  const first = on(ahead);
  return first > clock.now ? first : on(ahead + week);
}

type TimeOfDay = Pick<LocalTime, 'hour' | 'minute' | 'second'>;

/** Reads the groups of `TIME`; a number alone ("9") is no time. */
function timeOf([hours, minutes, seconds, half, word]: readonly (string | undefined)[]): TimeOfDay | undefined {
  if (word !== undefined) return {hour: word === 'noon' ? 12 : 0, minute: 0, second: 0};
  if (minutes === undefined && half === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half);
  const time = {hour, minute: Number(minutes ?? 0), second: Number(seconds ?? 0)};
  return isTime(time) ? time : undefined;
}

/** The hour of a day for one of twelve with `am` or `pm`; 24 where there is no such hour. */
export function hourOf(hours: number, half: string): number {
  return hours < 1 || hours > 12 ? 24 : (hours % 12) + (half === 'pm' ? 12 : 0);
}

function isTime({hour, minute, second}: TimeOfDay): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

function checked(local: LocalTime): LocalTime | undefined {
  const {year, month, day} = local;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && isTime(local) ? local : undefined;
}

function daysAfter({year, month, day}: LocalTime, days: number): Pick<LocalTime, 'year' | 'month' | 'day'> {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return {year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate()};
}

function weekday({year, month, day}: LocalTime): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

const DAY_ALONE = new RegExp(`^(?:${DAY}|\\d{4}-\\d\\d-\\d\\d)$`);

function notUnderstood(text: string): FettleError {
  const plain = plainText(text);
  if (DAY_ALONE.test(plain)) return usage(`${quoted(text)} names a day and no time.`, `Add a time, as in "${plain.slice(0, 20)} 9:00".`);
  return usage(`${quoted(text)} is not a date or time that Fettle understands.`, EXAMPLES);
}

const EXAMPLES = 'Examples: "15:00", "in 20 minutes", "tomorrow 9:00", "friday 9:00", "2026-12-01 09:00", "2026-12-01T09:00:00+01:00".';

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function usage(message: string, hint: string): FettleError {
  return new FettleError({code: 'USAGE', message, hint});
}
