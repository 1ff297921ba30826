import type {OptimizationSettings} from '../../config/settings.ts';
import type {RewardSignal} from './reward-signal.ts';

/**
 * The reward of an outcome, from 0 to 1, as every policy learns it. A success is worth `success_reward`, anything else `timeout_penalty`; latency and cost
 * are subtracted by their weights; then `timeout_penalty` is 0 and `success_reward` is 1, and values outside are clamped to 0 or 1. With the defaults a success in
 * no time for nothing is 1, one of a minute 0.93, one of an hour for ten dollars 0.81, and a failure 0.
 */
export function shapeReward(signal: Omit<RewardSignal, 'action'>, shaping: OptimizationSettings['reward_shaping']): number {
  const {success_reward: best, timeout_penalty: worst, latency_penalty_weight: latency, cost_penalty_weight: cost} = shaping;
  const base = signal.success && signal.timeout !== true ? best : worst;
  const value = base - latency * latencyShare(signal.latency_ms ?? 0) - cost * costShare(signal);
  return Math.max(0, Math.min(1, (value - worst) / (best - worst)));
}

/** 0 for none, about half for a minute, 1 from an hour on: each doubling costs about the same. */
function latencyShare(milliseconds: number): number {
  return Math.min(1, Math.log1p(milliseconds / 1000) / Math.log1p(3600));
}

/** 0 for nothing, half for one US dollar. Where no price is known, a million tokens count as a dollar. */
function costShare({cost_usd: dollars, tokens = 0}: Omit<RewardSignal, 'action'>): number {
  const cost = dollars ?? tokens / 1_000_000;
  return cost / (1 + cost);
}
