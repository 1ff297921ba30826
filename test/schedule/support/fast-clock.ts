import {systemTimers} from '../../../src/base/waiting/or-late.ts';
import type {Clock} from '../../../src/schedule/clock.ts';

/** A clock that runs faster than the real one, the same in all processes, and stands still at the end. */
export function fastClock({began, factor, end}: {readonly began: number; readonly factor: number; readonly end: number}): Clock {
  return {
    now: () => Math.min(end, Math.round(began + (Date.now() - began) * factor)),
    after: (ms, run) => systemTimers.after(ms / factor, run),
  };
}
