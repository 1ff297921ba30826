import {randomBytes} from 'node:crypto';

/** A new id such as `thr_01jd3v8m2k7q9x4t`: prefix, time in milliseconds, random bits. Ids of one prefix sort by time of creation. */
export function newId(prefix: string, now: number = Date.now()): string {
  const time = now.toString(36).padStart(9, '0');
  return `${prefix}_${time}${randomBits().toString(36).padStart(10, '0')}`;
}

/** 48 bits. They are drawn many at a time: one draw costs as much as the rest of an id ten times over. */
function randomBits(): number {
  if (drawn === pool.length) {
    pool = randomBytes(POOL_BYTES);
    drawn = 0;
  }
  drawn += BYTES;
  return pool.readUIntBE(drawn - BYTES, BYTES);
}

const BYTES = 6;
const POOL_BYTES = 64 * BYTES;
let pool: Buffer = Buffer.alloc(0);
let drawn = 0;

/** Creates an id that sorts after the given ones, even if the clock was set back since. */
export function newIdAfter(prefix: string, ids: readonly string[], now: number = Date.now()): string {
  const times = ids.filter((id) => id.startsWith(`${prefix}_`)).map((id) => parseInt(id.slice(prefix.length + 1, prefix.length + 10), 36));
  const last = times.filter((time) => time < LATEST).reduce((a, b) => Math.max(a, b), 0);
  return newId(prefix, Math.max(now, last + 1));
}

/** Largest value of nine digits of base 36; a name beyond it was not made here. */
const LATEST = 36 ** 9 - 1;
