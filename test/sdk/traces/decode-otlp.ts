import type {OtlpAttribute, OtlpBody, OtlpSpan} from './receiver.ts';

/** The binary form of an export (opentelemetry-proto), as its JSON form has it; written apart from the encoder. Throws for what is not known. */
export function decodeOtlp(bytes: Buffer): OtlpBody {
  return {
    resourceSpans: all(bytes, 1).map((resourceSpans) => ({
      resource: {attributes: all(one(resourceSpans, 1), 1).map(attribute)},
      scopeSpans: all(resourceSpans, 2).map((scopeSpans) => ({
        scope: {name: text(one(scopeSpans, 1), 1), version: text(one(scopeSpans, 1), 2)},
        spans: all(scopeSpans, 2).map(span),
      })),
    })),
  };
}

function span(bytes: Buffer): OtlpSpan {
  const [parent] = all(bytes, 4);
  const [status] = all(bytes, 15);
  return {
    traceId: one(bytes, 1).toString('hex'),
    spanId: one(bytes, 2).toString('hex'),
    ...(parent === undefined ? {} : {parentSpanId: parent.toString('hex')}),
    name: text(bytes, 5),
    kind: Number(numberAt(bytes, 6)),
    startTimeUnixNano: String(one(bytes, 7).readBigUInt64LE()),
    endTimeUnixNano: String(one(bytes, 8).readBigUInt64LE()),
    attributes: all(bytes, 9).map(attribute),
    status: status === undefined ? {} : {code: Number(numberAt(status, 3))},
  };
}

function attribute(bytes: Buffer): OtlpAttribute {
  return {key: text(bytes, 1), value: value(one(bytes, 2))};
}

function value(bytes: Buffer): OtlpAttribute['value'] {
  const field = fields(bytes)[0]?.field;
  if (field === 1) return {stringValue: text(bytes, 1)};
  if (field === 3) return {intValue: String(numberAt(bytes, 3))};
  if (field === 4) return {doubleValue: one(bytes, 4).readDoubleLE()};
  if (field === 5) return {arrayValue: {values: all(one(bytes, 5), 1).map(value)}};
  throw new Error(`no AnyValue has a field ${field ?? 0}`);
}

interface Field {
  readonly field: number;
  /** Of a number its eight bytes. */
  readonly bytes: Buffer;
}

function fields(bytes: Buffer): readonly Field[] {
  const found: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const key = varint(bytes, at);
    const [field, type] = [Number(key.value >> 3n), Number(key.value & 7n)];
    const first = type === 1 ? {value: 0n, end: key.end} : varint(bytes, key.end);
    const end = type === 1 ? key.end + 8 : type === 2 ? first.end + Number(first.value) : first.end;
    if (type > 2 || end > bytes.length) throw new Error(`the field ${field} of type ${type} is broken`);
    found.push({field, bytes: type === 0 ? eight(first.value) : bytes.subarray(type === 1 ? key.end : first.end, end)});
    at = end;
  }
  return found;
}

function varint(bytes: Buffer, from: number): {value: bigint; end: number} {
  let value = 0n;
  for (let at = from; at < from + 10; at += 1) {
    const byte = bytes.readUInt8(at);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return {value, end: at + 1};
  }
  throw new Error('a number has more than ten bytes');
}

function eight(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function all(bytes: Buffer, wanted: number): readonly Buffer[] {
  return fields(bytes).flatMap(({field, bytes: inner}) => (field === wanted ? [inner] : []));
}

function one(bytes: Buffer, wanted: number): Buffer {
  const found = all(bytes, wanted);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`the field ${wanted} is there ${found.length} times`);
  return first;
}

function text(bytes: Buffer, wanted: number): string {
  return one(bytes, wanted).toString('utf8');
}

function numberAt(bytes: Buffer, wanted: number): bigint {
  return one(bytes, wanted).readBigInt64LE();
}
