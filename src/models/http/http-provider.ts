import {createBodyWriter, type BodyWriter} from './body-bytes.ts';
import {pause, systemClock, type Clock} from './clock.ts';
import {costUsd, type Prices} from '../cost.ts';
import type {HttpClient} from './http-client.ts';
import {attemptOnce, type Exchange, type FailedAttempt} from './request-attempt.ts';
import {keyHint, thrownProblem, type Peer, type Problem} from './provider-problem.ts';
import type {ModelEvent, ModelFailure, ModelReply, ModelRequest, Paid, Provider} from '../provider.ts';
import {backoffMs} from './retry-delay.ts';
import type {StallLimits} from './stall-timeout.ts';
import {withUniqueCalls} from '../unique-calls.ts';
import type {DecodedReply, Wire} from '../wire.ts';

export interface HttpProviderOptions {
  /** `provider/model`, as the person names it. */
  readonly model: string;
  /** The provider's own name of the model. */
  readonly wireModel: string;
  readonly wire: Wire;
  /** The path of the wire format is appended. */
  readonly baseUrl: string;
  readonly auth: Auth;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly limits: ProviderLimits;
  readonly prices?: Prices | undefined;
  /** True: each request asks for log probabilities, and replies have them. */
  readonly logprobs?: boolean | undefined;
  /** Sent with each request until the server refuses it: reasoning models take none. */
  readonly temperature?: number | undefined;
  readonly http: HttpClient;
  readonly clock?: Clock;
  /** From 0 to below 1, for the jitter of the waiting times. */
  readonly random?: () => number;
}

export interface Auth {
  readonly header: 'authorization' | 'x-api-key' | 'x-goog-api-key';
  readonly key: string | undefined;
  /** The environment variable that holds the key; without one no key is needed. */
  readonly keyVariable: string | undefined;
}

export interface ProviderLimits extends StallLimits {
  /** The number of times that a failed request is sent again. */
  readonly retries: number;
}

/** A longer wait than this is not worth waiting for: the request fails and says the time. */
const LONGEST_WAIT_MS = 60_000;

/**
 * A model behind HTTP. Sends, watches and retries: 408, 409, 429, 5xx, connections that fail or break, streams that stall or end too early.
 * The key is in one header and nowhere else, not even in quoted messages of servers.
 */
export function createHttpProvider(options: HttpProviderOptions): Provider {
  const {model, auth, limits, prices, clock = systemClock, random = Math.random} = options;
  const peer = peerOf(options);
  const write = createBodyWriter();
  let {temperature} = options;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (isKeyMissing(auth)) return yield failed(missingKey(peer), 0);
    for (let retries = 0; ; retries++) {
      const sent = request.compaction === undefined ? temperature : undefined;
      const exchange = prepare(options, {...request, temperature: sent}, {peer, write});
      if ('failure' in exchange) return yield failed(exchange.failure, retries);
      const outcome = yield* attemptOnce(exchange, signal);
      const paid = paidWith('reply' in outcome ? outcome.reply : outcome);
      if (signal.aborted) return yield failed({...CANCELLED, paid}, retries);
      if ('reply' in outcome) return yield {type: 'done', reply: replyOf(outcome.reply, {retries, sent})};
      if (isRefused(outcome, sent)) temperature = undefined;
      const next = afterProblem(outcome, {sent, delayMs: outcome.askedMs ?? backoffMs(retries, random), isLast: retries >= limits.retries});
      if ('code' in next) return yield failed({...next, paid}, retries);
      yield {type: 'retry', attempt: retries + 1, ...next, paid};
      await pause(next.delayMs, signal, clock);
      if (signal.aborted) return yield failed(CANCELLED, retries);
    }
  }

  const paidWith = ({usage, ...said}: FailedAttempt | DecodedReply): Paid | undefined => {
    if (usage === undefined) return undefined;
    return {usage, costUsd: ('costUsd' in said ? said.costUsd : undefined) ?? costUsd(usage, prices)};
  };

  const replyOf = (
    {message, stopReason, usage, costUsd: charged, compacted, logprobs}: DecodedReply,
    {retries, sent}: Sent,
  ): ModelReply => ({
    message: withUniqueCalls(message),
    stopReason,
    usage,
    costUsd: charged ?? costUsd(usage, prices),
    retries,
    // Some servers send them unasked.
    ...(logprobs === undefined || options.logprobs !== true ? {} : {logprobs}),
    ...(sent === undefined ? {} : {temperature: sent}),
    ...(compacted === undefined ? {} : {compacted}),
  });
  return {model, compactsFrom: options.wire.compactsFrom?.(options.wireModel), stream};
}

