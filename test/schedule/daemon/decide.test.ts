import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decide, LATE_MS, type Decision, type JobSituation} from '../../../src/schedule/daemon/decide.ts';
import type {OpenRun} from '../../../src/schedule/store/schedule-store.ts';
import {nextDue} from '../../../src/schedule/times/due-times.ts';
import {job, type JobChoice} from '../support/job.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** Decides about a job that is due each hour. */
function decided(
  choice: JobChoice,
  moment: Partial<Omit<JobSituation, 'job' | 'open'>> & {open?: readonly OpenRun['status'][]; now: number},
): Decision {
  const {open = [], ...rest} = moment;
  return decide({
    job: job(choice),
    state: {watermark: 0, paused: false},
    recorded: new Set(),
    ...rest,
    open: open.map((status, index) => ({id: index + 1, job: 'nightly', createdAt: 0, due: -index, trigger: 'due', status, attempt: 0})),
  });
}

const MISSED = 'It was missed: the computer slept or was off, or no daemon ran.';

describe('a due time', () => {
  it('is claimed when it comes, once, and the next one is ahead', () => {
    expect(decided({}, {now: HOUR})).toEqual({claims: [{due: HOUR, trigger: 'due'}], skips: [], watermark: HOUR, next: 2 * HOUR});
    expect(decided({}, {now: HOUR + 1, state: {watermark: HOUR, paused: false}})).toEqual({
      claims: [],
      skips: [],
      watermark: HOUR + 1,
      next: 2 * HOUR,
    });
    expect(decided({}, {now: HOUR - 1})).toEqual({claims: [], skips: [], watermark: HOUR - 1, next: HOUR});
  });

  it('counts as missed after two minutes', () => {
    expect(decided({missed: 'skip'}, {now: HOUR + LATE_MS}).claims).toEqual([{due: HOUR, trigger: 'due'}]);
    expect(decided({missed: 'skip'}, {now: HOUR + LATE_MS + 1})).toEqual({
      claims: [],
      skips: [{due: HOUR, trigger: 'missed', note: MISSED}],
      watermark: HOUR + LATE_MS + 1,
      next: 2 * HOUR,
    });
  });

  it('is none while the job is paused or waits for a person, and nothing is ahead then', () => {
    const nothing = {claims: [], skips: [], watermark: 0};
    expect(decided({}, {now: 5 * HOUR, state: {watermark: 0, paused: true}})).toEqual(nothing);
    expect(decided({}, {now: 5 * HOUR, state: {watermark: 0, paused: false, waiting: 'It changed.'}})).toEqual(nothing);
  });

  it('of one moment is the last', () => {
    const timing = {kind: 'at', at: HOUR} as const;
    expect(decided({timing}, {now: 0}).next).toBe(HOUR);
    expect(decided({timing}, {now: HOUR})).toEqual({claims: [{due: HOUR, trigger: 'due'}], skips: [], watermark: HOUR, next: undefined});
  });
});

describe('after three days of sleep (72 due times and 5 minutes)', () => {
  const now = 72 * HOUR + 5 * MINUTE;

  it('`skip` runs none and says how many there were', () => {
    expect(decided({missed: 'skip'}, {now})).toMatchObject({
      claims: [],
      skips: [{due: 72 * HOUR, trigger: 'missed', note: `${MISSED} This stands for 72 due times.`}],
    });
  });

  it('`once` runs the newest', () => {
    expect(decided({missed: 'once'}, {now})).toMatchObject({
      claims: [{due: 72 * HOUR, trigger: 'missed'}],
      skips: [{due: 71 * HOUR, trigger: 'missed', note: `${MISSED} This stands for 71 due times.`}],
    });
  });

  it('`once` runs none of them where the one of now runs', () => {
    expect(decided({missed: 'once'}, {now: 72 * HOUR})).toMatchObject({
      claims: [{due: 72 * HOUR, trigger: 'due'}],
      skips: [{due: 71 * HOUR, note: `${MISSED} This stands for 71 due times.`}],
    });
  });

  it('`all` runs all, oldest first', () => {
    const {claims, skips} = decided({missed: 'all'}, {now});
    expect(claims).toEqual(Array.from({length: 72}, (_, index) => ({due: (index + 1) * HOUR, trigger: 'missed'})));
    expect(skips).toEqual([]);
  });

  it('`all` is bounded to the newest hundred', () => {
    const {claims, skips} = decided({missed: 'all'}, {now: 500 * HOUR + 5 * MINUTE});
    expect(claims.map(({due}) => due / HOUR)).toEqual(Array.from({length: 99}, (_, index) => 402 + index));
    expect(skips).toEqual([{due: 401 * HOUR, trigger: 'missed', note: `${MISSED} This stands for 401 due times.`}]);
  });
});

