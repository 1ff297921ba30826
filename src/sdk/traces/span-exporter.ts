import {toFettleError} from '../../base/errors.ts';
import type {Clock} from '../../models/http/clock.ts';
import type {HttpClient, HttpHead} from '../../models/http/http-client.ts';
import type {TraceSpan} from './span.ts';

export interface SpanExporterOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly encode: (spans: readonly TraceSpan[]) => string | Uint8Array;
}

export interface SpanExporter {
  /** Returns at once: spans are sent in the background, and dropped where too many wait. */
  add(span: TraceSpan): void;
  /** Sends the waiting spans, for at most `deadlineMs`. Returns a description of lost spans, or undefined if none was lost. */
  close(deadlineMs: number): Promise<string | undefined>;
}

/** The most spans that may wait; further ones are dropped. */
export const MAX_WAITING = 2048;
const BATCH = 256;
const INTERVAL_MS = 5000;
const REQUEST_MS = 10_000;

/**
 * Sends spans over OTLP. A receiver that is slow, silent, down or refusing costs the run nothing but memory for
 * {@link MAX_WAITING} spans: a batch that fails for a temporary reason (OTLP › Retryable Response Codes) is sent
 * again with the next one, all others are dropped.
 */
export function createSpanExporter(options: SpanExporterOptions): SpanExporter {
  const waiting: TraceSpan[] = [];
  const closing = new AbortController();
  let sending: Promise<boolean> | undefined;
  let cancelTimer: (() => void) | undefined;
  let lost = 0;
  let problem: string | undefined;

  /** Returns true if the receiver took the batch, or never will. */
  const sendBatch = async (signal: AbortSignal): Promise<boolean> => {
    const batch = waiting.splice(0, BATCH);
    const outcome = await post(options, batch, signal);
    problem = outcome.problem ?? problem;
    if (outcome.isPassing) {
      waiting.unshift(...batch);
      lost += Math.max(0, waiting.length - MAX_WAITING);
      waiting.splice(MAX_WAITING);
      return false;
    }
    if (outcome.problem !== undefined) lost += batch.length;
    return true;
  };
  const sendSoon = (ms: number): void => {
    cancelTimer ??= options.clock.after(ms, () => {
      cancelTimer = undefined;
      sending ??= sendBatch(closing.signal).finally(() => {
        sending = undefined;
        if (waiting.length > 0 && !closing.signal.aborted) sendSoon(INTERVAL_MS);
      });
    });
  };

  return {
    add(span) {
      if (waiting.length >= MAX_WAITING) {
        lost += 1;
        return;
      }
      waiting.push(span);
      if (sending === undefined) sendSoon(waiting.length >= BATCH ? 0 : INTERVAL_MS);
    },
    async close(deadlineMs) {
      cancelTimer?.();
      const cancelDeadline = options.clock.after(deadlineMs, () => closing.abort());
      await sending;
      while (waiting.length > 0 && !closing.signal.aborted && (await sendBatch(closing.signal))) continue;
      const isLate = closing.signal.aborted;
      cancelDeadline();
      cancelTimer?.();
      closing.abort();
      lost += waiting.length;
      const why = isLate ? 'no answer in time' : (problem ?? 'too many at once');
      return lost === 0 ? undefined : `${lost} spans were not delivered to ${options.url.host}: ${why}.`;
    },
  };
}

interface Outcome {
  /** undefined if the batch was delivered. */
  readonly problem: string | undefined;
  /** True for failures that are worth another try. */
  readonly isPassing: boolean;
}

async function post({url, headers, http, encode}: SpanExporterOptions, spans: readonly TraceSpan[], signal: AbortSignal): Promise<Outcome> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    let status = 0;
    for await (const piece of http.post({url, headers, body: encode(spans), signal: limit})) {
      if (isHead(piece)) ({status} = piece);
    }
    if (status >= 200 && status < 300) return {problem: undefined, isPassing: false};
    return {problem: `HTTP ${status}`, isPassing: PASSING.has(status)};
  } catch (error) {
    return {problem: toFettleError(error).message, isPassing: true};
  }
}

const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isHead(piece: HttpHead | Uint8Array): piece is HttpHead {
  return 'status' in piece;
}
