import {toFettleError} from '../base/errors.ts';
import {newId} from '../base/ids.ts';
import type {ModelFailure, Paid} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import {spentOn, timeExcess, type Spending} from './budget.ts';
import type {QueuedInput} from './input-record.ts';
import type {Meter} from './meter.ts';
import {harness, receiveReply} from './receive-reply.ts';
import {MAX_CALLS} from './replies/call-limit.ts';
import {cutCalls, cutReply, MAX_CUT} from './replies/cut-reply.ts';
import type {ReceivedReply} from './replies/received-reply.ts';
import {NO_FAULTS, unusableReply, type AskAgain, type Faults} from './replies/unusable-reply.ts';
import type {KnownAtEnd, RunState, TurnContext, TurnResult} from './turn-context.ts';
import {judgeEnd, replyEnd, type TurnEnd, type Rejections} from './turn-end.ts';

/**
 * Runs one turn: from a user message to the answer, failure, limit or cancellation that ends it. Emits exactly
 * one turn.started and one turn.completed or turn.failed. Never throws for errors of models or tools.
 */
export async function runTurn(context: TurnContext, input: string | QueuedInput, run: RunState): Promise<TurnResult> {
  const turnId = newId('trn');
  const {meter} = context;
  const began = context.now();
  meter.startTurn();
  const result = await contained(meter, async () => {
    context.emit({type: 'turn.started', thread_id: context.threadId, turn_id: turnId});
    const refused = await admit(context, {turnId, input: typeof input === 'string' ? {text: input} : input}, run.signal);
    return refused === undefined ? await loop(context, turnId, run) : ended(NEW_TURN, refusedEnd(refused));
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
    return {text: '', denied: [], ...failure(thrown, meter.turn), spent: meter.turn};
  }
}

/** @param spent absent: the turn was over */
function failure(thrown: unknown, spent?: Spending): Pick<TurnResult, 'outcome' | 'message' | 'hint'> {
  const {code, message, hint} = toFettleError(thrown);
  return {outcome: code === 'TOO_LARGE' && spent?.requests === 0 ? 'request_too_large' : 'failed', message, hint};
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
  const {meter} = context;
  let state: LoopState = NEW_TURN;
  for (;;) {
    const stop = meter.excess();
    if (stop !== undefined) return ended(state, stop);
    await takeSteering(context, turnId, run.signal);
    const received = await nextReply(context, turnId, run.signal);
    if (!received.ok) return ended(state, failed(received.failure, context, run));
    meter.add(spentOn(received.reply));
    state = {...state, text: received.text};

    const replied = {turnId, state, received};
    const step = received.calls.length === 0 ? await finishOrContinue(context, replied, run) : await runCalls(context, replied, run);
    if (step.end !== undefined) return ended(step.state, step.end, context.known);
    ({state} = step);
  }
}

interface Replied {
  readonly turnId: string;
  readonly state: LoopState;
  readonly received: Extract<ReceivedReply, {ok: true}>;
}

/** The state of the turn after a reply. */
interface Step {
  readonly state: LoopState;
  /** Absent: the turn goes on. */
  readonly end?: TurnEnd;
}

async function runCalls(context: TurnContext, {turnId, state: before, received}: Replied, run: RunState): Promise<Step> {
  const tooMany = context.meter.takeCalls(Math.min(received.calls.length, MAX_CALLS));
  if (tooMany !== undefined) return {state: before, end: tooMany};
  const report = await context.runTools(received.calls, turnId, run.signal);
  const cut = cutCalls(received, before.faults);
  const faults = cut?.faults ?? {...before.faults, empty: 0, cut: 0};
  const state = {...before, denied: [...before.denied, ...report.denied], faults};
  if (run.signal.aborted) return {state, end: aborted(context, run)};
  if (report.end !== undefined) return {state, end: report.end};
  if (report.loop !== undefined) return {state, end: {outcome: 'loop_detected', message: report.loop, hint: LOOP_HINT}};
  if (report.note !== undefined) addUserMessage(context, turnId, {text: report.note, origin: 'harness'});
  if (cut === undefined) return {state};
  return faults.cut >= MAX_CUT
    ? await evaluateEnd(context, {turnId, state, received}, run)
    : askAgain(context, turnId, {before: state, again: cut});
}

/** Asks for a reply to the current conversation; asks again if it was refused as too long and could be shortened. */
async function nextReply(context: TurnContext, turnId: string, signal: AbortSignal): Promise<ReceivedReply> {
  const {provider, emit, now, meter, openAttempt} = context;
  const onPaid = (paid: Paid): void => meter.add(spentOn(paid));
  for (let retries = 0; ; retries += 1) {
    const request = await context.request(signal);
    const received = await receiveReply({provider, request, turnId, emit, now, onPaid, openAttempt}, signal);
    if (received.ok || received.failure.code !== 'TOO_LARGE' || retries === MAX_MAKE_ROOM) return received;
    if ((await context.makeRoom?.(signal, received.failure.windowTokens)) !== true) return received;
  }
}

/** Each attempt halves the target: a conversation that is still too long then will not fit. */
const MAX_MAKE_ROOM = 3;

/** Decides on a reply without calls: the turn ends, or continues. */
async function finishOrContinue(context: TurnContext, replied: Replied, run: RunState): Promise<Step> {
  const {turnId, state: before, received} = replied;
  const isCut = received.reply.stopReason === 'max_tokens';
  const cut = isCut ? cutReply(before.faults) : undefined;
  if (cut !== undefined) return askAgain(context, turnId, {before, again: cut});
  if (isCut) return await evaluateEnd(context, replied, run);
  const end = replyEnd(received.reply);
  if (end !== undefined) return {state: before, end};
  const unusable = unusableReply(received, before.faults);
  if (unusable !== undefined && 'outcome' in unusable) return {state: before, end: unusable};
  if (unusable !== undefined) return askAgain(context, turnId, {before, again: unusable});
  return await evaluateEnd(context, {...replied, state: {...before, faults: {...before.faults, empty: 0, cut: 0}}}, run);
}

/** The end conditions are asked even about a reply that was cut too often: its work is done if a named check proves it. */
async function evaluateEnd(context: TurnContext, {turnId, state, received}: Replied, run: RunState): Promise<Step> {
  if (await takeSteering(context, turnId, run.signal)) return {state};
  const verdict = await judgeEnd(context.endJudges, {text: state.text, turnId, rejected: state.rejected}, run.signal);
  // Without judges, the answer is complete, even if the run was cancelled just after it.
  if (context.endJudges.length > 0 && run.signal.aborted) return {state, end: aborted(context, run)};
  if (verdict.feedback === undefined) {
    const isUnproven = verdict.outcome === 'success' && context.known?.isProven() !== true;
    return {state, end: (isUnproven ? replyEnd(received.reply) : undefined) ?? verdict};
  }
  addUserMessage(context, turnId, {text: verdict.feedback, origin: 'harness'});
  return {state: {...state, rejected: verdict.rejected}};
}

function askAgain(context: TurnContext, turnId: string, {before, again}: {before: LoopState; again: AskAgain}): Step {
  context.emit(harness(again.note.event, again.note.message));
  if (again.tell !== undefined) addUserMessage(context, turnId, {text: again.tell, origin: 'harness'});
  return {state: {...before, faults: again.faults}};
}

interface LoopState {
  readonly denied: readonly string[];
  readonly text: string;
  readonly rejected: Rejections;
  readonly faults: Faults;
}

const NEW_TURN: LoopState = {denied: [], text: '', rejected: new Map(), faults: NO_FAULTS};

type Ended = Omit<TurnResult, 'spent'>;

function ended(state: LoopState, {outcome, message, hint}: TurnEnd, known?: KnownAtEnd): Ended {
  const isDenied = outcome === 'success' && state.denied.length > 0 && known?.isProven() !== true;
  return {
    outcome: isDenied ? 'denied' : outcome,
    text: state.text,
    message: isDenied ? deniedMessage(state.denied) : message,
    hint: isDenied ? deniedHint(known?.remedies() ?? []) : hint,
    denied: state.denied,
  };
}

function deniedMessage(denied: readonly string[]): string {
  return `${denied.length === 1 ? 'A call was' : `${denied.length} calls were`} denied: ${[...new Set(denied)].join(', ')}.`;
}

const MAX_REMEDIES = 5;

function deniedHint(remedies: readonly string[]): string {
  const lines = [...new Set(remedies)];
  const more = lines.length - MAX_REMEDIES;
  return [
    ...lines.slice(0, MAX_REMEDIES),
    ...(more > 0 ? [`… and ${more} more`] : []),
    'The answer is above, but something it needed was not allowed. `fettle permissions check` explains a decision.',
  ].join('\n  ');
}

function failed(failure: ModelFailure, context: TurnContext, run: RunState): TurnEnd {
  if (run.signal.aborted) return aborted(context, run);
  return {outcome: 'provider_error', message: failure.message, hint: failure.hint};
}

function aborted({meter}: TurnContext, run: RunState): TurnEnd {
  return run.timeUp.aborted ? timeExcess(meter.limits.maxTimeMs ?? 0) : {outcome: 'cancelled', message: 'Cancelled.'};
}

/** Puts all waiting steering inputs into the conversation; true if at least one was accepted. */
async function takeSteering(context: TurnContext, turnId: string, signal: AbortSignal): Promise<boolean> {
  let taken = false;
  for (let input = context.queue.take('steer'); input !== undefined; input = context.queue.take('steer')) {
    const refused = await admit(context, {turnId, input}, signal);
    if (refused === undefined) taken = true;
    else context.emit(harness('input_refused', `An input was refused: ${refused}`));
  }
  return taken;
}

/** Adds a message of a person to the conversation, after the messages that belong before it; or returns the reason why it cannot be added. */
async function admit(
  context: TurnContext,
  {turnId, input}: {turnId: string; input: {readonly text: string} | QueuedInput},
  signal: AbortSignal,
): Promise<string | undefined> {
  const verdict = await context.judgePrompt?.({text: input.text, turnId}, signal);
  const refused = verdict !== undefined && 'refused' in verdict ? verdict.refused : undefined;
  if (verdict !== undefined && 'context' in verdict) {
    for (const text of verdict.context) addUserMessage(context, turnId, {text, origin: 'harness'});
  }
  // A waiting input is marked as applied in any case: it must not come again when the session goes on.
  if ('id' in input) apply(context, turnId, refused === undefined ? input : {...input, text: '[An input was refused by a hook.]'});
  else if (refused === undefined) addUserMessage(context, turnId, input);
  return refused;
}

function refusedEnd(reason: string): TurnEnd {
  return {outcome: 'denied', message: `The prompt was refused: ${reason}`, hint: 'Nothing of it went to the model.'};
}

/** The message itself marks the input as applied: a crash before it loses nothing, a crash after it repeats nothing. */
function apply(context: TurnContext, turnId: string, {id, kind, text}: QueuedInput): void {
  context.emit({type: 'interjected', turn_id: turnId, source: kind, input_id: id});
  addUserMessage(context, turnId, {text, input_id: id});
}

function addUserMessage(context: TurnContext, turnId: string, message: {text: string; origin?: 'harness'; input_id?: string}): void {
  context.emit({type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'user_message', ...message}});
}

const LOOP_HINT = 'The model sent the same call again and again. Say more about the task, or try another model.';
