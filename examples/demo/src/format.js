import {UNITS} from './units.js';

/** Milliseconds → text such as `1h 30m`; fractions of a millisecond are dropped. */
export function format(milliseconds) {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) throw new RangeError(`not a length of time: ${milliseconds}`);
  const parts = [];
  let rest = Math.floor(milliseconds);
  for (const {name, length} of UNITS) {
    const count = Math.floor(rest / length);
    if (count > 0) parts.push(`${count}${name}`);
    rest -= count * length;
  }
  return parts.join(' ') || '0s';
}