describe('a due time while an earlier run goes on', () => {
  it('`skip` leaves it out', () => {
    const left = {claims: [], skips: [{due: HOUR, trigger: 'due', note: 'An earlier run still goes on.'}], watermark: HOUR, next: 2 * HOUR};
    expect(decided({overlap: 'skip'}, {now: HOUR, open: ['running']})).toEqual(left);
    expect(decided({overlap: 'skip'}, {now: HOUR, open: ['claimed']})).toEqual(left);
  });

  it('`queue` lets ten wait', () => {
    const nine = ['running', ...Array.from({length: 9}, () => 'claimed' as const)] as const;
    expect(decided({overlap: 'queue'}, {now: HOUR, open: nine}).claims).toEqual([{due: HOUR, trigger: 'due'}]);
    expect(decided({overlap: 'queue'}, {now: HOUR, open: [...nine, 'claimed']})).toMatchObject({
      claims: [],
      skips: [{due: HOUR, trigger: 'due', note: '10 runs of the job wait already.'}],
    });
  });

  it('`cancel-old` takes its place', () => {
    expect(decided({overlap: 'cancel-old'}, {now: HOUR, open: ['running']})).toEqual({
      claims: [{due: HOUR, trigger: 'due'}],
      skips: [],
      replace: 'A later due time took its place.',
      watermark: HOUR,
      next: 2 * HOUR,
    });
    expect(decided({overlap: 'cancel-old'}, {now: HOUR})).not.toHaveProperty('replace');
    expect(decided({overlap: 'cancel-old', missed: 'skip'}, {now: HOUR + 5 * MINUTE, open: ['running']})).not.toHaveProperty('replace');
  });

  it('holds for missed due times, too', () => {
    expect(decided({missed: 'all'}, {now: 2 * HOUR + 5 * MINUTE, open: ['running']})).toMatchObject({
      claims: [],
      skips: [{due: 2 * HOUR, trigger: 'missed', note: 'An earlier run still goes on. This stands for 2 due times.'}],
    });
  });
});

describe('a clock that is set', () => {
  it('back: nothing is due, and the due times that come again have been run', () => {
    expect(decided({}, {now: HOUR, state: {watermark: 3 * HOUR, paused: false}})).toEqual({
      claims: [],
      skips: [],
      watermark: HOUR,
      next: 2 * HOUR,
    });
    expect(decided({}, {now: 2 * HOUR, state: {watermark: HOUR, paused: false}, recorded: new Set([2 * HOUR])})).toEqual({
      claims: [],
      skips: [],
      watermark: 2 * HOUR,
      next: 3 * HOUR,
    });
  });
});

describe('in general', () => {
  const timings = fc.oneof(
    fc.record({
      kind: fc.constant('every' as const),
      seconds: fc.integer({min: 60, max: 100_000}),
      anchor: fc.integer({min: -1e9, max: 1e9}),
    }),
    fc.record({kind: fc.constant('at' as const), at: fc.integer({min: 0, max: 1e9})}),
    fc.record({
      kind: fc.constant('cron' as const),
      expression: fc.constantFrom('*/7 * * * *', '0 7 * * 1-5'),
      timeZone: fc.constant('Europe/Berlin'),
    }),
  );
  const situations = fc.record({
    timing: timings,
    missed: fc.constantFrom('skip' as const, 'once' as const, 'all' as const),
    overlap: fc.constantFrom('skip' as const, 'queue' as const, 'cancel-old' as const),
    now: fc.integer({min: 0, max: 1e9}),
    watermark: fc.integer({min: 0, max: 1e9}),
    open: fc.array(fc.constantFrom('claimed' as const, 'running' as const), {maxLength: 12}),
  });

  it('no due time is decided twice, none lies outside the span, and what passed is never just forgotten', () => {
    fc.assert(
      fc.property(situations, ({timing, missed, overlap, now, watermark, open}) => {
        const plan = decided({timing, missed, overlap}, {now, state: {watermark, paused: false}, open});
        const all = [...plan.claims, ...plan.skips].map(({due}) => due);
        expect(new Set(all).size).toBe(all.length);
        for (const due of all) {
          expect(due > watermark && due <= now).toBe(true);
          expect(nextDue(timing, due - 1)).toBe(due);
        }
        expect(plan.watermark).toBe(now);
        expect(plan.next).toBe(nextDue(timing, now));
        const first = nextDue(timing, watermark);
        expect(all.length > 0).toBe(first !== undefined && first <= now);
        expect(plan.claims.length).toBeLessThanOrEqual(100 + 3);
        expect(plan.claims).toEqual(plan.claims.toSorted((a, b) => a.due - b.due));
      }),
    );
  });
});
