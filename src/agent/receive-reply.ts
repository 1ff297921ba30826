import {newId} from '../base/ids.ts';
import {type ModelEvent, type ModelReply, type ModelRequest, type Paid, paidFor, type Provider} from '../models/provider.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {AssistantPart, ToolCallPart} from '../protocol/messages.ts';
import {isCutCall} from './replies/cut-reply.ts';
import {holdCallText, type HeldText} from './replies/hold-back-calls.ts';
import {streamWithRetries, type OpenAttempt} from './open-requests.ts';
import {createArrivedReply, type ArrivedReply} from './replies/interrupted-reply.ts';
import {readReply, textOf} from './replies/read-reply.ts';
import type {ReceivedReply, AnnouncedCall} from './replies/received-reply.ts';

export interface ReplyRequest {
  readonly provider: Provider;
  readonly request: ModelRequest;
  readonly turnId: string;
  readonly emit: (event: ThreadEvent) => void;
  readonly now: () => number;
  /** Called for each failed attempt that costs something. */
  readonly onPaid: (paid: Paid) => void;
  /** Present if a host can have the request sent again. */
  readonly openAttempt?: OpenAttempt | undefined;
}

/**
 * Sends one request and turns the reply into items: text and reasoning while they arrive, tool calls once the
 * reply is complete. Calls written as text are treated as calls if they can be recognized. The order of the
 * items is the order of the parts; `request.completed` is the last event of a reply.
 */
export async function receiveReply(options: ReplyRequest, signal: AbortSignal): Promise<ReceivedReply> {
  const {provider, request, turnId, emit, now} = options;
  const requestId = newId('req');
  const began = now();
  const begin = (): Shown => ({
    open: createOpenItems(turnId, requestId, emit),
    held: holdCallText(provider.model, request.tools),
    arrived: createArrivedReply(),
    emit,
  });
  let shown = begin();
  for await (const event of streamWithRetries(options, signal)) {
    const paid = paidFor(event);
    if (paid !== undefined) payFor(paid, {options, requestId, event, received: shown.arrived.interrupted()});
    if (event.type === 'error') return {ok: false, failure: event.failure};
    if (event.type === 'done') {
      const {parts, received, hasUnclearCall} = readReply(event.reply, request, provider.model);
      if (received === undefined) showText(shown, shown.held.rest());
      else emit(callsInText(turnId, received));
      const calls = parts.flatMap((part) => shown.open.complete(part, event.reply));
      emit(requestCompleted({options, requestId, reply: event.reply, durationMs: now() - began}));
      return {ok: true, reply: event.reply, text: received === undefined ? textOf(parts) : '', calls, hasUnclearCall};
    }
    // Items that a retry voids are emitted again under new ids.
    if (event.type === 'retry') shown = begin();
    shown.arrived.take(event);
    showProgress(event, shown);
  }
  return {ok: false, failure: {code: 'PROVIDER', message: 'The provider ended without an answer.', retries: 0}};
}

/** The part of the arriving reply that hosts have been shown. */
interface Shown {
  readonly open: OpenItems;
  readonly held: HeldText;
  readonly arrived: ArrivedReply;
  readonly emit: ReplyRequest['emit'];
}

interface FailedAttempt {
  readonly options: ReplyRequest;
  readonly requestId: string;
  readonly event: ModelEvent;
  readonly received: string | undefined;
}

/** Counts a failed attempt like a request; the log keeps the part of the reply that arrived. */
function payFor({usage, costUsd}: Paid, {options, requestId, event, received}: FailedAttempt): void {
  const {turnId, provider, emit, onPaid} = options;
  const message = event.type === 'retry' ? event.reason : event.type === 'error' ? event.failure.message : '';
  const failed = {turn_id: turnId, request_id: requestId, model: provider.model, message, usage, cost_usd: costUsd};
  emit({type: 'request.failed', ...failed, ...(received === undefined ? {} : {received})});
  onPaid({usage, costUsd});
}

type Progress = Exclude<ModelEvent, {type: 'done' | 'error'}>;

function showText({open}: Shown, delta: string): void {
  if (delta !== '') open.delta('agent_message', delta);
}