type Failure = Omit<ModelFailure, 'retries'>;

const CANCELLED: Failure = {code: 'CANCELLED', message: 'Cancelled.'};

function failed(failure: Failure, retries: number): ModelEvent {
  return {type: 'error', failure: {...failure, retries}};
}

function isKeyMissing({keyVariable, key}: Auth): boolean {
  return keyVariable !== undefined && key === undefined;
}

/** How an answered request was sent. */
interface Sent {
  readonly retries: number;
  /** Its temperature, if it had one. */
  readonly sent: number | undefined;
}

interface Resending {
  readonly sent: number | undefined;
  readonly delayMs: number;
  readonly isLast: boolean;
}

/** Returns the failure that ends the request, or how it is sent again: without its temperature at once, for other reasons after a while. */
function afterProblem(problem: Problem, {sent, delayMs, isLast}: Resending): Failure | {readonly delayMs: number; readonly reason: string} {
  const {failure, retryable, askedMs} = problem;
  if (isRefused(problem, sent)) return {delayMs: 0, reason: withoutTemperature(failure.message)};
  if (!retryable) return failure;
  if (askedMs !== undefined && delayMs > LONGEST_WAIT_MS) {
    return {...failure, hint: `The server asks to wait ${Math.ceil(delayMs / 1000)} s; try again after that, or use another model.`};
  }
  return isLast ? failure : {delayMs, reason: failure.message};
}

function isRefused({refusesTemperature}: Problem, sent: number | undefined): boolean {
  return sent !== undefined && refusesTemperature === true;
}

function withoutTemperature(message: string): string {
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} No temperature is sent from now on.`;
}

function missingKey(peer: Peer): Failure {
  return {code: 'AUTH', message: `No key for ${peer.provider}: ${peer.keyVariable ?? 'its variable'} is not set.`, hint: keyHint(peer)};
}

function peerOf({model, wireModel, baseUrl, auth}: HttpProviderOptions): Peer {
  return {
    provider: model.split('/', 1)[0] ?? model,
    wireModel,
    baseUrl: baseUrl.replace(/\/\/[^/@]*@/, '//'), // a name and password in the address are secrets
    key: auth.key,
    keyVariable: auth.keyVariable,
  };
}

/** Everything that the attempts of one request share. A request that cannot be encoded or addressed fails without an attempt. */
function prepare(
  options: HttpProviderOptions,
  request: ModelRequest,
  {peer, write}: {readonly peer: Peer; readonly write: BodyWriter},
): Exchange | Problem {
  const {wire, wireModel, baseUrl, auth, headers, limits, http, clock = systemClock} = options;
  try {
    const {path, headers: wireHeaders, body} = wire.encode(options.logprobs === true ? {...request, logprobs: true} : request, wireModel);
    return {
      url: new URL(baseUrl.replace(/\/+$/, '') + path),
      headers: {...wireHeaders, ...authHeader(auth), ...headers},
      body: write(body),
      newDecoder: () => wire.decoder(),
      limits,
      http,
      clock,
      peer,
    };
  } catch (thrown) {
    return thrownProblem(thrown, peer);
  }
}

function authHeader({header, key}: Auth): Record<string, string> {
  if (key === undefined) return {};
  return {[header]: header === 'authorization' ? `Bearer ${key}` : key};
}
