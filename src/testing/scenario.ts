import type {Json, JsonObject} from '../base/json.ts';
import type {StopReason, WireFormat} from '../protocol/messages.ts';
import type {Usage} from '../protocol/usage.ts';

/** The answers of a model server: one step for each valid request, in order of arrival. */
export type ModelScript = readonly ScriptedStep[];

/** An answer, or a function that makes one from the request. An exception becomes a violation, so it may assert. */
export type ScriptedStep = ScriptedAnswer | ((request: ReceivedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>);

export type ScriptedAnswer = ScriptedReply | ScriptedStatus | ScriptedGarbage;

/** A reply of the model, streamed as the real server of the format streams it. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Tokens; defaults are 100 read and 20 written, nothing cached. */
  readonly usage?: Partial<Usage>;
  /** `tool_calls` if there are calls, else `end`. */
  readonly stop?: StopReason;
  /** Log probabilities, sent on request: one for each piece of the text, the rest with the last. Anthropic's format has none. */
  readonly logprobs?: readonly number[];
  /** True: the connection is cut in the middle of the stream. */
  readonly halfStream?: boolean;
  /** The stream falls silent after this many events, until `release()`. */
  readonly stallAfter?: number;
  /** The stream is written in pieces of this many bytes; they split events, lines and characters. */
  readonly chunkBytes?: number;
}

export interface ScriptedToolCall {
  readonly name: string;
  /** A value, or the raw text of a model that writes broken JSON. */
  readonly arguments?: JsonObject | string;
  /** Made by the server if it is missing; the Gemini format then sends none. */
  readonly id?: string;
}

/** An HTTP error. Without a body the server answers in the error shape of the format. */
export interface ScriptedStatus {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream with status 200 and this text as its whole body. */
export interface ScriptedGarbage {
  readonly garbage: string;
}

export interface ReceivedRequest {
  readonly format: WireFormat;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: JsonObject;
}
