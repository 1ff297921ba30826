import {FettleError} from '../base/errors.ts';
import {createDeadline} from '../base/waiting/deadline.ts';
import type {OutcomeCode, ThreadCompleted} from '../protocol/events.ts';
import {SCHEMA_VERSION} from '../protocol/schema-version.ts';
import {addSpending, NOTHING_SPENT, type Spending} from './budget.ts';
import {createInputQueue} from './input-queue.ts';
import type {InputRecord, QueuedInput} from './input-record.ts';
import {runTurn} from './turn.ts';
import type {RunState, TurnContext, TurnResult} from './turn-context.ts';

export interface ThreadOptions extends Omit<TurnContext, 'queue'> {
  /** Fields of `thread.started` about the folder and the settings. */
  readonly started: {
    readonly cwd: string;
    readonly model: string;
    readonly toolset: string;
    readonly fettle_version: string;
    readonly resumed: boolean;
    readonly parent_thread_id?: string;
    readonly agent?: string;
  };
  /** The inputs of a session that is resumed: those that still wait are applied. */
  readonly inputs?: InputRecord | undefined;
  /** Returns the report that goes into `thread.completed`. */
  readonly report?: (() => RunReport) | undefined;
}

/** One conversation. `run` is called once at a time; `steer` and `followUp` may be called while it runs. */
export interface Thread {
  readonly id: string;
  /**
   * Runs a turn for the prompt, then one for each waiting follow-up. The limits apply to the whole run. Without a
   * prompt, the oldest waiting input is used; throws BAD_ARGS if there is none.
   */
  run(prompt: string | undefined, signal: AbortSignal): Promise<RunResult>;
  /**
   * Adds an input to the running turn before its next request. Returns the id of the input, which is then in the
   * log and is applied exactly once, even after a crash. An id that was accepted before is not accepted again.
   * Throws LIMIT when too many wait.
   */
  steer(text: string, id?: string): string;
  /** The same, but the input begins a turn of its own after the running one. */
  followUp(text: string, id?: string): string;
  /** The number of waiting inputs. */
  waiting(): number;
  /** Emits `thread.started` if that has not happened yet, for events outside of turns. */
  begin(): void;
  /** Emits the last event of the thread, with its outcome. */
  finish(result: RunResult | undefined): void;
}

export interface RunResult extends TurnResult {
  readonly turns: number;
  /** Report of verified and unverified work, as in `thread.completed`. */
  readonly report?: RunReport | undefined;
}

/** Facts about the work besides its outcome. */
export type RunReport = Partial<
  Pick<
    ThreadCompleted,
    | 'verified'
    | 'evaluation'
    | 'checks'
    | 'check_changes'
    | 'check_changes_unknown'
    | 'open_tasks'
    | 'denied'
    | 'failed_agents'
    | 'reply_cut'
  >
>;

export function createThread(options: ThreadOptions): Thread {
  const queue = createInputQueue({
    earlier: options.inputs,
    accept({id, kind, text}) {
      begin();
      options.emit({type: 'input.queued', thread_id: options.threadId, input_id: id, kind, text});
    },
  });
  const context: TurnContext = {...options, queue};
  let begun = false;
  let total = {spent: NOTHING_SPENT, turns: 0};

  const begin = (): void => {
    if (begun) return;
    begun = true;
    options.emit({type: 'thread.started', schema_version: SCHEMA_VERSION, thread_id: options.threadId, ...options.started});
  };

  return {
    id: options.threadId,
    async run(prompt, signal) {
      begin();
      options.meter.startRun();
      const first = prompt ?? queue.take();
      if (first === undefined) throw new FettleError({code: 'BAD_ARGS', message: 'No prompt and no queued input.'});
      const result = await withTimeLimit(options, signal, (run) => runTurns(context, first, run));
      total = {spent: addSpending(total.spent, result.spent), turns: total.turns + result.turns};
      return result;
    },
    steer: (text, id) => queue.add('steer', text, id),
    followUp: (text, id) => queue.add('follow_up', text, id),
    waiting: () => queue.size,
    begin,
    finish(result) {
      begin();
      options.emit({...threadCompleted(options.threadId, result, total), ...options.report?.()});
    },
  };
}

async function withTimeLimit<T>(options: ThreadOptions, signal: AbortSignal, body: (run: RunState) => Promise<T>): Promise<T> {
  const late = createDeadline({totalMs: options.meter.limits.maxTimeMs});
  try {
    return await body({signal: AbortSignal.any([signal, late.signal]), timeUp: late.signal});
  } finally {
    late.end();
  }
}

async function runTurns(context: TurnContext, first: string | QueuedInput, run: RunState): Promise<RunResult> {
  let input = first;
  /** Calls that were denied in earlier turns: a later success hides them only if it was verified. */
  let refused: Refused | undefined;
  for (let turns = 1; ; turns += 1) {
    const result = await runTurn(context, input, run);
    const answered = result.outcome === 'success' || result.outcome === 'denied';
    // The idle boundary: one waiting input begins the next turn.
    const next = answered ? context.queue.take('follow_up') : undefined;
    if (next === undefined) return {...withRefused(result, refused, context), spent: context.meter.run, turns};
    if (result.outcome === 'denied') refused = {outcome: 'denied', message: result.message, hint: result.hint, denied: result.denied};
    input = next;
  }
}

type Refused = Pick<TurnResult, 'outcome' | 'message' | 'hint' | 'denied'>;

function withRefused(result: TurnResult, refused: Refused | undefined, {known}: TurnContext): TurnResult {
  if (refused === undefined || result.outcome !== 'success') return result;
  // A refused prompt is never covered, unlike a refused call that the work did not need.
  const isCovered = refused.denied.length > 0 && known?.isProven() === true;
  return isCovered ? {...result, denied: [...refused.denied, ...result.denied]} : {...result, ...refused};
}

function threadCompleted(threadId: string, result: RunResult | undefined, total: {spent: Spending; turns: number}): ThreadCompleted {
  const outcome = result?.outcome ?? 'success';
  const event: ThreadCompleted = {
    type: 'thread.completed',
    thread_id: threadId,
    subtype: SUBTYPE[outcome] ?? 'error_during_execution',
    outcome_code: outcome,
    usage: total.spent.usage,
    total_cost_usd: total.spent.costUsd,
    num_turns: total.turns,
  };
  if (result === undefined) return event;
  return result.outcome === 'success' || result.outcome === 'denied'
    ? {...event, result: result.text}
    : {...event, stop_reason: result.message};
}

const SUBTYPE: Readonly<Partial<Record<OutcomeCode, ThreadCompleted['subtype']>>> = {
  success: 'success',
  turn_limit_reached: 'error_max_turns',
  budget_limit_reached: 'error_max_budget_usd',
  cancelled: 'cancelled',
};
