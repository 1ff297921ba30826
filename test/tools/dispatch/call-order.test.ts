import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {SideEffect} from '../../../src/protocol/side-effect.ts';
import {planSteps, type PlannedCall} from '../../../src/tools/dispatch/call-order.ts';

const read = (key: string): PlannedCall => ({sideEffect: 'read', key});
const write = (key: string | undefined): PlannedCall => ({sideEffect: 'write', key});
const command: PlannedCall = {sideEffect: 'execute', key: undefined};

describe('the steps of a reply', () => {
  it('reads together, writes of different files together, commands alone, in the order of the calls', () => {
    expect(planSteps([read('a'), read('b'), write('x'), write('y'), write('x'), command, command, read('a')])).toEqual([
      [0, 1],
      [2, 3],
      [4],
      [5],
      [6],
      [7],
    ]);
  });
  it('the same read twice runs one after the other', () => {
    expect(planSteps([read('a'), read('a')])).toEqual([[0], [1]]);
  });
  it('a write without a key is alone', () => {
    expect(planSteps([write('x'), write(undefined), write('y')])).toEqual([[0], [1], [2]]);
  });

  const effects = fc.constantFrom<SideEffect>('pure', 'read', 'write', 'execute', 'network', 'interact');
  const calls = fc.array(fc.record({sideEffect: effects, key: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), {nil: undefined})}), {
    maxLength: 40,
  });
  it('any reply: every call once, in order, at most 8 at a time, never two of one key, never a mutation beside a read', () => {
    fc.assert(
      fc.property(calls, (planned) => {
        const steps = planSteps(planned);
        expect(steps.flat()).toEqual(planned.map((_, index) => index));
        for (const step of steps) {
          const members = step.map((place) => planned[place]);
          const keys = members.map((member) => member?.key);
          const kinds = new Set(members.map((member) => (member?.sideEffect === 'pure' ? 'read' : member?.sideEffect)));
          expect(step.length).toBeLessThanOrEqual(8);
          expect(step.length === 1 || (new Set(keys).size === step.length && kinds.size === 1 && !keys.includes(undefined))).toBe(true);
          expect(step.length === 1 || kinds.has('read') || kinds.has('write')).toBe(true);
        }
      }),
    );
  });
  it('9 reads are two steps', () => {
    expect(planSteps(Array.from({length: 9}, (_, index) => read(String(index)))).map((step) => step.length)).toEqual([8, 1]);
  });
});
