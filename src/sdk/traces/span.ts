/** A finished span, in the sense of OpenTelemetry. */
export interface TraceSpan {
  /** Hexadecimal, 32 and 16 characters. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
}

export type SpanAttributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The parent of a span. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
}

/** Returns the span in which this process was started (W3C Trace Context; `TRACEPARENT`, as build tools pass it on). */
export function parentFrom(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return {traceId, spanId};
}
