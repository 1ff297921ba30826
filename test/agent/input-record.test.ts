import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createInputQueue} from '../../src/agent/input-queue.ts';
import {createInputRecord, type QueuedInput} from '../../src/agent/input-record.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';

const queued = ({id, kind, text}: QueuedInput): ThreadEvent => ({type: 'input.queued', thread_id: 'thr_1', input_id: id, kind, text});
const applied = ({id, text}: QueuedInput): ThreadEvent => ({
  type: 'item.completed',
  turn_id: 'trn_1',
  item: {id: `itm_${id}`, type: 'user_message', text, input_id: id},
});

describe('the record of queued inputs (VT Code 1.5: crash-durable, with ids)', () => {
  it('an input that was accepted and not applied waits; the word that it is being applied does not count', () => {
    const record = createInputRecord();
    const [a, b] = [
      {id: 'a', kind: 'steer', text: 'A'},
      {id: 'b', kind: 'follow_up', text: 'B'},
    ] as const;
    for (const event of [
      queued(a),
      queued(b),
      applied(a),
      {type: 'interjected', turn_id: 't', source: 'follow_up', input_id: 'b'} as const,
    ]) {
      record.observe(event);
    }
    expect([record.waiting(), record.knows('a'), record.knows('b'), record.knows('c')]).toEqual([[b], true, true, false]);
  });

  it('wherever a log ends, each input is applied once in the end', () => {
    const input = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom('steer' as const, 'follow_up' as const),
      text: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(input, {maxLength: 12}), fc.nat(30), (inputs, crash) => {
        const log: ThreadEvent[] = [];
        const life = (steps: number): void => {
          const record = createInputRecord();
          for (const event of log) record.observe(event);
          const left = {steps};
          const write = (event: ThreadEvent): void => {
            if (left.steps === 0) throw new Error('killed');
            left.steps -= 1;
            log.push(event);
          };
          const queue = createInputQueue({earlier: record, accept: (one) => write(queued(one))});
          for (const {id, kind, text} of inputs) queue.add(kind, text, id);
          for (let next = queue.take(); next !== undefined; next = queue.take()) write(applied(next));
        };
        try {
          life(crash);
        } catch {
          // killed
        }
        life(Infinity);
        const ids = log.flatMap((event) => (event.type === 'item.completed' && 'input_id' in event.item ? [event.item.input_id] : []));
        expect(ids).toHaveLength(new Set(ids).size);
        expect(new Set(ids)).toEqual(new Set(inputs.map(({id}) => id)));
      }),
    );
  });

  it('what could not be written down is not accepted', () => {
    const queue = createInputQueue({
      accept: () => {
        throw new Error('disk full');
      },
    });
    expect(() => queue.add('steer', 'x', 'a')).toThrow('disk full');
    expect(queue.size).toBe(0);
  });

  it('the same id again is the same input, also when it was applied', () => {
    const accepted: string[] = [];
    const queue = createInputQueue({accept: ({id}) => void accepted.push(id)});
    expect([queue.add('steer', 'x', 'a'), queue.add('steer', 'x', 'a'), queue.size]).toEqual(['a', 'a', 1]);
    queue.take();
    expect([queue.add('follow_up', 'x', 'a'), queue.size, accepted]).toEqual(['a', 0, ['a']]);
  });
});
