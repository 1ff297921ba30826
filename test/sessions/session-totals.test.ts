import {describe, expect, it} from 'vitest';
import {summarizeSession} from '../../src/sessions/session-totals.ts';
import {USAGE, answered, callStarted, compacted, started, turnCompleted, turnFailed, turnStarted, user, wholeTurn} from './events.ts';

describe('summarizeSession', () => {
  it('adds up all requests, also those of a turn that was cut off', () => {
    expect(summarizeSession([...wholeTurn(), turnStarted('trn_2'), user('More.'), answered('r3')])).toEqual({
      usage: {input_tokens: 300, cached_input_tokens: 120, cache_creation_tokens: 30, output_tokens: 60, reasoning_tokens: 15},
      costUsd: 0.75,
      turns: 2,
      requests: 3,
      outcome: 'interrupted',
    });
  });

  it('a cost that is not known is not told as a lower one', () => {
    const totals = summarizeSession([answered('r1'), answered('r2', null), answered('r3')]);
    expect(totals).toMatchObject({costUsd: null, usage: {input_tokens: 3 * USAGE.input_tokens}});
  });

  it('silence is not success: only an event that says how a turn ended ends it', () => {
    const outcomes = [
      [started()],
      [started(), turnStarted()],
      [started(), turnStarted(), callStarted('r1', {id: 'c'})],
      [started(), turnStarted(), turnCompleted()],
      [started(), turnStarted(), turnCompleted(), compacted(), started({resumed: true})],
      [started(), turnStarted(), turnFailed('turn_limit_reached')],
      [started(), turnStarted(), turnCompleted(), turnStarted('trn_2')],
    ].map((events) => summarizeSession(events).outcome);
    expect(outcomes).toEqual([undefined, 'interrupted', 'interrupted', 'success', 'success', 'turn_limit_reached', 'interrupted']);
  });
});