function showProgress(event: Progress, shown: Shown): void {
  const {open, held, emit} = shown;
  switch (event.type) {
    case 'text':
      showText(shown, held.push(event.delta));
      break;
    case 'reasoning':
      open.delta('reasoning', event.delta);
      break;
    case 'stall':
      emit(harness('model_stalled', `Nothing from the model for ${Math.round(event.silentMs / 1000)} s.`));
      break;
    case 'retry':
      emit(harness('model_retry', `${sentence(event.reason)} Trying again ${whenRetried(event)}.`));
      break;
    case 'tool_call':
    case 'tool_arguments':
      // Calls are shown when their arguments are complete.
      break;
  }
}

/** Adds a full stop if an error text of a server or the system lacks one. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function whenRetried({delayMs, attempt}: Extract<ModelEvent, {type: 'retry'}>): string {
  return delayMs === 0 ? 'now' : `in ${(delayMs / 1000).toFixed(1)} s (attempt ${attempt})`;
}

interface OpenItems {
  delta(type: 'agent_message' | 'reasoning', delta: string): void;
  /** Emits the events of one finished part of a reply; returns the call if the part is one. */
  complete(part: AssistantPart, reply: ModelReply): AnnouncedCall[];
}

/** Tracks the items that a reply has opened so far. Parts of the finished reply take over the ids of the open items of their type, in order. */
function createOpenItems(turnId: string, requestId: string, emit: ReplyRequest['emit']): OpenItems {
  const opened = {agent_message: [] as string[], reasoning: [] as string[]};
  let current: {type: string; id: string} | undefined;
  const complete = (type: 'agent_message' | 'reasoning', part: Extract<AssistantPart, {type: 'text' | 'reasoning'}>): void => {
    if (part.text === '' && part.native === undefined) return;
    const id = opened[type].shift() ?? newId('itm');
    emit({type: 'item.completed', turn_id: turnId, item: {id, request_id: requestId, type, text: part.text, native: part.native}});
  };
  return {
    delta(type, delta) {
      if (current?.type !== type) {
        current = {type, id: newId('itm')};
        opened[type].push(current.id);
        emit({type: 'item.started', turn_id: turnId, item: {id: current.id, request_id: requestId, type, text: ''}});
      }
      emit({type: 'item.updated', turn_id: turnId, item_id: current.id, item_type: type, delta});
    },
    complete(part, reply) {
      if (part.type !== 'tool_call') {
        complete(part.type === 'text' ? 'agent_message' : 'reasoning', part);
        return [];
      }
      const itemId = newId('itm');
      emit({type: 'item.started', turn_id: turnId, item: invocation(itemId, requestId, part)});
      return [{itemId, requestId, call: part, isCut: isCutCall(part, reply)}];
    },
  };
}

function invocation(id: string, requestId: string, call: ToolCallPart): Extract<ThreadEvent, {type: 'item.started'}>['item'] {
  return {
    id,
    request_id: requestId,
    type: 'tool_invocation',
    tool_name: call.name,
    tool_call_id: call.id,
    arguments: call.arguments,
    status: 'in_progress',
    native: call.native,
  };
}

interface Finished {
  readonly options: ReplyRequest;
  readonly requestId: string;
  readonly reply: ModelReply;
  readonly durationMs: number;
}

function requestCompleted({options, requestId, reply, durationMs}: Finished): ThreadEvent {
  return {
    type: 'request.completed',
    turn_id: options.turnId,
    request_id: requestId,
    model: options.provider.model,
    stop_reason: reply.stopReason,
    usage: reply.usage,
    cost_usd: reply.costUsd,
    duration_ms: durationMs,
    retries: reply.retries,
    ...(reply.logprobs === undefined ? {} : {logprobs: [...reply.logprobs]}),
    ...(reply.temperature === undefined ? {} : {temperature: reply.temperature}),
  };
}

/** The log keeps the original text of the model; the recognized calls follow as items. */
function callsInText(turnId: string, received: string): ThreadEvent {
  const message = 'The model wrote its tool call as text; it is run like any other.';
  return {type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'harness', event: 'call_in_text', message, received}};
}

export function harness(event: string, message: string): ThreadEvent {
  return {type: 'item.completed', item: {id: newId('itm'), type: 'harness', event, message}};
}
