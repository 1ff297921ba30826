import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {latenessOf, momentOf} from '../../../src/schedule/session/jitter.ts';
import {createSessionSchedule, type SessionSchedule} from '../../../src/schedule/session/session-schedule.ts';
import {snapInterval} from '../../../src/schedule/session/snap-interval.ts';
import type {TaskRequest} from '../../../src/tools/ports/session-tasks.ts';
import {manualClock, type ManualClock} from './manual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Monday, 10:00 in Berlin. */
const NOW = Date.parse('2026-11-23T10:00:00+01:00');
const ZONE = 'Europe/Berlin';

interface Opened {
  readonly clock: ManualClock;
  readonly schedule: SessionSchedule;
  /** How often the host was called. */
  readonly calls: () => number;
}

function opened(): Opened {
  const clock = manualClock(NOW);
  let calls = 0;
  let ids = 0;
  const newId = (): string => String((ids += 1)).padStart(8, '0');
  const schedule = createSessionSchedule({clock, timeZone: ZONE, newId, onDue: () => (calls += 1)});
  return {clock, schedule, calls: () => calls};
}

async function refusal(made: Promise<unknown>): Promise<readonly (string | undefined)[]> {
  try {
    await made;
    return ['no error'];
  } catch (error) {
    return isFettleError(error) ? [error.code, error.message, error.hint] : [String(error)];
  }
}

const late = (id: string, period: number): number => latenessOf(id, period);

describe('a task of a session', () => {
  it('says when it is due, and is handed out once it is', async () => {
    const {clock, schedule, calls} = opened();
    const created = await schedule.create({prompt: 'check the build', every: '10m'});
    const lateness = late('00000001', 10 * MINUTE);
    expect(created).toEqual({
      id: '00000001',
      name: 'check the build',
      prompt: 'check the build',
      isReminder: false,
      timing: 'every 10 minutes',
      nextDue: NOW + 10 * MINUTE + lateness,
      next: '2026-11-23 10:10',
      note: undefined,
    });
    clock.advance(10 * MINUTE + lateness - 1);
    expect([calls(), schedule.hasDue(), schedule.takeDue()]).toEqual([0, false, undefined]);
    clock.advance(1);
    expect([calls(), schedule.hasDue()]).toEqual([1, true]);
    expect(schedule.takeDue()).toEqual({
      id: '00000001',
      name: 'check the build',
      prompt: 'check the build',
      isReminder: false,
      times: 1,
      isLast: false,
    });
    expect([schedule.takeDue(), schedule.list().map(({nextDue}) => nextDue)]).toEqual([undefined, [NOW + 20 * MINUTE + lateness]]);
  });

  it('that became due several times while the session was busy is handed out once, and says how many', async () => {
    const {clock, schedule, calls} = opened();
    await schedule.create({prompt: 'check', every: '10m'});
    clock.advance(35 * MINUTE);
    expect([calls(), schedule.takeDue()?.times, schedule.takeDue()]).toEqual([1, 3, undefined]);
  });

  it('for one moment is over with it', async () => {
    const {clock, schedule} = opened();
    const {timing, next} = await schedule.create({prompt: 'run the tests', at: 'in 20 minutes'});
    expect([timing, next]).toEqual(['once', '2026-11-23 10:20']);
    clock.advance(20 * MINUTE);
    expect([schedule.takeDue()?.isLast, schedule.list(), clock.waits()]).toEqual([false, [], []]);
  });

  it('by a cron expression follows the clock of the session', async () => {
    const {clock, schedule} = opened();
    const {timing, next} = await schedule.create({prompt: 'report', cron: '30 12 * * 1-5', name: 'noon report'});
    expect([timing, next]).toEqual(['30 12 * * 1-5 Europe/Berlin', '2026-11-23 12:30']);
    clock.advance(3 * HOUR);
    expect([schedule.takeDue()?.name, schedule.list()[0]?.next]).toEqual(['noon report', '2026-11-24 12:30']);
  });

  it('is handed out in the order of the due times', async () => {
    const {clock, schedule} = opened();
    await schedule.create({prompt: 'late', at: 'in 30 minutes'});
    await schedule.create({prompt: 'early', at: 'in 10 minutes'});
    expect(schedule.list().map(({prompt}) => prompt)).toEqual(['early', 'late']);
    clock.advance(HOUR);
    expect([schedule.takeDue()?.prompt, schedule.takeDue()?.prompt, schedule.takeDue()]).toEqual(['early', 'late', undefined]);
  });

  it('expires after 72 hours: the last time says so', async () => {
    const {clock, schedule} = opened();
    await schedule.create({prompt: 'check', every: '1 day'});
    const runs: unknown[] = [];
    for (let day = 0; day < 5; day += 1) {
      clock.advance(25 * HOUR);
      const task = schedule.takeDue();
      if (task !== undefined) runs.push([day, task.times, task.isLast]);
    }
    // The third due time is late by the jitter, and so after the expiry.
    expect([runs, schedule.list(), clock.waits()]).toEqual([
      [
        [0, 1, false],
        [1, 1, true],
      ],
      [],
      [],
    ]);
  });

  it('is cancelled by its id, once', async () => {
    const {clock, schedule, calls} = opened();
    const {id} = await schedule.create({prompt: 'check', every: '10m'});
    expect(schedule.cancel(id).prompt).toBe('check');
    expect([schedule.list(), clock.waits()]).toEqual([[], []]);
    clock.advance(HOUR);
    expect(calls()).toBe(0);
    expect(() => schedule.cancel(id)).toThrow('There is no scheduled task "00000001" in this session.');
  });

  it('cancelled when it is due is not handed out', async () => {
    const {clock, schedule} = opened();
    const {id} = await schedule.create({prompt: 'check', every: '10m'});
    clock.advance(HOUR);
    schedule.cancel(id);
    expect([schedule.hasDue(), schedule.takeDue()]).toEqual([false, undefined]);
  });
});

