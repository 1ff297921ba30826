import {describe, expect, it} from 'vitest';
import {runEnd} from '../../../src/schedule/supervisor/run-end.ts';

describe('the status of a run', () => {
  it('is what the exit code said', () => {
    const codes = [0, 1, 2, 3, 4, 5, 6, 7, 130];
    expect(codes.map((code) => runEnd({code, signal: null}))).toEqual([
      {status: 'done', exitCode: 0},
      {status: 'failed', exitCode: 1},
      {status: 'usage', exitCode: 2},
      {status: 'denied', exitCode: 3},
      {status: 'limit', exitCode: 4},
      {status: 'loop', exitCode: 5},
      {status: 'blocked', exitCode: 6},
      {status: 'provider', exitCode: 7},
      {status: 'cancelled', exitCode: 130, note: 'It was asked to end.'},
    ]);
    expect(runEnd({code: 4, signal: null, reason: 'The limit of 3 turns is reached.'})).toEqual({
      status: 'limit',
      exitCode: 4,
      note: 'The limit of 3 turns is reached.',
    });
  });

  it('of an exit code that Fettle does not have is `failed`, with the code', () => {
    expect(runEnd({code: 127, signal: null, reason: 'fettle: not found'})).toEqual({
      status: 'failed',
      exitCode: 127,
      note: 'It ended with exit code 127. fettle: not found',
    });
  });

  it('of a run that was killed is `interrupted`, by which signal', () => {
    const killed = {status: 'interrupted', note: 'It was ended by SIGKILL. The system does that when memory runs out.'};
    expect([runEnd({code: 137, signal: null}), runEnd({code: null, signal: 'SIGKILL'})]).toEqual([killed, killed]);
    expect(runEnd({code: 139, signal: null})).toEqual({status: 'interrupted', note: 'It was ended by SIGSEGV.'});
  });

  it('of a run that was asked to end is `cancelled` with the reason, unless it was done first', () => {
    const stopped = 'A later due time took its place.';
    expect(runEnd({code: 130, signal: null, stopped})).toEqual({status: 'cancelled', note: stopped, exitCode: 130});
    expect(runEnd({code: null, signal: 'SIGKILL', stopped})).toEqual({status: 'cancelled', note: stopped});
    expect(runEnd({code: 0, signal: null, stopped})).toEqual({status: 'done', exitCode: 0});
    expect(runEnd({code: 4, signal: null, stopped})).toEqual({status: 'limit', exitCode: 4});
  });
});
