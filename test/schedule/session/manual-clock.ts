import type {ScheduleClock} from '../../../src/schedule/session/session-schedule.ts';

export interface ManualClock extends ScheduleClock {
  /** Lets time pass: every timer that becomes due is called at its time. */
  advance(ms: number): void;
  /** Sets the clock on the wall; timers do not notice. */
  set(now: number): void;
  /** Milliseconds until the next timer; undefined: there is none. */
  waits(): readonly number[];
}

/** A clock that stands still until a test moves it. */
export function manualClock(start: number): ManualClock {
  let wall = start;
  let elapsed = 0;
  const timers = new Set<{readonly at: number; readonly act: () => void}>();
  return {
    now: () => wall,
    after(ms, act) {
      const timer = {at: elapsed + ms, act};
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    set: (now) => void (wall = now),
    waits: () => [...timers].map(({at}) => at - elapsed),
    advance(ms) {
      const end = elapsed + ms;
      for (;;) {
        const next = [...timers].filter(({at}) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        const to = next?.at ?? end;
        wall += to - elapsed;
        elapsed = to;
        if (next === undefined) return;
        timers.delete(next);
        next.act();
      }
    },
  };
}
