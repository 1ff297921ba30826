import {FettleError} from '../../base/errors.ts';

/** A time as a clock on the wall shows it. Months are 1 to 12. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The IANA name of the time zone of this computer, `Europe/Berlin`. */
export function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns what the clocks of a time zone show at a moment (milliseconds since 1970). */
export function toLocal(moment: number, timeZone: string): LocalTime {
  const parts = formatFor(timeZone).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((one) => one.type === type)?.value);
  return {year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute'), second: part('second')};
}

/**
 * Returns the moment at which the clocks of a time zone show a time. A time that daylight saving leaves out moves on by what is left out (2:30
 * is then 3:30), one that comes twice is the first of them (RFC 5545, 3.3.5).
 */
export function fromLocal(local: LocalTime, timeZone: string): number {
  const shown = asUtc(local);
  const before = offsetAt(shown - DAY, timeZone);
  const earlier = shown - before;
  if (offsetAt(earlier, timeZone) === before) return earlier;
  const after = offsetAt(shown + DAY, timeZone);
  return offsetAt(shown - after, timeZone) === after ? shown - after : earlier;
}

/** `2026-12-01 09:00`, as the clocks of a time zone show a moment. */
export function formatLocal(moment: number, timeZone: string): string {
  const {year, month, day, hour, minute} = toLocal(moment, timeZone);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const made = createFormat(timeZone);
  formats.set(timeZone, made);
  return made;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric' as const;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    });
  } catch (cause) {
    throw new FettleError({
      code: 'USAGE',
      message: `There is no time zone ${JSON.stringify(timeZone.slice(0, 60))}.`,
      hint: 'Give a name of the IANA time zone database, as "Europe/Berlin" or "UTC".',
      cause,
    });
  }
}

/** Milliseconds by which the clocks of a time zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  const whole = Math.floor(moment / 1000) * 1000;
  return asUtc(toLocal(whole, timeZone)) - whole;
}

function asUtc({year, month, day, hour, minute, second}: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
