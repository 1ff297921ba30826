import {describe, expect, it} from 'vitest';
import {createOpenRequests, streamWithRetries} from '../../src/agent/open-requests.ts';
import type {ModelEvent, ModelRequest, Provider} from '../../src/models/provider.ts';
import {done, text, USAGE} from './support.ts';

const REQUEST: ModelRequest = {system: '', messages: [], tools: []};
const PAID = {usage: USAGE, costUsd: 0.01};

/** Says something, then hangs until it is aborted, as often as told; then it answers. */
function hanging(times: number, hung: () => void): Provider & {asked(): number} {
  let asked = 0;
  return {
    model: 'test/hanging',
    asked: () => asked,
    async *stream(_, signal): AsyncGenerator<ModelEvent> {
      asked += 1;
      if (asked > times) return yield done([text('Whole.')], {retries: 2});
      yield {type: 'text', delta: `half ${asked}`};
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), {once: true}));
      hung();
      await aborted;
      yield {type: 'error', failure: {code: 'CANCELLED', message: 'Cancelled.', retries: 0, paid: PAID}};
    },
  };
}

async function collect(source: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of source) events.push(event);
  return events;
}

describe('a request that is sent again on demand', () => {
  it('is aborted and asked again at once, as often as it is wished; what came before is paid for, and void', async () => {
    const requests = createOpenRequests();
    const counts: number[] = [];
    const provider = hanging(2, () => setImmediate(() => counts.push(requests.retry())));
    const {signal} = new AbortController();
    const events = await collect(streamWithRetries({provider, request: REQUEST, openAttempt: requests.of(undefined)}, signal));
    const retry = (attempt: number): ModelEvent => ({
      type: 'retry',
      attempt,
      delayMs: 0,
      reason: 'The request was aborted to be retried.',
      paid: PAID,
    });
    expect([events, counts, provider.asked(), requests.retry()]).toEqual([
      [{type: 'text', delta: 'half 1'}, retry(1), {type: 'text', delta: 'half 2'}, retry(2), done([text('Whole.')], {retries: 4})],
      [1, 1],
      3,
      0,
    ]);
  });

  it.each<[string | undefined, number, readonly string[]]>([
    [undefined, 3, ['thread', 'one', 'two']],
    ['one', 1, ['one']],
    ['none', 0, []],
  ])('of %s: %i', (agentId, count, retried) => {
    const requests = createOpenRequests();
    const {signal} = new AbortController();
    const attempts = (['thread', 'one', 'two'] as const).map(
      (name) => [name, requests.of(name === 'thread' ? undefined : name)(signal)] as const,
    );
    expect(requests.retry(agentId)).toBe(count);
    expect(attempts.filter(([, attempt]) => attempt.isRetried()).map(([name]) => name)).toEqual(retried);
    expect(attempts.filter(([, attempt]) => attempt.signal.aborted).map(([name]) => name)).toEqual(retried);
  });

  it('a turn that is cancelled is not asked again', async () => {
    const requests = createOpenRequests();
    const turn = new AbortController();
    const provider = hanging(9, () => setImmediate(() => turn.abort()));
    const events = await collect(streamWithRetries({provider, request: REQUEST, openAttempt: requests.of(undefined)}, turn.signal));
    expect([events.map(({type}) => type), provider.asked()]).toEqual([['text', 'error'], 1]);
  });
});
