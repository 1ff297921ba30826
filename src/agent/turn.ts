import {toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ModelFailure, ModelReply, ModelRequest, Provider} from '../models/provider.ts';
import type {OutcomeCode, ThreadEvent} from '../protocol/events.ts';
import {timeExcess, type Spending} from './budget.ts';
import type {InputQueue} from './input-queue.ts';
import type {Meter} from './meter.ts';
import {receiveReply, type StartedCall} from './model-reply.ts';
import {judgeEnd, replyEnd, type End, type EndJudge, type SentBack} from './turn-end.ts';

/** What the loop needs of a thread. */
export interface TurnContext {
  readonly threadId: string;
  readonly provider: Provider;
  readonly queue: InputQueue;
  readonly meter: Meter;
  readonly emit: (event: ThreadEvent) => void;
  readonly now: () => number;
  /** The request for the conversation as it stands; whoever makes it may first make room in it. */
  readonly request: (signal: AbortSignal) => Promise<ModelRequest>;
  readonly runTools: (calls: readonly StartedCall[], turnId: string, signal: AbortSignal) => Promise<BatchReport>;
  /** Asked in this order whether a reply without calls may end the turn; the first that does not accept it decides. */
  readonly endJudges: readonly EndJudge[];
}

export interface BatchReport {
  /** Names of the tools whose call was refused by a rule, a person, or because nobody could be asked. */
  readonly denied: readonly string[];
  /** Set where the identical-call guard stopped a call. */
  readonly loop: string | undefined;
}

export interface TurnResult {
  readonly outcome: OutcomeCode;
  readonly text: string;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  /** Of this turn alone, with what its subagents used. */
  readonly spent: Spending;
  readonly denied: readonly string[];
}

/** What ends a run from outside. */
export interface RunState {
  /** Aborts on cancellation and when the time is up; `timeUp` tells the two apart. */
  readonly signal: AbortSignal;
  readonly timeUp: AbortSignal;
}

/**
 * One turn: from a user message to the answer that ends it, or to the failure, limit or cancellation that does.
 * Emits exactly one turn.started and one turn.completed or turn.failed. Never throws for what models or tools do.
 */
export async function runTurn(context: TurnContext, text: string, run: RunState): Promise<TurnResult> {
  const turnId = newId('trn');
  const {meter} = context;
  const began = context.now();
  meter.startTurn();
  const result = await contained(meter, async () => {
    context.emit({type: 'turn.started', thread_id: context.threadId, turn_id: turnId});
    addUserMessage(context, turnId, text);
    return await loop(context, turnId, run);
  });
  try {
    context.emit(endOfTurn(result, {threadId: context.threadId, turnId, durationMs: context.now() - began}));
    return result;
  } catch (thrown) {
    return {...result, ...failure(thrown)};
  }
}

/** The only catch-all of the loop: a defect, or a session log that cannot be written, becomes a failed turn. */
async function contained(meter: Meter, body: () => Promise<Ended>): Promise<TurnResult> {
  try {
    return {...(await body()), spent: meter.turn};
  } catch (thrown) {
    return {text: '', denied: [], ...failure(thrown), spent: meter.turn};
  }
}

function failure(thrown: unknown): Pick<TurnResult, 'outcome' | 'message' | 'hint'> {
  const {message, hint} = toFettleError(thrown);
  return {outcome: 'failed', message, hint};
}

function endOfTurn(result: TurnResult, turn: {threadId: string; turnId: string; durationMs: number}): ThreadEvent {
  const common = {
    thread_id: turn.threadId,
    turn_id: turn.turnId,
    usage: result.spent.usage,
    cost_usd: result.spent.costUsd,
    num_requests: result.spent.requests,
    duration_ms: turn.durationMs,
  };
  if (result.outcome === 'success') return {type: 'turn.completed', ...common};
  return {type: 'turn.failed', ...common, outcome_code: result.outcome, message: result.message ?? result.outcome, hint: result.hint};
}

