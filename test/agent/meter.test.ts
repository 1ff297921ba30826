import {describe, expect, it} from 'vitest';
import {NOTHING_SPENT, type Spending} from '../../src/agent/budget.ts';
import {createMeter} from '../../src/agent/meter.ts';
import {NO_USAGE} from '../../src/protocol/usage.ts';

const spent = (tokens: number, costUsd: number | null = 0): Spending => ({
  requests: 1,
  usage: {...NO_USAGE, input_tokens: tokens},
  costUsd,
});

describe('createMeter', () => {
  it('counts a turn, and the run that it is a part of; a new run begins anew', () => {
    const meter = createMeter({limits: {maxTurns: 3}, now: () => 0});
    meter.startRun();
    meter.startTurn();
    meter.add(spent(10));
    meter.startTurn();
    meter.add(spent(5));
    expect([meter.turn, meter.run]).toEqual([spent(5), {...spent(15), requests: 2}]);
    expect(meter.excess()).toBeUndefined();
    meter.add(spent(1));
    expect(meter.excess()?.outcome).toBe('turn_limit_reached');
    meter.startRun();
    expect([meter.turn, meter.run, meter.excess()]).toEqual([NOTHING_SPENT, NOTHING_SPENT, undefined]);
  });

  it('time counts from the beginning of the run', () => {
    let now = 1000;
    const meter = createMeter({limits: {maxTimeMs: 50}, now: () => now});
    now = 5000;
    meter.startRun();
    now = 5049;
    expect(meter.excess()).toBeUndefined();
    now = 5050;
    expect(meter.excess()?.outcome).toBe('time_limit_reached');
  });

  it('what a part uses counts for the whole, and the limits of both hold', () => {
    const whole = createMeter({limits: {maxTokens: 20}, now: () => 0});
    const part = createMeter({limits: {maxTurns: 2}, now: () => 0, parent: whole});
    const other = createMeter({limits: {}, now: () => 0, parent: whole});
    part.add(spent(12));
    expect([whole.run, part.excess(), other.excess()]).toEqual([spent(12), undefined, undefined]);
    other.add(spent(8, null));
    expect([whole.turn.costUsd, whole.excess()?.outcome, part.excess()?.outcome]).toEqual([
      null,
      'token_limit_reached',
      'token_limit_reached',
    ]);
    expect(part.run).toEqual(spent(12));
  });

  it('calls of tools: all of a reply, or none', () => {
    const meter = createMeter({limits: {maxToolCalls: 3}, now: () => 0});
    expect(meter.takeCalls(2)).toBeUndefined();
    expect(meter.takeCalls(2)).toEqual({
      outcome: 'turn_limit_reached',
      message: 'The limit of 3 tool calls is reached.',
      hint: 'Give a smaller task.',
    });
    expect(meter.takeCalls(1)).toBeUndefined();
    expect(createMeter({limits: {}, now: () => 0}).takeCalls(1e9)).toBeUndefined();
  });
});
