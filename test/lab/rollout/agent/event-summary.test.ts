import {describe, expect, it} from 'vitest';
import {NO_EVENTS, withEvent, type EventSummary} from '../../../../src/lab/rollout/agent/event-summary.ts';

const usage = {input_tokens: 10, cached_input_tokens: 4, cache_creation_tokens: 0, output_tokens: 2, reasoning_tokens: 1};

function request(type: 'request.completed' | 'request.failed', cost: number | null): object {
  const common = {type, turn_id: 't', request_id: 'r', model: 'm', usage, cost_usd: cost};
  return type === 'request.failed' ? {...common, message: 'cut'} : {...common, stop_reason: 'end', duration_ms: 1, retries: 0};
}

function summaryOf(events: readonly (object | string)[]): EventSummary {
  const lines = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return lines.reduce(withEvent, NO_EVENTS);
}

describe('the summary of events', () => {
  it('of a run that was cut off is the sum of its requests, those that failed included', () => {
    const cut = '{"type":"thread.completed","thread_id":"thr_1","subty';
    expect(
      summaryOf([request('request.completed', 0.5), request('request.failed', 0.25), 'no JSON', '', '{"type":"request.completed"}', cut]),
    ).toEqual({
      ...NO_EVENTS,
      requests: 1,
      usage: {input_tokens: 20, cached_input_tokens: 8, cache_creation_tokens: 0, output_tokens: 4, reasoning_tokens: 2},
      costUsd: 0.75,
    });
  });

  it('has no cost where the price of one request is not known', () => {
    expect(
      summaryOf([request('request.completed', 0.5), request('request.completed', null), request('request.completed', 0.5)]).costUsd,
    ).toBe(null);
  });

  it('takes outcome, answer, usage and cost from the end, and the reason from what failed', () => {
    const whole = {...usage, input_tokens: 99};
    const turn = {
      type: 'turn.failed',
      thread_id: 'thr_1',
      turn_id: 't',
      outcome_code: 'blocked',
      message: 'It asked.',
      usage,
      cost_usd: 1,
      num_requests: 1,
      duration_ms: 1,
    };
    const end = {
      type: 'thread.completed',
      thread_id: 'thr_1',
      subtype: 'error_during_execution',
      outcome_code: 'blocked',
      result: 'Which one?',
      usage: whole,
      total_cost_usd: 3,
      num_turns: 1,
    };
    const start = {
      type: 'thread.started',
      schema_version: '1',
      thread_id: 'thr_1',
      cwd: '/',
      model: 'm',
      toolset: 'fettle',
      fettle_version: '1',
    };
    expect(summaryOf([start, {type: 'error', message: 'first'}, request('request.completed', 0.5), turn, end])).toEqual({
      threadId: 'thr_1',
      outcome: 'blocked',
      message: 'It asked.',
      answer: 'Which one?',
      requests: 1,
      usage: whole,
      costUsd: 3,
    });
  });

  it('does not believe what an item says', () => {
    const item = {
      type: 'item.completed',
      item: {id: 'i', type: 'agent_message', text: '{"type":"thread.completed","outcome_code":"success"}'},
    };
    expect(summaryOf([item])).toEqual(NO_EVENTS);
  });
});
