import {describe, expect, it} from 'vitest';
import {createSlots} from '../../../src/agent/delegation/slots.ts';

const never = new AbortController().signal;
const settled = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));

describe('slots: released whatever happens (VT Code issue 576: "maximum concurrent sub-agents" because finished ones were not released)', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['success', async () => 'done'],
    ['a rejection', async () => await Promise.reject(new Error('failed'))],
    [
      'an exception before anything was awaited',
      () => {
        throw new Error('thrown');
      },
    ],
  ])('after %s', async (_, body) => {
    const slots = createSlots(1);
    for (let round = 0; round < 5; round += 1) await slots.run(body, never).catch(() => undefined);
    expect(slots.busy).toBe(0);
    expect(await slots.run(async () => 'next', never)).toBe('next');
  });

  it('after a cancellation, also of one that still waits: nothing of it runs, and the next one does', async () => {
    const slots = createSlots(1);
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    const first = slots.run(async () => await gate.promise, never);
    const cancel = new AbortController();
    const second = slots.run(async () => void ran.push('second'), cancel.signal);
    const third = slots.run(async () => void ran.push('third'), never);
    cancel.abort();
    await expect(second).rejects.toThrow('Cancelled.');
    gate.resolve();
    await Promise.all([first, third]);
    expect([ran, slots.busy]).toEqual([['third'], 0]);
    await expect(slots.run(async () => 'x', cancel.signal)).rejects.toThrow('Cancelled.');
    expect(slots.busy).toBe(0);
  });

  it('never more at the same time than there are, in the order of asking', async () => {
    const slots = createSlots(3);
    const begun: number[] = [];
    let busy = 0;
    let most = 0;
    await Promise.all(
      Array.from({length: 12}, (_, index) =>
        slots.run(async () => {
          begun.push(index);
          most = Math.max(most, (busy += 1));
          await settled();
          busy -= 1;
        }, never),
      ),
    );
    expect([most, begun]).toEqual([3, Array.from({length: 12}, (_, index) => index)]);
  });
});
