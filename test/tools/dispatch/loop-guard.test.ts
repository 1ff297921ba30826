import {describe, expect, it} from 'vitest';
import type {SideEffect} from '../../../src/protocol/side-effect.ts';
import {createLoopGuard, mayWait} from '../../../src/tools/dispatch/loop-guard.ts';

/** Plays calls `key=result`; returns for each how often it was counted, or 'stop' where it would not be run. */
function play(...calls: string[]): (number | 'stop')[] {
  return playSlowly(0, ...calls);
}

/** The same, so many milliseconds apart; calls whose key begins with `read` wait for nothing. */
function playSlowly(ms: number, ...calls: string[]): (number | 'stop')[] {
  let now = 0;
  const guard = createLoopGuard(() => now);
  return calls.map((call) => {
    const [key = '', digest = ''] = call.split('=');
    now += ms;
    return guard.refuses(key) === undefined ? guard.record(key, {digest, mayWait: !key.startsWith('read')}).times : 'stop';
  });
}

describe('the identical-call guard', () => {
  it('counts identical calls with identical results, and refuses the fifth', () => {
    expect(play('a=1', 'a=1', 'a=1', 'a=1', 'a=1', 'a=1')).toEqual([1, 2, 3, 4, 'stop', 'stop']);
  });
  it('polling with changing output is not a loop', () => {
    expect(play('a=1', 'a=2', 'a=3', 'a=4', 'a=5', 'a=6')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(play('a=1', 'a=1', 'a=1', 'a=2', 'a=2', 'a=2', 'a=2', 'a=2')).toEqual([1, 2, 3, 1, 2, 3, 4, 'stop']);
  });
  it('a test that is run again after edits is not a loop', () => {
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
  it('a poll with a second between its calls is not stopped before the 20th (issue 14 › circles)', () => {
    const counts = Array.from({length: 19}, (_, at) => at + 1);
    expect(playSlowly(1000, ...Array<string>(20).fill('a=1'))).toEqual([...counts, 'stop']);
    expect(playSlowly(999, ...Array<string>(5).fill('a=1'))).toEqual([1, 2, 3, 4, 'stop']);
    expect(playSlowly(600, ...Array.from({length: 38}, (_, at) => (at % 2 === 0 ? 'wait=' : 'look=no'))).includes('stop')).toBe(false);
  });
  it.each<[string, string[], number]>([
    ['the same read', ['read=1'], 5],
    ['two reads in turns', ['read1=1', 'read2=1'], 10],
    ['a read after each sleep', ['sleep=', 'read=1'], 40],
  ])('a slow model does not poll by reading: %s', (_name, round, stop) => {
    const played = playSlowly(60_000, ...Array.from({length: 40}, () => round).flat());
    expect(played.indexOf('stop') + 1).toBe(stop);
  });
  it.each<[SideEffect, string, boolean]>([
    ['execute', 'bash', true],
    ['network', 'web_fetch', true],
    ['interact', 'question', true],
    ['read', 'task', true],
    ['read', 'read', false],
    ['read', 'grep', false],
    ['write', 'write', false],
    ['pure', 'todo', false],
  ])('may wait for something: %s of %s, %s', (sideEffect, permission, expected) => {
    expect(mayWait({sideEffect, permission})).toBe(expected);
  });
  it('says which repetition is not run, and leaves commands that fail to the agent until the eighth', () => {
    let now = 0;
    const guard = createLoopGuard(() => now);
    const seen = {digest: '1', mayWait: true};
    expect(Array.from({length: 4}, () => guard.record('a', seen).stopAt)).toEqual([5, 5, 5, 5]);
    now = 5000;
    expect(guard.record('a', seen)).toEqual({times: 5, stopAt: 20});
    const failing = Array.from({length: 8}, () => guard.refuses('b') ?? guard.record('b', {digest: '1', isFailedCommand: true}).stopAt);
    expect(failing).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, undefined, 8]);
  });
});
