import type {ErrorCode} from '../base/errors.ts';
import type {Json} from '../base/json.ts';
import type {AssistantMessage, Message, StopReason, ToolSchema} from '../protocol/messages.ts';
import type {Usage} from '../protocol/usage.ts';

/** One source of model replies. `stream` never throws and never rejects: an error is the last event. */
export interface Provider {
  /** As the person names it, `provider/model`: for events and prices. */
  readonly model: string;
  /** The number of input tokens from which on the provider itself can shorten a conversation; absent: it does not offer that. */
  readonly compactsFrom?: number | undefined;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly maxOutputTokens?: number | undefined;
  /** Same text for all requests of a thread; providers that key their prompt cache by a string get it. */
  readonly cacheKey?: string | undefined;
  /** JSON Schema that the final answer must fit. */
  readonly outputSchema?: Json | undefined;
  /** True: requests the log probability of each token, if the format has them. */
  readonly logprobs?: boolean | undefined;
  /** How freely tokens are drawn, from 0 (always the likeliest) on; absent: nothing is sent, and the server has its default. */
  readonly temperature?: number | undefined;
  /** The conversation is to be shortened, not answered; only where `compactsFrom` says that the provider can. */
  readonly compaction?: CompactionRequest | undefined;
}

/** The request to a provider to shorten a conversation. */
export interface CompactionRequest {
  /** The form that a readable summary should have. */
  readonly instructions: string;
  /** Wishes of the person about what to keep. */
  readonly wish?: string | undefined;
}

/** A provider's compaction of a conversation: a text, or messages of its own that go unchanged before later messages. */
export type Compacted = {readonly summary: string} | {readonly window: AssistantMessage};

/** Deltas while a reply arrives; then exactly one `done` or `error`, always last. */
export type ModelEvent =
  | {readonly type: 'text'; readonly delta: string}
  | {readonly type: 'reasoning'; readonly delta: string}
  | {readonly type: 'tool_call'; readonly index: number; readonly id: string; readonly name: string}
  | {readonly type: 'tool_arguments'; readonly index: number; readonly delta: string}
  | {readonly type: 'stall'; readonly silentMs: number}
  /** Earlier events of this request are void: it is sent again after `delayMs`. `paid`: usage of the failed attempt. */
  | {readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly reason: string; readonly paid?: Paid | undefined}
  | {readonly type: 'done'; readonly reply: ModelReply}
  | {readonly type: 'error'; readonly failure: ModelFailure};

export interface ModelReply {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** US dollars; null if no price is known. */
  readonly costUsd: number | null;
  readonly retries: number;
  /** Log probabilities of the tokens that the server reported, in order: natural logarithms. Absent: not requested, or none reported. */
  readonly logprobs?: readonly number[] | undefined;
  /** The temperature with which the reply was made, if the request named one and the server took it. */
  readonly temperature?: number | undefined;
  /** Set if the provider has shortened the conversation. */
  readonly compacted?: Compacted | undefined;
}

/** Usage of a failed attempt: a model that had begun to answer is paid for, even if its answer is lost. */
export interface Paid {
  readonly usage: Usage;
  /** US dollars; null if no price is known. */
  readonly costUsd: number | null;
}

/** Returns the usage of a failed attempt that an event reports; undefined if it is not paid for. */
export function paidFor(event: ModelEvent): Paid | undefined {
  if (event.type === 'retry') return event.paid;
  return event.type === 'error' ? event.failure.paid : undefined;
}

export interface ModelFailure {
  readonly code: Extract<ErrorCode, 'AUTH' | 'PROVIDER' | 'BAD_ARGS' | 'CANCELLED' | 'CONFIG' | 'TIMEOUT' | 'TOO_LARGE'>;
  readonly message: string;
  readonly hint?: string | undefined;
  /** HTTP status, if one was received. */
  readonly status?: number | undefined;
  /** Context window of the model, if the server named it when it refused the request as too long. */
  readonly windowTokens?: number | undefined;
  /** Usage of the last attempt; the `retry` events report that of earlier ones. */
  readonly paid?: Paid | undefined;
  readonly retries: number;
}
