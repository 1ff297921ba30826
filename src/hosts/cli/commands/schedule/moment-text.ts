import {formatLocal, systemTimeZone} from '../../../../schedule/times/local-time.ts';

/** `2026-12-01 09:00 (in 3 h)`, by the clocks of this computer. */
export function momentText(moment: number, now: number): string {
  return `${formatLocal(moment, systemTimeZone())} (${distanceText(moment - now)})`;
}

/** `in 3 h`, `90 min ago`, `now`, rounded down. A unit is taken from two of it on. */
export function distanceText(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1000);
  if (seconds === 0) return 'now';
  const unit = UNITS.find(({length}) => seconds >= 2 * length) ?? SECOND;
  const span = `${Math.floor(seconds / unit.length)} ${unit.name}`;
  return ms > 0 ? `in ${span}` : `${span} ago`;
}

const SECOND = {length: 1, name: 's'};
const UNITS = [
  {length: 86_400, name: 'd'},
  {length: 3600, name: 'h'},
  {length: 60, name: 'min'},
];
