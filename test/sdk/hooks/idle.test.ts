import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import type {Hooks} from '../../../src/agent/hooks/hooks.ts';
import {readHooks} from '../../../src/agent/hooks/read-hooks.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createNotifier, IDLE_MS} from '../../../src/sdk/hooks/hook-notices.ts';
import {turnCompleted, turnStarted} from '../../sessions/events.ts';

function rig(hasPerson: boolean): {asked: unknown[]; observe: (event: ThreadEvent) => void; end: () => Promise<void>} {
  const asked: unknown[] = [];
  const found = readHooks({notification: [{matcher: 'idle_prompt', command: 'x'}]}, 'user').hooks;
  const hooks: Hooks = {
    of: (event) => found.filter((hook) => hook.event === event),
    takeStop: () => undefined,
    async ask(_hook, payload) {
      asked.push(payload);
      return {notices: []};
    },
  };
  const notifier = createNotifier(hooks);
  notifier.aroundApproval(hasPerson ? async () => ({decision: 'allow'}) : undefined);
  return {asked, observe: notifier.observe, end: notifier.end};
}

describe('idle_prompt (vtcode architecture › notifications)', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('when nobody has gone on for a minute after a turn, once', async () => {
    const {asked, observe} = rig(true);
    observe(turnCompleted());
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(IDLE_MS * 10);
    expect(asked).toEqual([{notification_type: 'idle_prompt', title: 'Fettle', message: 'Fettle waits for your input.'}]);
  });

  it('not while a turn runs, not after the end, not where nobody is there', async () => {
    const [busy, over, alone] = [rig(true), rig(true), rig(false)];
    for (const {observe} of [busy, over, alone]) observe(turnCompleted());
    busy.observe(turnStarted('trn_2'));
    await over.end();
    await vi.advanceTimersByTimeAsync(IDLE_MS * 2);
    expect([busy.asked, over.asked, alone.asked]).toEqual([[], [], []]);
  });
});
