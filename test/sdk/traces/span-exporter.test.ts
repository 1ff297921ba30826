import {describe, expect, it} from 'vitest';
import type {HttpClient} from '../../../src/models/http/http-client.ts';
import {createSpanExporter, MAX_WAITING, type SpanExporter} from '../../../src/sdk/traces/span-exporter.ts';
import type {TraceSpan} from '../../../src/sdk/traces/span.ts';

const SPAN: TraceSpan = {
  traceId: 't',
  spanId: 's',
  parentSpanId: undefined,
  name: 'n',
  kind: 'internal',
  startMs: 0,
  endMs: 1,
  attributes: {},
  isError: false,
};

/** An exporter whose time stands still until `tick`, and whose receiver answers with these statuses in turn; 0 never answers. */
function exporter(statuses: number[]) {
  const timers = new Map<number, () => void>();
  let sent = 0;
  const sizes: number[] = [];
  const http: HttpClient = {
    async *post({body, signal}) {
      sizes.push(Number(body));
      const status = statuses[sent] ?? 200;
      sent += 1;
      if (status === 0) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      yield {status, headers: {}};
    },
  };
  let next = 0;
  const clock = {
    now: () => 0,
    after(_: number, run: () => void) {
      const id = next++;
      timers.set(id, run);
      return () => void timers.delete(id);
    },
  };
  const made: SpanExporter = createSpanExporter({
    url: new URL('http://receiver.test/v1/traces'),
    headers: {},
    http,
    clock,
    encode: (spans) => String(spans.length),
  });
  const tick = async (): Promise<void> => {
    const due = [...timers.values()];
    timers.clear();
    for (const run of due) run();
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  };
  return {made, tick, sizes, timers};
}

describe('the exporter of spans', () => {
  it('sends together what came together, and nothing where there is nothing', async () => {
    const {made, tick, sizes} = exporter([]);
    for (let count = 0; count < 3; count += 1) made.add(SPAN);
    expect(sizes).toEqual([]);
    await tick();
    expect(sizes).toEqual([3]);
    expect([await made.close(1), sizes]).toEqual([undefined, [3]]);
  });

  it('503 is tried again with the next batch (OTLP › Retryable Response Codes), 400 is not', async () => {
    const {made, tick, sizes} = exporter([503, 200]);
    made.add(SPAN);
    await tick();
    made.add(SPAN);
    await tick();
    expect([await made.close(1), sizes]).toEqual([undefined, [1, 2]]);
    const refused = exporter([400]);
    refused.made.add(SPAN);
    await refused.tick();
    expect(await refused.made.close(1)).toBe('1 spans were not delivered to receiver.test: HTTP 400.');
  });

  it('the queue is bounded, and what is lost is counted', async () => {
    const {made, sizes, tick} = exporter([0]);
    for (let count = 0; count < MAX_WAITING + 10; count += 1) made.add(SPAN);
    expect(sizes).toEqual([]);
    const closing = made.close(1);
    await tick();
    expect(await closing).toBe(`${MAX_WAITING + 10} spans were not delivered to receiver.test: no answer in time.`);
  });

  it('the end has a deadline: a receiver that never answers does not hold it', async () => {
    const {made, tick} = exporter([0]);
    made.add(SPAN);
    const closing = made.close(1);
    await tick();
    expect(await closing).toBe('1 spans were not delivered to receiver.test: no answer in time.');
  });

  it('leaves no timer behind', async () => {
    const {made, tick, timers} = exporter([503, 503, 503]);
    made.add(SPAN);
    await tick();
    await made.close(1);
    expect(timers.size).toBe(0);
  });
});
