import type {JsonObject} from '../base/json.ts';
import type {AssistantMessage, StopReason, WireFormat} from '../protocol/messages.ts';
import type {Usage} from '../protocol/usage.ts';
import type {Compacted, ModelEvent, ModelRequest} from './provider.ts';

/** One wire format as a pure translation: no network, no clock. `http-provider.ts` sends, retries and watches. */
export interface Wire {
  readonly format: WireFormat;
  /** `model` is the provider's own name of the model. */
  encode(request: ModelRequest, model: string): WireRequest;
  /** Number of tokens from which a model of this format shortens conversations itself; absent, or undefined: it does not. */
  compactsFrom?(model: string): number | undefined;
  /** A new decoder for one reply. */
  decoder(): WireDecoder;
}

export interface WireRequest {
  /** Appended to the base URL, with its query. */
  readonly path: string;
  /** Headers of the format itself, without the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** One server-sent event: `data` is text, as received. */
export interface WireEvent {
  readonly event: string | undefined;
  readonly data: string;
}

export interface WireDecoder {
  /** Takes the next event of the stream; returns events that hosts may show at once. */
  push(event: WireEvent): readonly Extract<ModelEvent, {type: 'text' | 'reasoning' | 'tool_call' | 'tool_arguments'}>[];
  /** The usage that the server has reported so far, also of a stream that broke off; undefined: it has said nothing of a reply yet. */
  usage(): Usage | undefined;
  /** After the last event. A stream that broke off, or said an error, is a failure. */
  finish(): DecodedReply | DecodeFailure;
}

export interface DecodedReply {
  readonly ok: true;
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** Cost of the request in US dollars, as reported by the server. */
  readonly costUsd?: number;
  /** As in `ModelReply`, even if not requested. */
  readonly logprobs?: readonly number[];
  readonly compacted?: Compacted | undefined;
}

export interface DecodeFailure {
  readonly ok: false;
  readonly message: string;
  /** True if sending the same request again can help: a broken stream, an overloaded server. */
  readonly retryable: boolean;
}
