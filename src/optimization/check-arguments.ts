import {FettleError} from '../base/errors.ts';
import type {RewardSignal} from './rewards/reward-signal.ts';

export const MOST_ACTIONS = 64;

/** Throws BAD_ARGS unless there are 1 to 64 different actions, and all names are plain: they are stored, and shown on terminals. */
export function assertNames(actions: readonly string[], decision: string): void {
  const problem = problemOf(actions, decision);
  if (problem === undefined) return;
  throw new FettleError({code: 'BAD_ARGS', message: `select: ${problem}.`, hint: 'Pass 1 to 64 different plain names.'});
}

/** Throws BAD_ARGS for a signal that is not one. */
export function assertSignal({action, success, latency_ms: latency = 0, cost_usd: cost = 0, tokens = 0}: RewardSignal): void {
  const areNumbers = [latency, cost, tokens].every((value) => Number.isFinite(value) && value >= 0);
  if (isPlainName(action) && typeof success === 'boolean' && areNumbers) return;
  const message = 'applyReward: the signal needs a plain `action`, a boolean `success`, and numbers of at least 0.';
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'Its fields are those of RewardSignal.'});
}

function problemOf(actions: readonly string[], decision: string): string | undefined {
  if (actions.length === 0) return 'no action to choose from';
  if (actions.length > MOST_ACTIONS) return `${actions.length} actions, at most ${MOST_ACTIONS}`;
  if (new Set(actions).size < actions.length) return 'an action is there twice';
  if (![...actions, decision].every(isPlainName)) return 'a name is empty, longer than 100 characters, or not plain';
  return undefined;
}

/** Begins and ends with a visible character, and has no control, format or private ones. */
function isPlainName(name: string): boolean {
  return typeof name === 'string' && name.length <= 100 && /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u.test(name);
}
