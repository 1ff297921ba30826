import type {OutcomeCode, ThreadCompleted, ThreadEvent} from '../../protocol/events.ts';
import type {RewardSignal} from './reward-signal.ts';

/** A finished run, for judging. */
export interface FinishedRun {
  /** The events of this run; those of earlier runs of the same thread left out. */
  readonly events: readonly ThreadEvent[];
  /** True if a person took its changes back. */
  readonly undone?: boolean;
  /** True if a person took its changes back and then brought them back: what its checks proved before holds again. */
  readonly redone?: boolean;
}

/** The verdict on a run, and its reason in one short line. `unproven`: only the model says that the work was done. */
export interface RunVerdict {
  readonly verdict: 'verified' | 'failed' | 'limit' | 'timeout' | 'denied' | 'undone' | 'unproven';
  readonly reason: string;
}

/**
 * Judges a run by what others than its model have found: checks that a person named, denials, limits, an undo. Undefined while the run has not
 * ended, and for a run that a person cancelled: neither says anything about the action.
 */
export function judgeRun({events, undone, redone}: FinishedRun): RunVerdict | undefined {
  const end = events.findLast((event) => event.type === 'thread.completed');
  if (end === undefined) return undefined;
  const rewound = rewoundState(events);
  if (undone === true || rewound === 'undone') return {verdict: 'undone', reason: 'a person undid it'};
  if (end.outcome_code === 'cancelled') return undefined;
  const isRedone = redone === true || rewound === 'redone';
  return end.outcome_code === 'success' ? judgeSuccess(end, isRedone) : judgeEnd(end.outcome_code);
}

/**
 * The reward signal of a run that was started by `action`; undefined where {@link judgeRun} has no verdict. Without proof there is no success. Tokens,
 * cost and time are those of its turns; the cost is left out where one has no known price.
 */
export function rewardSignalOf(action: string, run: FinishedRun): RewardSignal | undefined {
  const judged = judgeRun(run);
  if (judged === undefined) return undefined;
  const turns = run.events.filter((event) => event.type === 'turn.completed' || event.type === 'turn.failed');
  const sum = (figure: (turn: (typeof turns)[number]) => number): number => turns.reduce((total, turn) => total + figure(turn), 0);
  return {
    action,
    success: judged.verdict === 'verified',
    timeout: judged.verdict === 'timeout',
    latency_ms: sum(({duration_ms: duration}) => duration),
    tokens: sum(({usage}) => usage.input_tokens + usage.output_tokens),
    ...(turns.some(({cost_usd: cost}) => cost === null) ? {} : {cost_usd: sum(({cost_usd: cost}) => cost ?? 0)}),
  };
}

/** Returns `undone` if the conversation was taken back, `redone` if that was taken back itself. */
function rewoundState(events: readonly ThreadEvent[]): 'undone' | 'redone' | undefined {
  const rewindings = new Set<string>();
  let isRedone = false;
  for (const event of events) {
    if (event.type !== 'thread.rewound') continue;
    if (rewindings.delete(event.to)) isRedone = true;
    else rewindings.add(event.checkpoint_id);
  }
  if (rewindings.size > 0) return 'undone';
  return isRedone ? 'redone' : undefined;
}

/** A success counts if a check that a person named has passed, none failed, and the run neither changed nor made what decides them. */
function judgeSuccess(end: ThreadCompleted, isRedone: boolean): RunVerdict {
  const {checks = [], check_changes: changes = [], check_changes_unknown: isUnknown = false, denied = []} = end;
  const verified = verifiedIn(end, isRedone);
  if (verified === false) return {verdict: 'failed', reason: 'a check did not pass'};
  if (denied.some(({decided_by: by}) => by === 'person')) return {verdict: 'denied', reason: 'a person denied one of its calls'};
  const proof = checks.find((check) => check.named_by === 'person' && check.always_passes !== true);
  if (verified !== true || proof === undefined) return {verdict: 'unproven', reason: 'no check that a person named'};
  if (isUnknown) return {verdict: 'unproven', reason: 'it is not known what of its checks it changed'};
  if (changes.length > 0) return {verdict: 'unproven', reason: 'it changed what its checks depend on'};
  return {verdict: 'verified', reason: 'its checks passed'};
}

/** An undo ends what was verified, and so does the redo: the checks are not run again then, but they passed on the same files. */
function verifiedIn({verified, checks = []}: ThreadCompleted, isRedone: boolean): ThreadCompleted['verified'] {
  if (checks.some(({state}) => state !== 'passed')) return false;
  return isRedone && checks.length > 0 ? true : verified;
}

function judgeEnd(code: OutcomeCode): RunVerdict {
  return VERDICTS[code] ?? {verdict: 'failed', reason: `it ended as ${code}`};
}

const VERDICTS: Readonly<Partial<Record<OutcomeCode, RunVerdict>>> = {
  denied: {verdict: 'denied', reason: 'a call that it needed was denied'},
  time_limit_reached: {verdict: 'timeout', reason: 'it reached the time limit'},
  turn_limit_reached: {verdict: 'limit', reason: 'it reached the limit of requests'},
  token_limit_reached: {verdict: 'limit', reason: 'it reached the limit of tokens'},
  budget_limit_reached: {verdict: 'limit', reason: 'it reached the limit of cost'},
};
