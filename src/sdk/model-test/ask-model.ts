import {addSpending, NOTHING_SPENT, spentOn, type Spending} from '../../agent/budget.ts';
import {FettleError} from '../../base/errors.ts';
import {paidFor, type ModelEvent, type ModelFailure, type ModelReply, type ModelRequest, type Provider} from '../../models/provider.ts';
import type {Speed} from './model-report.ts';

/** One request and its outcome. */
export interface ModelExchange {
  readonly outcome: {readonly reply: ModelReply} | {readonly failure: ModelFailure};
  /** From sending to the first piece of the reply, and from there to its end. Milliseconds; absent if nothing came. */
  readonly firstMs?: number;
  readonly writingMs?: number;
  /** Includes attempts that failed. */
  readonly spent: Spending;
}

export interface Asked {
  readonly provider: Provider;
  /** Called with a line when a request has to wait or an attempt failed. */
  readonly tell: (line: string) => void;
}

/** Sends one request and times it. Throws only CANCELLED. */
export async function askModel({provider, tell}: Asked, request: ModelRequest, signal: AbortSignal): Promise<ModelExchange> {
  let [began, first]: [number, number | undefined] = [performance.now(), undefined];
  let spent = NOTHING_SPENT;
  let outcome: ModelExchange['outcome'] = {failure: {code: 'PROVIDER', message: 'The provider ended without an answer.', retries: 0}};
  for await (const event of provider.stream(request, signal)) {
    spent = addSpending(spent, spentIn(event));
    const waits = waitWords(event);
    if (waits !== undefined) tell(waits);
    if (event.type === 'retry') [began, first] = [performance.now() + event.delayMs, undefined];
    if (PIECES.has(event.type)) first ??= performance.now();
    outcome = outcomeOf(event) ?? outcome;
  }
  if ('failure' in outcome && outcome.failure.code === 'CANCELLED') throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  if (first === undefined) return {outcome, spent};
  return {outcome, spent, firstMs: first - began, writingMs: performance.now() - first};
}

function spentIn(event: ModelEvent): Spending {
  const paid = event.type === 'done' ? event.reply : paidFor(event);
  return paid === undefined ? NOTHING_SPENT : spentOn(paid);
}

function outcomeOf(event: ModelEvent): ModelExchange['outcome'] | undefined {
  if (event.type === 'done') return {reply: event.reply};
  return event.type === 'error' ? {failure: event.failure} : undefined;
}

function waitWords(event: ModelEvent): string | undefined {
  if (event.type === 'stall') return `Nothing from the model for ${Math.round(event.silentMs / 1000)} s.`;
  return event.type === 'retry' ? `${event.reason} Trying again in ${(event.delayMs / 1000).toFixed(1)} s.` : undefined;
}

const PIECES: ReadonlySet<ModelEvent['type']> = new Set<ModelEvent['type']>(['text', 'reasoning', 'tool_call', 'tool_arguments']);

/** Returns how fast a model is. A reply that arrives in one piece, as some servers send calls, does not show how fast it was written. */
export function speedOf(exchanges: readonly ModelExchange[]): Speed {
  const timed = exchanges.flatMap(({outcome, writingMs = 0}) =>
    'reply' in outcome && writingMs >= SHORTEST_MS ? [{ms: writingMs, tokens: outcome.reply.usage.output_tokens}] : [],
  );
  const tokens = timed.reduce((sum, one) => sum + one.tokens, 0);
  const ms = timed.reduce((sum, one) => sum + one.ms, 0);
  const firstMs = exchanges[0]?.firstMs;
  return {
    firstTokenS: firstMs === undefined ? undefined : rounded(firstMs / 1000, 100),
    tokensPerS: tokens === 0 ? undefined : rounded((tokens * 1000) / ms, 10),
  };
}

const SHORTEST_MS = 50;

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
