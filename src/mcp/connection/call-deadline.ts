import {createDeadline, type Deadline} from '../../base/waiting/deadline.ts';

/** Limits the wait for one call: it ends after a time without a sign of life, and after ten times that in all. */
export function createCallDeadline(idleMs: number): Deadline {
  return createDeadline({idleMs, totalMs: idleMs * TOTAL});
}

const TOTAL = 10;
