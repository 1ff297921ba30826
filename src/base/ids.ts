import {randomBytes} from 'node:crypto';

/** A new id such as `thr_01jd3v8m2k7q9x4t`: prefix, time in milliseconds, random bits. Ids of one prefix sort by time of creation. */
export function newId(prefix: string, now: number = Date.now()): string {
  const time = now.toString(36).padStart(9, '0');
  const random = randomBytes(6).readUIntBE(0, 6).toString(36).padStart(10, '0');
  return `${prefix}_${time}${random}`;
}
