import {describe, expect, it} from 'vitest';
import {judgeAgent} from '../../../../src/lab/rollout/agent/judge-agent.ts';

const END = {exitCode: 0, signal: null, timedOut: false, outcome: 'success', message: undefined, said: ''};

describe('the end of an agent', () => {
  it.each([
    [{}, 'wrong-answer', undefined],
    [{exitCode: 6, outcome: 'blocked', message: 'It asked.'}, 'no-answer', 'It asked.'],
    [{exitCode: 2, outcome: 'request_too_large'}, 'token-limit', undefined],
    [{exitCode: 3, outcome: 'denied'}, 'denied', undefined],
    [{exitCode: 4, outcome: 'turn_limit_reached'}, 'turn-limit', undefined],
    [{exitCode: 4, outcome: 'token_limit_reached'}, 'token-limit', undefined],
    [{exitCode: 4, outcome: 'budget_limit_reached'}, 'cost-limit', undefined],
    [{exitCode: 4, outcome: 'time_limit_reached'}, 'time-limit', undefined],
    [{exitCode: 5, outcome: 'loop_detected'}, 'loop', undefined],
    [
      {exitCode: null, signal: 'SIGKILL', timedOut: true, outcome: undefined},
      'time-limit',
      'The agent did not end at its limit of time and was ended.',
    ],
  ])('%o is judged by its tree', (end, failure, note) => {
    expect(judgeAgent({...END, ...end})).toEqual({kind: 'finished', failure, note});
  });

  it.each([
    [{exitCode: 7, outcome: 'provider_error', message: 'The server\nfailed.'}, 'The agent ended with exit code 7: The server failed.'],
    [{exitCode: 1, outcome: 'failed'}, 'The agent ended with exit code 1'],
    [{exitCode: 130, outcome: 'cancelled'}, 'The agent ended with exit code 130'],
    [{exitCode: 137, outcome: undefined}, 'The agent ended with exit code 137'],
    [{exitCode: null, signal: 'SIGKILL', outcome: undefined}, 'The agent was ended by SIGKILL'],
    [
      {exitCode: 2, outcome: undefined, said: 'fettle: a wrong setting\n  hint: Fix it.\n'},
      'The agent ended with exit code 2: fettle: a wrong setting',
    ],
    // An end that was written before the machine killed it.
    [{exitCode: 137, outcome: 'success'}, 'The agent ended with exit code 137'],
    [{exitCode: 0, outcome: undefined}, 'The agent ended with exit code 0'],
    [{exitCode: 0, outcome: 'toString'}, 'The agent ended with exit code 0'],
  ])('%o is a failure of the infrastructure', (end, note) => {
    expect(judgeAgent({...END, ...end})).toEqual({kind: 'infrastructure', note});
  });
});