async function loop(context: TurnContext, turnId: string, run: RunState): Promise<Ended> {
  const {provider, emit, now, meter} = context;
  let state: LoopState = {denied: [], text: '', sentBack: new Map()};
  for (;;) {
    const stop = meter.excess();
    if (stop !== undefined) return ended(state, stop);
    takeSteering(context, turnId);
    const request = await context.request(run.signal);
    const received = await receiveReply({provider, request, turnId, emit, now}, run.signal);
    if (!received.ok) return ended(state, failed(received.failure, context, run));
    meter.add(spentOn(received.reply));
    state = {...state, text: received.text};

    if (received.calls.length === 0) {
      const settled = await settle(context, {turnId, state, reply: received.reply}, run);
      if ('outcome' in settled) return ended(state, settled);
      state = settled;
      continue;
    }
    const tooMany = meter.takeCalls(received.calls.length);
    if (tooMany !== undefined) return ended(state, tooMany);
    const report = await context.runTools(received.calls, turnId, run.signal);
    state = {...state, denied: [...state.denied, ...report.denied]};
    if (run.signal.aborted) return ended(state, aborted(context, run));
    if (report.loop !== undefined) return ended(state, {outcome: 'loop_detected', message: report.loop, hint: LOOP_HINT});
  }
}

/** What a reply without calls means: the end of the turn, or that it goes on. */
async function settle(
  context: TurnContext,
  {turnId, state, reply}: {turnId: string; state: LoopState; reply: ModelReply},
  run: RunState,
): Promise<End | LoopState> {
  const end = replyEnd(reply, state.text);
  if (end !== undefined) return end;
  if (takeSteering(context, turnId)) return state;
  const verdict = await judgeEnd(context.endJudges, {text: state.text, turnId, sentBack: state.sentBack}, run.signal);
  // Without judges the answer is complete, whatever came a moment later.
  if (context.endJudges.length > 0 && run.signal.aborted) return aborted(context, run);
  if (verdict.sendBack === undefined) return verdict;
  addUserMessage(context, turnId, verdict.sendBack);
  return {...state, sentBack: verdict.sentBack};
}

function spentOn(reply: ModelReply): Spending {
  return {requests: 1, usage: reply.usage, costUsd: reply.costUsd};
}

interface LoopState {
  readonly denied: readonly string[];
  readonly text: string;
  readonly sentBack: SentBack;
}

type Ended = Omit<TurnResult, 'spent'>;

function ended(state: LoopState, {outcome, message, hint}: End): Ended {
  const denied = outcome === 'success' && state.denied.length > 0;
  return {
    outcome: denied ? 'denied' : outcome,
    text: state.text,
    message: denied ? deniedMessage(state.denied) : message,
    hint: denied
      ? 'The answer stands above, but something it needed was not allowed. `fettle permissions check` explains a decision.'
      : hint,
    denied: state.denied,
  };
}

function deniedMessage(denied: readonly string[]): string {
  return `${denied.length === 1 ? 'A call was' : `${denied.length} calls were`} denied: ${[...new Set(denied)].join(', ')}.`;
}

function failed(failure: ModelFailure, context: TurnContext, run: RunState): End {
  if (run.signal.aborted) return aborted(context, run);
  return {outcome: 'provider_error', message: failure.message, hint: failure.hint};
}

function aborted({meter}: TurnContext, run: RunState): End {
  return run.timeUp.aborted ? timeExcess(meter.limits.maxTimeMs ?? 0) : {outcome: 'cancelled', message: 'Cancelled.'};
}

/** Puts all waiting steering inputs into the conversation; true where there was one. */
function takeSteering(context: TurnContext, turnId: string): boolean {
  let taken = false;
  for (let input = context.queue.take('steer'); input !== undefined; input = context.queue.take('steer')) {
    context.emit({type: 'interjected', turn_id: turnId, source: 'steer', input_id: input.id});
    addUserMessage(context, turnId, input.text);
    taken = true;
  }
  return taken;
}

function addUserMessage(context: TurnContext, turnId: string, text: string): void {
  context.emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', text}});
}

const LOOP_HINT = 'The model sent the same call again and again. Say more about the task, or try another model.';
