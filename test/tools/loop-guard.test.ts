import {describe, expect, it} from 'vitest';
import {createLoopGuard} from '../../src/tools/loop-guard.ts';

/** Plays calls `key=result`; returns for each how often it was counted, or 'stop' where it would not be run. */
function play(...calls: string[]): (number | 'stop')[] {
  const guard = createLoopGuard();
  return calls.map((call) => {
    const [key = '', digest = ''] = call.split('=');
    return guard.refuses(key) ? 'stop' : guard.record(key, digest);
  });
}

describe('the identical-call guard', () => {
  it('counts identical calls with identical results, and refuses the fifth', () => {
    expect(play('a=1', 'a=1', 'a=1', 'a=1', 'a=1', 'a=1')).toEqual([1, 2, 3, 4, 'stop', 'stop']);
  });
  it('polling with changing output is no loop', () => {
    expect(play('a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(play('a=1', 'a=1', 'a=1', 'a=2', 'a=2', 'a=2', 'a=2', 'a=2')).toEqual([1, 2, 3, 1, 2, 3, 4, 'stop']);
  });
  it('a test that is run again after edits is no loop', () => {
    expect(play('test=x', 'edit1=ok', 'test=x', 'edit2=ok', 'test=x', 'edit3=ok', 'test=x', 'edit4=ok', 'test=x')).toEqual(
      Array(9).fill(1),
    );
  });
  it('two or three calls that take turns are a loop, too', () => {
    const two = ['a=1', 'b=1'];
    expect(play(...two, ...two, ...two, ...two, ...two)).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 4, 'stop']);
    const three = ['a=1', 'b=1', 'c=1'];
    expect(play(...three, ...three, ...three, ...three, ...three).slice(-3)).toEqual([4, 4, 'stop']);
    const four = ['a=1', 'b=1', 'c=1', 'd=1'];
    expect(play(...four, ...four, ...four, ...four, ...four).slice(-4)).toEqual([1, 1, 1, 1]);
  });
  it('another call ends the repetition', () => {
    expect(play('a=1', 'a=1', 'a=1', 'a=1', 'b=1', 'a=1', 'a=1')).toEqual([1, 2, 3, 4, 1, 1, 2]);
  });
});
