import type {JsonObject} from '../../base/json.ts';
import type {SpanAttributes, TraceSpan} from './span.ts';

/** Returns the body of an export of spans: OTLP 1.x over HTTP, in its JSON form. */
export function otlpBody(spans: readonly TraceSpan[], resource: SpanAttributes, version: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: {attributes: attributesOf(resource)},
        scopeSpans: [{scope: {name: 'fettle', version}, spans: spans.map(spanOf)}],
      },
    ],
  });
}

function spanOf({traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, isError}: TraceSpan): JsonObject {
  return {
    traceId,
    spanId,
    ...(parentSpanId === undefined ? {} : {parentSpanId}),
    name,
    kind: kind === 'client' ? 3 : 1,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(Math.max(startMs, endMs)),
    attributes: attributesOf(attributes),
    status: isError ? {code: 2} : {},
  };
}

function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`;
}

function attributesOf(attributes: SpanAttributes): JsonObject[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{key, value: valueOf(value)}]));
}

function valueOf(value: string | number | readonly string[]): JsonObject {
  if (typeof value === 'string') return {stringValue: value};
  if (typeof value === 'number') return Number.isSafeInteger(value) ? {intValue: String(value)} : {doubleValue: value};
  return {arrayValue: {values: value.map((one) => ({stringValue: one}))}};
}
