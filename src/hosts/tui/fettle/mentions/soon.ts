import {LATE, orLate} from '../../../../base/waiting/or-late.ts';
/** What a person who types does not notice. Milliseconds. */
const SOON_MS = 200;
/** For a source that was late: files are not kept waiting at each key, but it may have become quick. */
const BRIEF_MS = 100;

/** Gives what one source has found by now; nothing where it takes longer or fails. */
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
