import {describe, expect, it} from 'vitest';
import type {Checkpoint} from '../../../../src/workspace/checkpoints/checkpoint.ts';
import {checkpointFrom, netChanges} from '../../../../src/workspace/checkpoints/read-checkpoints.ts';
import {undoState} from '../../../../src/workspace/checkpoints/restore/undo-chain.ts';

function chain(...steps: readonly string[]): Checkpoint[] {
  return steps.map((step, n) => {
    const [id = '', target] = step.split('<');
    const kind = target === undefined ? 'turn' : 'restore';
    return {
      id,
      kind,
      target: target ?? `trn_${n}`,
      session: 's',
      scope: 'both',
      title: '',
      startedAt: '',
      isClosed: true,
      changes: new Map(),
      notes: [],
      openScan: false,
      isInterrupted: id.endsWith('!'),
      isDamaged: false,
    };
  });
}

describe('undo and redo', () => {
  it.each([
    [[], [], undefined, undefined],
    [['A', 'B'], [], 'B', undefined],
    [['A', 'B', 'u<B'], ['B'], 'A', 'u'],
    [['A', 'B', 'u<B', 'v<A'], ['A', 'B'], undefined, 'v'],
    [['A', 'B', 'u<B', 'v<A', 'r<v'], ['B'], 'A', 'u'],
    [['A', 'B', 'u<B', 'v<A', 'r<v', 's<u'], [], 'B', undefined],
    [['A', 'B', 'u<B', 'C'], ['B'], 'C', undefined],
    [['A', 'B', 'C', 'u<A'], ['A', 'B', 'C'], undefined, 'u'],
    [['A', 'u<A', 'r<u', 'w<A'], ['A'], undefined, 'w'],
    [['A', 'u<dropped'], [], 'A', undefined],
    [['A', 'B', 'u!<B'], [], 'B', undefined],
    [['A', 'B', 'u!<B', 'v<B'], ['B'], 'A', 'u!'],
    [['A', 'B', 'u!<B', 'w!<B', 'v<B'], ['B'], 'A', 'u!'],
    [['A', 'B', 'u!<B', 'v<A'], ['A', 'B'], undefined, 'v'],
    [['A', 'B', 'u!<B', 'v<B', 'r<u!'], [], 'B', undefined],
    [['A', 'B', 'u!<B', 'C', 'v<C'], ['C'], 'B', 'v'],
    [['A', 'u<A', 'r!<u'], ['A'], undefined, 'u'],
  ])('%j', (steps, undone, undo, redo) => {
    const state = undoState(chain(...steps));
    expect([[...state.undone], state.undo?.id, state.redo?.id]).toEqual([undone, undo, redo]);
  });
});

describe('a record', () => {
  const begin = JSON.stringify({
    t: 'begin',
    v: 1,
    id: 'c',
    session: 's',
    kind: 'turn',
    target: 't',
    scope: 'files',
    title: 'x',
    startedAt: '',
  });
  const file = (hash: string): object => ({kind: 'file', mode: 0o644, size: 1, hash: hash.repeat(64)});
  const line = (t: string, p: string, s: unknown): string => JSON.stringify({t, p, s});

  it('the first state before and the last one after count; what is the same in the end is not a change', () => {
    const text = [
      begin,
      line('before', 'a', file('1')),
      line('after', 'a', file('2')),
      line('before', 'b', null),
      line('after', 'b', file('1')),
    ];
    text.push(line('before', 'a', file('2')), line('after', 'a', file('3')), line('after', 'b', null));
    const record = checkpointFrom(text.join('\n'), true);
    expect(record === undefined ? [] : netChanges(record)).toEqual([['a', {before: file('1'), after: file('3')}]]);
  });

  it('a line that was cut off is passed over; a touch without an after is a change that is not known', () => {
    const text = [
      begin,
      line('before', 'a', file('1')),
      line('after', 'a', file('1')),
      JSON.stringify({t: 'touch', p: 'a'}),
      '{"t":"before","p":"b","s":{"ki',
    ];
    const record = checkpointFrom(text.join('\n'), false);
    expect([...(record?.changes ?? [])]).toEqual([['a', {before: file('1'), after: undefined}]]);
    expect(checkpointFrom('{"t":"beg', false)).toBeUndefined();
  });
});
