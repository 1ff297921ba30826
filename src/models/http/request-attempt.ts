import {FettleError} from '../../base/errors.ts';
import {onAbort} from '../../base/waiting/on-abort.ts';
import type {Clock} from './clock.ts';
import type {HttpClient, HttpHead} from './http-client.ts';
import {thrownProblem, type Peer, type Problem} from './provider-problem.ts';
import {NO_USAGE, type Usage} from '../../protocol/usage.ts';
import type {ModelEvent} from '../provider.ts';
import {withStallTimeout, type StallLimits} from './stall-timeout.ts';
import {readEventStream, type EventReader} from './sse.ts';
import type {DecodedReply, WireDecoder, WireEvent} from '../wire.ts';

/** One request, ready to be sent as often as needed. */
export interface Exchange {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces. */
  readonly body: readonly Uint8Array[];
  readonly newDecoder: () => WireDecoder;
  readonly limits: StallLimits;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly peer: Peer;
}

/** An error answer is read up to here. */
const MAX_ERROR_BYTES = 64 * 1024;
/** Larger than any reply of a model; an endless stream must not fill the memory. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

export type Attempt = {readonly reply: DecodedReply} | FailedAttempt;

/** `usage` is set if the model had begun to answer. */
export type FailedAttempt = Problem & {readonly usage: Usage | undefined};

/** Sends the request once. Passes on what arrives; returns the reply, or the error. Never throws; the socket is closed unless the answer ended. */
export async function* attemptOnce(exchange: Exchange, signal: AbortSignal): AsyncGenerator<ModelEvent, Attempt> {
  const state: State = {decoder: exchange.newDecoder(), head: undefined, reader: undefined, bytes: 0, events: 0, chars: 0, refusal: []};
  const outcome = yield* settle(exchange, state, signal);
  return 'reply' in outcome ? outcome : {...outcome, usage: usedBy(exchange, state)};
}

/** The usage of an attempt that failed: as reported by the server, or otherwise an estimate from the data sent and received. */
function usedBy({body}: Exchange, {decoder, chars}: State): Usage | undefined {
  const said = decoder.usage();
  if (chars === 0 && said === undefined) return undefined;
  const heard = said ?? NO_USAGE;
  const output = Math.max(heard.output_tokens, Math.ceil(chars / CHARS_PER_TOKEN));
  return {...heard, input_tokens: heard.input_tokens || Math.ceil(bytesOf(body) / CHARS_PER_TOKEN), output_tokens: output};
}

const CHARS_PER_TOKEN = 4;

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, {length}) => sum + length, 0);
}

async function* settle(exchange: Exchange, state: State, signal: AbortSignal): AsyncGenerator<ModelEvent, {reply: DecodedReply} | Problem> {
  const {peer, clock} = exchange;
  const connection = new AbortController();
  const leave = onAbort(signal, () => connection.abort());
  let isOver = false;
  try {
    isOver = yield* receive(exchange, connection.signal, state);
    if (state.head !== undefined && !isSuccess(state.head))
      return (await loadRefusals()).errorResponseProblem({...state.head, body: errorText(state)}, peer, clock.now());
    if (isHtml(state.head)) return htmlProblem(peer, state.head?.status);
    return await conclude(state, peer);
  } catch (thrown) {
    // A connection that broke after the last event of the reply has done its work.
    const decoded = signal.aborted ? undefined : state.decoder.finish();
    return decoded?.ok === true ? {reply: decoded} : thrownProblem(thrown, peer);
  } finally {
    leave();
    if (!isOver) connection.abort();
  }
}

interface State {
  readonly decoder: WireDecoder;
  head: HttpHead | undefined;
  reader: EventReader | undefined;
  bytes: number;
  /** The number of events received. */
  events: number;
  /** The number of characters of the reply received. */
  chars: number;
  readonly refusal: Uint8Array[];
}

/** Returns true where the answer was read to its end. */
async function* receive(exchange: Exchange, signal: AbortSignal, state: State): AsyncGenerator<ModelEvent, boolean> {
  const {limits, clock, http} = exchange;
  const source = http.post({url: exchange.url, headers: exchange.headers, body: exchange.body, signal});
  const limitMs = (): number => (state.bytes === 0 ? limits.firstByteMs : limits.betweenEventsMs);
  for await (const step of withStallTimeout(source, {limitMs, noticeMs: limits.stallNoticeMs, timers: clock})) {
    if ('silentMs' in step) yield {type: 'stall', silentMs: step.silentMs};
    else if (!(step.item instanceof Uint8Array)) begin(state, step.item);
    else yield* take(state, step.item);
    if (state.reader === undefined && state.bytes > MAX_ERROR_BYTES) return false;
    if (state.bytes > MAX_REPLY_BYTES)
      throw new FettleError({code: 'TOO_LARGE', message: `The reply is longer than ${MAX_REPLY_BYTES} bytes.`});
  }
  yield* decode(state, state.reader?.end());
  return true;
}

function* take(state: State, bytes: Uint8Array): Generator<ModelEvent> {
  state.bytes += bytes.byteLength;
  if (state.reader === undefined) state.refusal.push(bytes);
  yield* decode(state, state.reader?.push(bytes));
}

function* decode(state: State, events: readonly WireEvent[] = []): Generator<ModelEvent> {
  for (const event of events) {
    state.events += 1;
    for (const shown of state.decoder.push(event)) {
      state.chars += 'delta' in shown ? shown.delta.length : shown.name.length;
      yield shown;
    }
  }
}

function begin(state: State, head: HttpHead): void {
  state.head = head;
  if (!isSuccess(head) || isHtml(head)) return;
  state.reader = readEventStream();
}

function isSuccess({status}: HttpHead): boolean {
  return status >= 200 && status < 300;
}

function isHtml(head: HttpHead | undefined): boolean {
  return /^text\/html\b/i.test(head?.headers['content-type'] ?? '');
}

function htmlProblem(peer: Peer, status: number | undefined): Problem {
  const message = `${peer.provider} answered with a web page, not with a reply.`;
  return {
    failure: {code: 'PROVIDER', message, hint: `Is the base URL ${peer.baseUrl} right? Is there a sign-in page in between?`, status},
    retryable: false,
  };
}

function errorText({refusal}: State): string {
  return Buffer.concat(refusal).subarray(0, MAX_ERROR_BYTES).toString('utf8');
}

async function conclude({decoder, events}: State, peer: Peer): Promise<{reply: DecodedReply} | Problem> {
  const decoded = decoder.finish();
  return decoded.ok ? {reply: decoded} : (await loadRefusals()).undecodable(decoded, peer, events === 0);
}

/** The wordings of all servers: a request that is answered needs none of them. */
const loadRefusals = async () => await import('./error-response.ts');
