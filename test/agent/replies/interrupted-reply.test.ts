import {describe, expect, it} from 'vitest';
import {receiveReply} from '../../../src/agent/receive-reply.ts';
import {createArrivedReply} from '../../../src/agent/replies/interrupted-reply.ts';
import type {ModelEvent} from '../../../src/models/provider.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import {createHistory} from '../../../src/sessions/history.ts';
import {done, stepProvider, text} from '../support.ts';

const said = (delta: string): ModelEvent => ({type: 'text', delta});
const paid = {usage: NO_USAGE, costUsd: 0};

describe('a reply that broke off (issue 14 › replies)', () => {
  it.each<[string, readonly ModelEvent[], string | undefined]>([
    ['nothing', [], undefined],
    ['white space', [said(' \n')], undefined],
    ['text', [said('Half '), said('of it')], 'Half of it'],
    [
      'reasoning, text, and half of a call',
      [
        {type: 'reasoning', delta: 'Hm'},
        {type: 'reasoning', delta: '.'},
        said('I write.'),
        {type: 'tool_call', index: 0, id: 'a', name: 'write'},
        {type: 'tool_arguments', index: 0, delta: '{"path": '},
        {type: 'tool_arguments', index: 0, delta: '"a'},
      ],
      '[reasoning]\nHm.\n\nI write.\n\n[call of write]\n{"path": "a',
    ],
    [
      'two calls of one tool',
      [
        {type: 'tool_call', index: 0, id: 'a', name: 'read'},
        {type: 'tool_arguments', index: 0, delta: '{}'},
        {type: 'tool_call', index: 1, id: 'b', name: 'read'},
      ],
      '[call of read]\n{}\n\n[call of read]\n',
    ],
  ])('%s', (_name, events, expected) => {
    const arrived = createArrivedReply();
    for (const event of events) arrived.take(event);
    expect(arrived.interrupted()).toBe(expected);
  });

  it('of a huge one both ends are kept', () => {
    const arrived = createArrivedReply();
    arrived.take(said(`begin${'x'.repeat(1_000_000)}end`));
    const kept = arrived.interrupted() ?? '';
    expect([kept.length <= 16 * 1024, kept.slice(0, 5), kept.slice(-3), kept.includes('bytes left out')]).toEqual([
      true,
      'begin',
      'end',
      true,
    ]);
  });

  it('stands in the log with the attempt, each attempt with its own, and never in the conversation', async () => {
    const events: ThreadEvent[] = [];
    const history = createHistory();
    const emit = (event: ThreadEvent): void => {
      events.push(event);
      history.apply(event);
    };
    const provider = stepProvider([
      [
        said('First'),
        {type: 'retry', attempt: 1, delayMs: 0, reason: 'It broke.', paid},
        {type: 'retry', attempt: 2, delayMs: 0, reason: 'It was refused.'},
        said('Second'),
        {type: 'retry', attempt: 3, delayMs: 0, reason: 'It broke again.', paid},
        said('Whole'),
        done([text('Whole')]),
      ],
      [said('Third'), {type: 'error', failure: {code: 'PROVIDER', message: 'It is down.', retries: 0, paid}}],
    ]);
    const request = {system: '', messages: [], tools: []};
    for (let at = 0; at < 2; at += 1)
      await receiveReply({provider, request, turnId: 't', emit, now: () => 0, onPaid: () => undefined}, new AbortController().signal);
    expect(events.flatMap((event) => (event.type === 'request.failed' ? [[event.message, event.received]] : []))).toEqual([
      ['It broke.', 'First'],
      ['It broke again.', 'Second'],
      ['It is down.', 'Third'],
    ]);
    expect(history.messages()).toEqual([{role: 'assistant', parts: [{type: 'text', text: 'Whole'}]}]);
  });
});
