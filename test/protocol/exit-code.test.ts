import {describe, expect, it} from 'vitest';
import type {ErrorCode} from '../../src/base/errors.ts';
import {OutcomeCode} from '../../src/protocol/events.ts';
import {exitCodeOfError, exitCodeOfOutcome} from '../../src/protocol/exit-code.ts';
import {isReadOnly, type SideEffect} from '../../src/protocol/side-effect.ts';
import {NO_USAGE, addUsage} from '../../src/protocol/usage.ts';

describe('exit codes (design › the command line)', () => {
  it('every outcome has one; vtcode architecture › exec returned 0 for all of them', () => {
    expect(Object.fromEntries(OutcomeCode.options.map((outcome) => [outcome, exitCodeOfOutcome(outcome)]))).toEqual({
      success: 0,
      failed: 1,
      request_too_large: 2,
      denied: 3,
      turn_limit_reached: 4,
      token_limit_reached: 4,
      budget_limit_reached: 4,
      time_limit_reached: 4,
      loop_detected: 5,
      blocked: 6,
      provider_error: 7,
      cancelled: 130,
    });
  });

  it('every error code has one', () => {
    const expected: Readonly<Record<ErrorCode, number>> = {
      BAD_ARGS: 2,
      NOT_FOUND: 2,
      NOT_UNIQUE: 1,
      NOT_A_FILE: 2,
      NOT_TEXT: 1,
      OUTSIDE_SCOPE: 1,
      DENIED: 3,
      TIMEOUT: 1,
      TOO_LARGE: 1,
      UNAVAILABLE: 1,
      CANCELLED: 130,
      STALE: 1,
      IO: 1,
      USAGE: 2,
      CONFIG: 2,
      AUTH: 7,
      PROVIDER: 7,
      LIMIT: 4,
      LOOP: 5,
      INTERNAL: 1,
    };
    const codes = Object.keys(expected) as ErrorCode[];
    expect(Object.fromEntries(codes.map((code) => [code, exitCodeOfError(code)]))).toEqual(expected);
  });
});

describe('side effects', () => {
  it('only what changes nothing may run in parallel and in plan mode', () => {
    const effects: readonly SideEffect[] = ['pure', 'read', 'write', 'execute', 'network', 'interact'];
    expect(effects.filter(isReadOnly)).toEqual(['pure', 'read']);
  });
});

describe('usage', () => {
  it('adds field by field', () => {
    const usage = {input_tokens: 10, cached_input_tokens: 4, cache_creation_tokens: 1, output_tokens: 5, reasoning_tokens: 2};
    expect(addUsage(usage, NO_USAGE)).toEqual(usage);
    expect(addUsage(usage, usage)).toEqual({
      input_tokens: 20,
      cached_input_tokens: 8,
      cache_creation_tokens: 2,
      output_tokens: 10,
      reasoning_tokens: 4,
    });
  });
});
