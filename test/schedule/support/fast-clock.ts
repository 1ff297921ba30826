import {systemClock, type Clock} from '../../../src/schedule/clock.ts';

/** A clock that runs faster than that of the system, the same in all processes, and stands still at the end. */
export function fastClock({began, factor, end}: {readonly began: number; readonly factor: number; readonly end: number}): Clock {
  return {
    now: () => Math.min(end, Math.round(began + (systemClock.now() - began) * factor)),
    after: (ms, run) => systemClock.after(ms / factor, run),
  };
}
