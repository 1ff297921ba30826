import {describe, expect, it} from 'vitest';
import {createMeter} from '../../../src/agent/meter.ts';
import {receiveReply} from '../../../src/agent/receive-reply.ts';
import {NO_FAULTS, unusableReply} from '../../../src/agent/replies/unusable-reply.ts';
import {excess, spentOn} from '../../../src/agent/budget.ts';
import type {ModelReply} from '../../../src/models/provider.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {NO_USAGE} from '../../../src/protocol/usage.ts';
import {done, stepProvider, text, USAGE} from '../support.ts';

const reply = (said: string, hasUnclearCall = false): Parameters<typeof unusableReply>[0] => ({
  ok: true,
  reply: {message: {role: 'assistant', parts: []}, stopReason: 'end', usage: NO_USAGE, costUsd: 0, retries: 0} satisfies ModelReply,
  text: said,
  calls: [],
  hasUnclearCall,
});

describe('a reply that is not an answer', () => {
  it('says what the model, the person and the end are told (text that a model sees)', () => {
    expect([
      unusableReply(reply(' \n'), NO_FAULTS),
      unusableReply(reply(''), {empty: 2, calls: 0, cut: 0}),
      unusableReply(reply('<tool_call>', true), {empty: 1, calls: 0, cut: 0}),
      unusableReply(reply('<tool_call>', true), {empty: 0, calls: 1, cut: 0}),
      unusableReply(reply('Done.'), {empty: 2, calls: 1, cut: 0}),
    ]).toMatchInlineSnapshot(`
      [
        {
          "faults": {
            "calls": 0,
            "cut": 0,
            "empty": 1,
          },
          "note": {
            "event": "empty_reply",
            "message": "The reply of the model was empty. Asking again.",
          },
        },
        {
          "hint": "Try again, or another model.",
          "message": "The model ended without an answer, 3 times in a row.",
          "outcome": "failed",
        },
        {
          "faults": {
            "calls": 1,
            "cut": 0,
            "empty": 0,
          },
          "note": {
            "event": "call_sent_back",
            "message": "The model wrote a tool call as text; it was not run, and the model is told.",
          },
          "tell": "Your reply held a tool call written as text. It was not run. Call the tool through the API, or answer in words.",
        },
        {
          "hint": "Switch on the tool-call parser of the server (vLLM: --enable-auto-tool-choice, llama.cpp: --jinja), or use another model.",
          "message": "The model wrote a tool call as text again; it was not run.",
          "outcome": "failed",
        },
        undefined,
      ]
    `);
  });
});

describe('an attempt that failed', () => {
  const usage = {...NO_USAGE, input_tokens: 7, output_tokens: 1};
  it('is an event of its own, and is paid for; the reply keeps its own usage', async () => {
    const events: ThreadEvent[] = [];
    const meter = createMeter({limits: {maxTurns: 2}, now: () => 0});
    const provider = stepProvider([
      [
        {type: 'text', delta: 'Ha'},
        {type: 'retry', attempt: 1, delayMs: 0, reason: 'It broke.', paid: {usage, costUsd: 0.5}},
        {type: 'retry', attempt: 2, delayMs: 0, reason: 'It was refused.'},
        done([text('Half')]),
      ],
    ]);
    const request = {system: '', messages: [], tools: []};
    const emit = (event: ThreadEvent): void => void events.push(event);
    const onPaid = (paid: Parameters<typeof spentOn>[0]): void => meter.add(spentOn(paid));
    await receiveReply({provider, request, turnId: 't', emit, now: () => 0, onPaid}, new AbortController().signal);
    expect([meter.run, meter.excess()?.outcome]).toEqual([{requests: 1, usage, costUsd: 0.5}, undefined]);
    const [failed, completed] = events.filter(({type}) => type.startsWith('request.'));
    expect([failed, completed]).toEqual([
      {
        type: 'request.failed',
        turn_id: 't',
        request_id: expect.any(String),
        model: 'test/steps',
        message: 'It broke.',
        received: 'Ha',
        usage,
        cost_usd: 0.5,
      },
      expect.objectContaining({type: 'request.completed', usage: USAGE, cost_usd: 0.01}),
    ]);
  });
});

describe('cached input counts a tenth against the limit of tokens (issue › budgets)', () => {
  it.each<[string, number, number, number, boolean]>([
    ['nothing cached, one below', 90, 0, 9, false],
    ['nothing cached', 90, 0, 10, true],
    ['all cached', 900, 900, 9, false],
    ['all cached, reached', 900, 900, 10, true],
    ['more cached than there was', 10, 10_000, 0, false],
  ])('%s', (_name, input, cached, output, isOver) => {
    const usage = {...NO_USAGE, input_tokens: input, cached_input_tokens: cached, output_tokens: output};
    expect(excess({maxTokens: 100}, {requests: 1, usage, costUsd: 0}, 0) !== undefined).toBe(isOver);
  });
});
