import {toLocal} from '../times/local-time.ts';

const MOST_LATE = 15 * 60_000;
const MOST_EARLY = 90_000;

/**
 * Milliseconds by which the due times of a task are late, so that not all tasks of the world begin at the same second: at most a tenth of its
 * period and a quarter of an hour, always the same for an id (VT Code architecture › Scheduling).
 */
export function latenessOf(id: string, period: number): number {
  return Math.floor(fractionOf(id) * Math.min(period / 10, MOST_LATE));
}

/** Returns the moment at which a task for one moment runs: at full and half hours at most 90 seconds before it, else then. */
export function momentOf(id: string, at: number, timeZone: string): number {
  const {minute, second} = toLocal(at, timeZone);
  return minute % 30 === 0 && second === 0 ? at - Math.floor(fractionOf(id) * MOST_EARLY) : at;
}

/** A number from 0 to below 1 (FNV-1a, 32 bits). */
function fractionOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return hash / 2 ** 32;
}
