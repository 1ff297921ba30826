import type {ObservedCall, ProgressVerdict} from './observed-call.ts';

/** Failed calls in a row before the model is told, and before the turn ends. */
export const NUDGE_FAILED_AT = 8;
export const STOP_FAILED_AT = 16;
/** One reply with many calls does not count for more than this: a model must see its failures first. */
const MOST_OF_A_REPLY = 4;

/** Counts calls that fail one after another, even if each fails in another way. A successful call ends the row. */
export function countFailedRow(): {judge(calls: readonly ObservedCall[]): ProgressVerdict} {
  let row = 0;
  let isReported = false;
  return {
    judge(calls) {
      const since = calls.length - 1 - calls.findLastIndex(({isError}) => !isError);
      const added = Math.min(since, MOST_OF_A_REPLY);
      row = since < calls.length ? added : row + added;
      if (row < NUDGE_FAILED_AT) isReported = false;
      if (row >= STOP_FAILED_AT) return {stop: `No progress: the last ${row} calls all failed.`};
      if (row < NUDGE_FAILED_AT || isReported) return {};
      isReported = true;
      return {
        note: `[note: the last ${row} calls all failed; after ${STOP_FAILED_AT} the turn is ended. Read the first error again and try something simpler, or say what is missing.]`,
      };
    },
  };
}
