import {compileCron} from './parse-cron.ts';
import type {Timing} from './timing.ts';

/** How many due times of a cron expression are counted at most beyond those that are returned. */
export const MOST_COUNTED = 1000;

/** Returns the first due time strictly after a moment, or undefined where none is left. An interval is first due one period after its anchor. */
export function nextDue(timing: Timing, after: number): number | undefined {
  if (timing.kind === 'at') return timing.at > after ? timing.at : undefined;
  if (timing.kind === 'cron') return compileCron(timing.expression, timing.timeZone).nextRun(new Date(after))?.getTime();
  const period = timing.seconds * 1000;
  return timing.anchor + Math.max(1, Math.floor((after - timing.anchor) / period) + 1) * period;
}

export interface DueRange {
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly upTo: number;
  readonly most: number;
}

export interface DueTimes {
  /** Oldest first. */
  readonly due: readonly number[];
  /** How many older ones were left out. Of a cron expression at most {@link MOST_COUNTED} are counted. */
  readonly omitted: number;
}

/** Returns the newest due times of a span, however long it is. */
export function dueBetween(timing: Timing, range: DueRange): DueTimes {
  if (timing.kind === 'cron') return cronBetween(timing, range);
  if (timing.kind === 'at') return newest(timing.at > range.after && timing.at <= range.upTo ? 1 : 0, range.most, () => timing.at);
  const period = timing.seconds * 1000;
  const last = Math.floor((range.upTo - timing.anchor) / period);
  const before = Math.max(0, Math.floor((range.after - timing.anchor) / period));
  return newest(Math.max(0, last - before), range.most, (back) => timing.anchor + (last - back) * period);
}

/** Goes back from the end of the span, so that a long one costs no more than a short one. */
function cronBetween(timing: Timing & {kind: 'cron'}, {after, upTo, most}: DueRange): DueTimes {
  const cron = compileCron(timing.expression, timing.timeZone);
  const found: number[] = [];
  let before = upTo + 1;
  while (found.length < most + MOST_COUNTED) {
    const [run] = cron.previousRuns(1, new Date(before));
    if (run === undefined || run.getTime() <= after) break;
    before = run.getTime();
    found.push(before);
  }
  return newest(found.length, most, (back) => found[back] ?? before);
}

function newest(count: number, most: number, at: (back: number) => number): DueTimes {
  const length = Math.min(count, most);
  return {due: Array.from({length}, (_, index) => at(length - 1 - index)), omitted: count - length};
}
