import {LATE, orLate} from '../../../../base/waiting/or-late.ts';

/** A delay that a person does not notice while typing. Milliseconds. */
const SOON_MS = 200;
/** For a source that was late: files do not wait for it at each key, but it may have become quick. */
const BRIEF_MS = 100;

/** Returns the results of one source so far; nothing if it takes longer or fails. */
export type Soon = <T>(found: Promise<readonly T[]>) => Promise<readonly T[]>;

/** Waits 0.2 s for one source; after it was late only half as long, until it answers in time again. */
export function createSoon(): Soon {
  let isLate = false;
  return async (found) => {
    try {
      const inTime = await orLate(found, isLate ? BRIEF_MS : SOON_MS);
      isLate = inTime === LATE;
      return inTime === LATE ? [] : inTime;
    } catch {
      return [];
    }
  };
}
