import {describe, expect, it} from 'vitest';
import {otlpBody} from '../../../src/sdk/traces/otlp-json.ts';
import {otlpBytes} from '../../../src/sdk/traces/otlp-protobuf.ts';
import type {TraceSpan} from '../../../src/sdk/traces/span.ts';
import {decodeOtlp} from './decode-otlp.ts';

const SPANS: readonly TraceSpan[] = [
  {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    parentSpanId: undefined,
    name: 'invoke_agent größe 🐘',
    kind: 'internal',
    startMs: 1_795_000_000_000.25,
    endMs: 1_795_000_000_123.5,
    attributes: {text: 'x'.repeat(300), none: undefined, zero: 0, big: 2 ** 40, below: -3, price: 0.125, list: ['a', ''], empty: ''},
    isError: false,
  },
  {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: '00f067aa0ba902b7',
    parentSpanId: 'b7ad6b7169203331',
    name: 'chat m',
    kind: 'client',
    startMs: 5,
    endMs: 4,
    attributes: {},
    isError: true,
  },
];

describe('OTLP in its binary form (opentelemetry-proto; Protocol Buffers › Encoding)', () => {
  it('says what the JSON form says', () => {
    const resource = {'service.name': 'fettle', 'host.cpus': 2};
    const decoded = decodeOtlp(Buffer.from(otlpBytes(SPANS, resource, '1.2.3')));
    expect(decoded).toEqual(JSON.parse(otlpBody(SPANS, resource, '1.2.3')));
    expect(decoded.resourceSpans[0]?.scopeSpans[0]?.spans.map(({attributes}) => attributes.length)).toEqual([7, 0]);
  });

  it('the bytes of a span, as the library of Google writes them', () => {
    const span: TraceSpan = {
      traceId: '00000000000000000000000000000001',
      spanId: '0000000000000002',
      parentSpanId: undefined,
      name: 'n',
      kind: 'client',
      startMs: 1,
      endMs: 2,
      attributes: {n: 150, d: 0.5},
      isError: true,
    };
    expect(Buffer.from(otlpBytes([span], {}, '1')).toString('hex')).toBe(
      [
        '0a640a0012600a0b0a06666574746c6512013112510a1000000000000000000000000000000001120800000000000000022a',
        '016e30033940420f00000000004180841e00000000004a080a016e12031896014a0e0a0164120921000000000000e03f7a02',
        '1802',
      ].join(''),
    );
  });
});
