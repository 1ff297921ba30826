import {counted} from '../../base/counted.ts';
import type {RolloutCounts} from '../engine/engine.ts';
import type {RolloutResult} from '../rollout/rollout.ts';

/** The state of a run as people follow it. Times are milliseconds. */
export interface RunProgress {
  readonly total: number;
  readonly accepted: number;
  readonly passed: number;
  readonly failed: number;
  /** Rollouts that prove nothing about the agent. */
  readonly infrastructure: number;
  /** US dollars of the accepted results whose price is known. */
  readonly costUsd: number;
  /** Results whose price is not known. */
  readonly unpriced: number;
  /** Results that were accepted before this process began. */
  readonly earlier: number;
}

/** Starts from the results that earlier processes accepted. */
export async function startProgress(total: number, earlier: AsyncIterable<RolloutResult>): Promise<RunProgress> {
  let progress: RunProgress = {total, accepted: 0, passed: 0, failed: 0, infrastructure: 0, costUsd: 0, unpriced: 0, earlier: 0};
  for await (const result of earlier) progress = addResult(progress, result);
  return {...progress, earlier: progress.accepted};
}

/** The progress of a run whose rollouts other machines carry out, too. For how many no price is known is not counted there. */
export function sharedProgress({passed, failed, parked, costUsd}: RolloutCounts, {total, earlier}: RunProgress): RunProgress {
  return {total, accepted: passed + failed + parked, passed, failed, infrastructure: parked, costUsd, unpriced: 0, earlier};
}

/** Counts one more accepted result. */
export function addResult(progress: RunProgress, {outcome, costUsd}: RolloutResult): RunProgress {
  return {
    ...progress,
    accepted: progress.accepted + 1,
    [outcome]: progress[outcome] + 1,
    costUsd: progress.costUsd + (costUsd ?? 0),
    unpriced: progress.unpriced + (costUsd === null ? 1 : 0),
  };
}

/** Describes the progress in one line: what is done, the pass rate of what counts, the rate, the time left, the cost. */
export function progressLine(progress: RunProgress, elapsedMs: number): string {
  const {total, accepted, passed, failed, infrastructure, earlier} = progress;
  const counting = passed + failed;
  const perMinute = elapsedMs === 0 ? 0 : ((accepted - earlier) / elapsedMs) * 60_000;
  const left = perMinute === 0 ? undefined : ((total - accepted) / perMinute) * 60;
  return [
    `${accepted} of ${total}`,
    ...(counting === 0 ? [] : [`${Math.round((100 * passed) / counting)} % passed`]),
    ...(infrastructure === 0 ? [] : [`${infrastructure} not judged`]),
    ...(perMinute === 0 ? [] : [`${perMinute < 10 ? perMinute.toFixed(1) : Math.round(perMinute)} a minute`]),
    ...(left === undefined || accepted === total ? [] : [`${durationText(left)} left`]),
    ...costText(progress),
  ].join(' · ');
}

function costText({costUsd, unpriced}: RunProgress): string[] {
  if (costUsd === 0) return [];
  return [`$${costUsd.toFixed(2)}${unpriced === 0 ? '' : ` and ${counted(unpriced, 'rollout')} without a known price`}`];
}

/** Writes seconds as people say them: `40 s`, `12 min`, `3 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