describe('the schedule of a session', () => {
  it('has one timer at most, none without a task, and looks at the clock every ten minutes (it may be set, the machine may sleep)', async () => {
    const {clock, schedule, calls} = opened();
    expect(clock.waits()).toEqual([]);
    await schedule.create({prompt: 'one', at: 'in 5 hours'});
    await schedule.create({prompt: 'two', at: 'in 4 hours'});
    expect(clock.waits()).toEqual([10 * MINUTE]);
    clock.set(NOW + 6 * HOUR);
    clock.advance(10 * MINUTE);
    expect([calls(), schedule.takeDue()?.prompt, schedule.takeDue()?.prompt]).toEqual([1, 'two', 'one']);
  });

  it('has no timer while all that is due waits for an idle session', async () => {
    const {clock, schedule, calls} = opened();
    await schedule.create({prompt: 'one', every: '1m'});
    clock.advance(5 * MINUTE);
    expect([calls(), clock.waits()]).toEqual([1, []]);
    schedule.takeDue();
    expect(clock.waits()).toHaveLength(1);
  });

  it('ends with the session, and says what was left', async () => {
    const {clock, schedule, calls} = opened();
    await schedule.create({prompt: 'one', every: '1m'});
    expect([schedule.close().map(({prompt}) => prompt), clock.waits()]).toEqual([['one'], []]);
    clock.advance(HOUR);
    expect(calls()).toBe(0);
    expect(await refusal(schedule.create({prompt: 'two', every: '1m'}))).toEqual([
      'UNAVAILABLE',
      'The session is over.',
      'Open it again, then schedule.',
    ]);
  });

  it('has at most 50 tasks', async () => {
    const {schedule} = opened();
    for (let count = 0; count < 50; count += 1) await schedule.create({prompt: `task ${count}`, every: '1h'});
    expect(await refusal(schedule.create({prompt: 'one more', every: '1h'}))).toEqual([
      'LIMIT',
      'A session has at most 50 scheduled tasks.',
      'Cancel one that is not needed any more.',
    ]);
  });

  it.each<readonly [TaskRequest, string, string]>([
    [{prompt: ' ', every: '1h'}, 'A task needs a prompt.', 'Say what is to be done: /loop 10m check the build'],
    [
      {prompt: 'x'.repeat(8001), every: '1h'},
      'The prompt has more than 8000 characters.',
      'Put the details into a file, and name it in the prompt.',
    ],
    [
      {prompt: 'x'},
      'A task needs exactly one of an interval, a cron expression and a moment.',
      'Give one: every "10m", cron "0 9 * * 1-5" or at "15:00".',
    ],
    [
      {prompt: 'x', every: '1h', at: '15:00'},
      'A task needs exactly one of an interval, a cron expression and a moment.',
      'Give one: every "10m", cron "0 9 * * 1-5" or at "15:00".',
    ],
    [{prompt: 'x', every: 'soon'}, '"soon" is not an interval.', 'Examples: "10m", "2 hours", "1h30m".'],
    [
      {prompt: 'x', every: '2 days'},
      'A task of a session repeats at least once a day.',
      'For longer intervals add a durable job: fettle schedule add --every … --prompt …',
    ],
    [
      {prompt: 'x', at: '2026-12-24 18:00'},
      'A task of a session lives for 72 hours, and this one is first due 2026-12-24 18:00.',
      'Add a durable job instead: fettle schedule add --help',
    ],
    [
      {prompt: 'x', cron: '0 9 1 1 *'},
      'A task of a session lives for 72 hours, and this one is first due 2027-01-01 09:00.',
      'Add a durable job instead: fettle schedule add --help',
    ],
    [
      {prompt: 'x', at: '2026-11-23 09:00'},
      '"2026-11-23 09:00" is past: it was understood as 2026-11-23 09:00 Europe/Berlin.',
      'Give a moment after 2026-11-23 10:00.',
    ],
    [
      {prompt: 'x', cron: '0 0 30 2 *'},
      'The cron expression "0 0 30 2 *" cannot be used: it never comes: none of its months has such a day.',
      'Change the day of the month or the month.',
    ],
  ])('refuses %j', async (request, message, hint) => {
    const {schedule} = opened();
    expect([await refusal(schedule.create(request)), schedule.list()]).toEqual([['USAGE', message, hint], []]);
  });

  it('names a task by the beginning of its prompt, in one line', async () => {
    const {schedule} = opened();
    const {name} = await schedule.create({prompt: `check\nthe build ${'and the tests '.repeat(10)}`, every: '1h'});
    expect(name).toBe('check the build and the tests and the t…');
  });

  it('hands each due time out once, however long the session is busy (property)', async () => {
    const steps = fc.array(fc.record({ms: fc.integer({min: 0, max: 40 * MINUTE}), isIdle: fc.boolean()}), {maxLength: 30});
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('1m', '7m', '10m', '1h'), steps, async (interval, all) => {
        const {clock, schedule} = opened();
        const {nextDue, timing} = await schedule.create({prompt: 'check', every: interval});
        const minutes = Number(/\d+/.exec(timing)?.[0] ?? 1);
        const period = (timing.endsWith('hour') ? 60 : minutes) * MINUTE;
        let handedOut = 0;
        for (const {ms, isIdle} of all) {
          clock.advance(ms);
          if (isIdle) handedOut += schedule.takeDue()?.times ?? 0;
        }
        handedOut += schedule.takeDue()?.times ?? 0;
        expect(handedOut).toBe(Math.max(0, Math.floor((clock.now() - nextDue) / period) + 1));
      }),
      {numRuns: 60},
    );
  });
});

