import type {SpanAttributes, TraceSpan} from './span.ts';

/**
 * Returns the body of an export of spans: OTLP 1.x over HTTP, in its binary form (opentelemetry-proto ›
 * trace/v1, common/v1; Protocol Buffers › Encoding).
 */
export function otlpBytes(spans: readonly TraceSpan[], resource: SpanAttributes, version: string): Uint8Array {
  const scope = message([text(1, 'fettle'), text(2, version)]);
  const scopeSpans = message([part(1, scope), ...spans.map((span) => part(2, spanOf(span)))]);
  const resourceSpans = message([part(1, message(attributesOf(1, resource))), part(2, scopeSpans)]);
  return part(1, resourceSpans);
}

function spanOf({traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, isError}: TraceSpan): Buffer {
  return message([
    part(1, Buffer.from(traceId, 'hex')),
    part(2, Buffer.from(spanId, 'hex')),
    ...(parentSpanId === undefined ? [] : [part(4, Buffer.from(parentSpanId, 'hex'))]),
    text(5, name),
    number(6, kind === 'client' ? 3n : 1n),
    time(7, startMs),
    time(8, Math.max(startMs, endMs)),
    ...attributesOf(9, attributes),
    ...(isError ? [part(15, number(3, 2n))] : []),
  ]);
}

/** Encodes a `KeyValue` for each attribute that has a value. */
function attributesOf(field: number, attributes: SpanAttributes): Buffer[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [part(field, message([text(1, key), part(2, valueOf(value))]))],
  );
}

/** Encodes an `AnyValue`. */
function valueOf(value: string | number | readonly string[]): Buffer {
  if (typeof value === 'string') return text(1, value);
  if (typeof value !== 'number') return part(5, message(value.map((one) => part(1, text(1, one)))));
  return Number.isSafeInteger(value) ? number(3, BigInt(value)) : double(4, value);
}

function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

function key(field: number, wireType: number): Buffer {
  return varint(BigInt((field << 3) | wireType));
}

function part(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([key(field, LENGTH), varint(BigInt(bytes.length)), bytes]);
}

function text(field: number, value: string): Buffer {
  return part(field, Buffer.from(value));
}

function number(field: number, value: bigint): Buffer {
  return Buffer.concat([key(field, VARINT), varint(BigInt.asUintN(64, value))]);
}

function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([key(field, FIXED64), bytes]);
}

/** Nanoseconds since 1970. */
function time(field: number, ms: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(Math.round(ms * 1000)) * 1000n);
  return Buffer.concat([key(field, FIXED64), bytes]);
}

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 0x80n) return Buffer.from([...bytes, Number(rest)]);
    bytes.push(Number(rest & 0x7fn) | 0x80);
  }
}
