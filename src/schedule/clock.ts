import {systemTimers, type Timers} from '../base/waiting/or-late.ts';

/** The time: injected, so that tests need not wait. */
export interface Clock extends Timers {
  /** Milliseconds since 1970, by the clock of the system, which people may set. */
  now(): number;
}

export const systemClock: Clock = {now: () => Date.now(), after: systemTimers.after};
