/** The same call with the same result again and again. Warn at the third, refuse the fifth. */
export const WARN_AT = 3;
export const STOP_AT = 5;

/** Also two or three calls that take turns are a loop; longer rounds are work. */
const MAX_PERIOD = 3;

export interface LoopGuard {
  /** Whether running this call would be the fifth repetition: the calls before it, results included, say so. */
  refuses(key: string): boolean;
  /** Remembers what a call gave; returns how often in a row it has given that. */
  record(key: string, digest: string): number;
}

interface Seen {
  readonly key: string;
  readonly digest: string;
}

/**
 * Watches the calls of a thread. Only what is identical in tool, arguments and result counts, and only without anything else in between:
 * polling with changing output, and a test run again after an edit, are no loops.
 */
export function createLoopGuard(): LoopGuard {
  const history: Seen[] = [];
  return {
    refuses: (key) =>
      periods().some((period) => {
        const before = history.at(-period);
        return before?.key === key && repetitions([...history, before], period) >= STOP_AT;
      }),
    record(key, digest) {
      history.push({key, digest});
      if (history.length > MAX_PERIOD * STOP_AT) history.shift();
      return Math.max(...periods().map((period) => repetitions(history, period)));
    },
  };
}

function periods(): number[] {
  return Array.from({length: MAX_PERIOD}, (_, index) => index + 1);
}

/** How often the last `period` entries stand in a row at the end of a history. */
function repetitions(history: readonly Seen[], period: number): number {
  let length = Math.min(period, history.length);
  for (let at = history.length - 1; at >= period && isSame(history[at], history[at - period]); at -= 1) length += 1;
  return Math.floor(length / period);
}

function isSame(a: Seen | undefined, b: Seen | undefined): boolean {
  return a !== undefined && b !== undefined && a.key === b.key && a.digest === b.digest;
}