describe('snapInterval', () => {
  it.each([
    [1, 60],
    [30, 60],
    [60, 60],
    [61, 120],
    [7 * 60, 360],
    [8 * 60, 600],
    [25 * 60, 1800],
    [45 * 60, 3600],
    [90 * 60, 7200],
    [5 * 3600, 21_600],
    [18 * 3600, 86_400],
    [86_400, 86_400],
  ])('%d seconds become %d (ties go up)', (seconds, snapped) => {
    expect(snapInterval(seconds).seconds).toBe(snapped);
  });

  it('says it where the interval is another one', () => {
    expect([snapInterval(420).note, snapInterval(5400).note, snapInterval(600).note]).toEqual([
      'Every 7 minutes becomes every 6 minutes.',
      'Every 1 hour 30 minutes becomes every 2 hours.',
      undefined,
    ]);
  });
});

describe('jitter', () => {
  const id = fc.stringMatching(/^[0-9a-f]{8}$/);

  it('is at most a tenth of the period and a quarter of an hour, the same for an id (property)', () => {
    fc.assert(
      fc.property(id, fc.integer({min: MINUTE, max: 24 * HOUR}), (task, period) => {
        const lateness = latenessOf(task, period);
        expect([lateness >= 0, lateness <= Math.min(period / 10, 15 * MINUTE), latenessOf(task, period) === lateness]).toEqual([
          true,
          true,
          true,
        ]);
      }),
    );
  });

  it('spreads tasks over the span', () => {
    const tenths = Array.from({length: 1000}, (_, index) =>
      Math.floor(latenessOf(index.toString(16).padStart(8, '0'), 24 * HOUR) / 90_000),
    );
    expect(new Set(tenths).size).toBe(10);
  });

  it('moves only full and half hours, at most 90 seconds earlier (property)', () => {
    fc.assert(
      fc.property(id, fc.integer({min: 0, max: 2000}), (task, minutes) => {
        const at = NOW + minutes * MINUTE;
        const early = at - momentOf(task, at, ZONE);
        expect(early >= 0 && early < (minutes % 30 === 0 ? 90_000 : 1)).toBe(true);
      }),
    );
  });
});
