import {describe, expect, it} from 'vitest';
import {newId} from '../../src/base/ids.ts';

describe('newId', () => {
  it('sorts by time, and two of the same millisecond differ', () => {
    const at = Date.UTC(2026, 0, 1);
    const [early, late, again] = [newId('thr', at), newId('thr', at + 1), newId('thr', at)];
    expect(early < late).toBe(true);
    expect(again).not.toBe(early);
    expect(early).toMatch(/^thr_[0-9a-z]{19}$/);
  });
});
