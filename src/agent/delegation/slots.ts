import {FettleError} from '../../base/errors.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';

/** Limits how many subagents work at the same time. */
export interface Slots {
  /**
   * Runs a body when there is a slot, in the order of requests; the slot is released however the body ends. Throws
   * CANCELLED if the signal aborts before the body was started.
   */
  run<T>(body: () => Promise<T>, signal: AbortSignal): Promise<T>;
  readonly busy: number;
}

export function createSlots(most: number): Slots {
  const waiting: (() => void)[] = [];
  let busy = 0;

  const next = (): void => {
    if (busy < most) waiting.shift()?.();
  };

  const taken = async (signal: AbortSignal): Promise<void> => {
    if (signal.aborted) throw cancelled();
    if (busy < most && waiting.length === 0) {
      busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = (): void => {
        leave();
        busy += 1;
        resolve();
      };
      waiting.push(enter);
      const leave = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(cancelled());
      });
    });
  };

  return {
    async run(body, signal) {
      await taken(signal);
      try {
        return await body();
      } finally {
        busy -= 1;
        next();
      }
    },
    get busy() {
      return busy;
    },
  };
}

function cancelled(): FettleError {
  return new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
}
