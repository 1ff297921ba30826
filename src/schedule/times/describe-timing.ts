import {counted} from '../../base/counted.ts';
import {formatLocal} from './local-time.ts';
import type {Timing} from './timing.ts';

/** A timing in words for lists: `every 2 hours`, `0 7 * * 1-5 Europe/Berlin`, `2026-12-01 09:00`. The zone is the one of the reader's clock. */
export function describeTiming(timing: Timing, timeZone: string): string {
  if (timing.kind === 'at') return formatLocal(timing.at, timeZone);
  return timing.kind === 'cron' ? `${timing.expression} ${timing.timeZone}` : `every ${describeSeconds(timing.seconds)}`;
}

/** A span of time in words, its parts from weeks to seconds: `2 hours`, `1 hour 30 minutes`; a unit alone where it is one of it: `hour`. */
function describeSeconds(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [name, length] of UNITS) {
    const count = Math.floor(rest / length);
    if (count > 0) parts.push(counted(count, name));
    rest -= count * length;
  }
  return parts.length === 1 ? (parts[0] ?? '').replace(/^1 /, '') : parts.join(' ');
}

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
