import {FettleError} from '../base/errors.ts';
import {isJsonObject} from '../base/json.ts';
import type {RewardSignal} from './rewards/reward-signal.ts';

export const MOST_ACTIONS = 64;

/** Throws BAD_ARGS unless there are 1 to 64 different actions, and all names are plain: they are stored, and shown on terminals. */
export function assertNames(actions: readonly string[], decision: string): void {
  const problem = problemOf(actions, decision);
  if (problem === undefined) return;
  throw new FettleError({code: 'BAD_ARGS', message: `select: ${problem}.`, hint: 'Pass 1 to 64 different plain names.'});
}

/** Throws BAD_ARGS for a context with other values than its type names. Callers may write JavaScript. */
export function assertContext(context: unknown): void {
  const problem = isJsonObject(context) ? contextProblem(context) : 'the context is not an object';
  if (problem === undefined) return;
  throw new FettleError({code: 'BAD_ARGS', message: `select: ${problem}.`, hint: 'Its fields are those of DecisionContext.'});
}

function contextProblem({features = {}, latencyBudgetMs = 0, exploreShare = 0, episode = ''}: Context): string | undefined {
  if (!isNumberFrom0(latencyBudgetMs)) return '`latencyBudgetMs` is not a number of at least 0';
  if (!isNumberFrom0(exploreShare) || exploreShare > 1) return '`exploreShare` is not a number from 0 to 1';
  if (typeof episode !== 'string') return '`episode` is not a text';
  const arePlain = isJsonObject(features) && Object.values(features).every((value) => FEATURE_TYPES.has(typeof value));
  return arePlain ? undefined : '`features` is not an object of texts, numbers and booleans';
}

/** A feature that is not known is left out. */
const FEATURE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);

/** Throws BAD_ARGS for a signal that is not one. */
export function assertSignal(signal: unknown): void {
  if (isJsonObject(signal) && isSignal(signal)) return;
  const message = 'applyReward: the signal needs a plain `action`, a boolean `success`, and numbers of at least 0.';
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'Its fields are those of RewardSignal.'});
}

function isSignal({action, success, timeout = false, ...figures}: Signal): boolean {
  const {latency_ms: latency = 0, cost_usd: cost = 0, tokens = 0} = figures;
  const areNumbers = [latency, cost, tokens].every((value) => isNumberFrom0(value) && value !== Infinity);
  return isPlainName(action) && typeof success === 'boolean' && typeof timeout === 'boolean' && areNumbers;
}

/** Throws BAD_ARGS unless an outcome is of a choice, or of a decision with a plain name. */
export function assertTarget(of: unknown): void {
  if (of === undefined || (isJsonObject(of) && (typeof of['choice'] === 'string' || isPlainName(of['decision'])))) return;
  const hint = 'Pass the id that select() returned, or leave it out.';
  throw new FettleError({code: 'BAD_ARGS', message: 'applyReward: it is of neither a choice nor a decision with a plain name.', hint});
}

type Context = Readonly<Partial<Record<'features' | 'latencyBudgetMs' | 'exploreShare' | 'episode', unknown>>>;
type Signal = Readonly<Partial<Record<keyof RewardSignal, unknown>>>;

function isNumberFrom0(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function problemOf(actions: readonly string[], decision: string): string | undefined {
  if (!Array.isArray(actions)) return 'the actions are not a list';
  if (actions.length === 0) return 'no action to choose from';
  if (actions.length > MOST_ACTIONS) return `${actions.length} actions, at most ${MOST_ACTIONS}`;
  if (new Set(actions).size < actions.length) return 'an action is there twice';
  if (![...actions, decision].every(isPlainName)) return 'a name is empty, longer than 100 characters, or not plain';
  return undefined;
}

/** Begins and ends with a visible character, and has no control, format or private ones. */
function isPlainName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= 100 && /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}])?$/u.test(name);
}
