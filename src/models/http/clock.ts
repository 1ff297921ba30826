import {onAbort} from '../../base/waiting/on-abort.ts';
import {orLate, systemTimers, type Timers} from '../../base/waiting/or-late.ts';

/** Time as the provider needs it: tests pass their own, so that nothing waits. */
export interface Clock extends Timers {
  /** Milliseconds since 1970, for dates that a server names. */
  now(): number;
}

export const systemClock: Clock = {...systemTimers, now: () => Date.now()};

/** Ends after `ms` milliseconds, or at once when `signal` is aborted; never rejects. */
export async function pause(ms: number, signal: AbortSignal, clock: Clock): Promise<void> {
  if (signal.aborted) return;
  const woken = Promise.withResolvers<void>();
  const leave = onAbort(signal, woken.resolve);
  await orLate(woken.promise, ms, {timers: clock});
  leave();
}
