import type {JsonObject} from '../../base/json.ts';
import type {StopReason, WireFormat} from '../../protocol/messages.ts';
import type {Usage} from '../../protocol/usage.ts';
import type {ReceivedRequest, ScriptedReply} from '../scenario.ts';

/** The server's side of one wire format. */
export interface ServerWire {
  readonly format: WireFormat;
  /** Lists violations of the format in this request, each with its place; empty if there are none. */
  problems(request: ReceivedRequest): readonly string[];
  /** The whole reply as the text of server-sent events. */
  events(reply: ServedReply, request: ReceivedRequest): readonly string[];
  /** The complete answer to a request whose path asks for one without streaming; absent: no such path. */
  whole?(reply: ServedReply, request: ReceivedRequest): JsonObject | undefined;
  /** The body of an error answer. */
  error(status: number, message: string): JsonObject;
}

/** An event of the two formats that name their events. */
export interface NamedEvent extends JsonObject {
  readonly type: string;
}

/** A scripted reply with everything decided that the script leaves open. */
export interface ServedReply {
  /** Number of the request, from 1: makes ids unique. */
  readonly serial: number;
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly {readonly name: string; readonly arguments: string; readonly id: string | undefined}[];
  readonly usage: Usage;
  readonly stop: StopReason;
  readonly logprobs: readonly number[];
}

export function toServedReply(reply: ScriptedReply, serial: number): ServedReply {
  const toolCalls = (reply.toolCalls ?? []).map((call) => ({
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
    id: call.id,
  }));
  return {
    serial,
    text: reply.text ?? '',
    reasoning: reply.reasoning ?? '',
    toolCalls,
    usage: {...DEFAULT_USAGE, ...reply.usage},
    logprobs: reply.logprobs ?? [],
    stop: reply.stop ?? (toolCalls.length > 0 ? 'tool_calls' : 'end'),
  };
}

const DEFAULT_USAGE: Usage = {
  input_tokens: 100,
  cached_input_tokens: 0,
  cache_creation_tokens: 0,
  output_tokens: 20,
  reasoning_tokens: 0,
};

/** Text in the pieces in which models send it: words with the space before them. */
export function pieces(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?=\s\S)/);
}

/** The same pieces as tokens, each with its log probability; the last one takes the rest. */
export function tokens(
  text: string,
  logprobs: readonly number[],
): readonly {readonly text: string; readonly logprobs: readonly JsonObject[]}[] {
  const all = pieces(text);
  return all.map((piece, index) => ({
    text: piece,
    logprobs: logprobs.slice(index, index === all.length - 1 ? undefined : index + 1).map((logprob) => tokenOf(piece, logprob)),
  }));
}

/** In the form of the two OpenAI formats. */
function tokenOf(token: string, logprob: number): JsonObject {
  return {token, logprob, bytes: [...Buffer.from(token)], top_logprobs: []};
}

/** Real servers name a time; here it is always the same. */
export const CREATED_AT = 1_790_000_000;
