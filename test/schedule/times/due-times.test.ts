import {Cron} from 'croner';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {dueBetween, MOST_COUNTED, nextDue} from '../../../src/schedule/times/due-times.ts';
import {fromLocal, toLocal} from '../../../src/schedule/times/local-time.ts';
import type {Timing} from '../../../src/schedule/times/timing.ts';
import {IS_THOROUGH} from '../../support/thorough.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const every = (seconds: number, anchor = 0): Timing => ({kind: 'every', seconds, anchor});
const cron = (expression: string, timeZone = 'UTC'): Timing => ({kind: 'cron', expression, timeZone});
const utc = (text: string): number => Date.parse(`${text}Z`);
const shown = (moments: readonly number[]): string[] => moments.map((moment) => new Date(moment).toISOString().slice(0, 16));

/** The due times in (after, upTo], one after the other. */
function walk(timing: Timing, after: number, upTo: number): number[] {
  const found: number[] = [];
  for (let due = nextDue(timing, after); due !== undefined && due <= upTo; due = nextDue(timing, due)) found.push(due);
  return found;
}

describe('nextDue', () => {
  it('an interval is first due one period after its anchor, then each period', () => {
    expect([-5, 0, 999, 1000, 60_999, 61_000, 61_001].map((after) => nextDue(every(60, 1000), after))).toEqual([
      61_000, 61_000, 61_000, 61_000, 61_000, 121_000, 121_000,
    ]);
  });

  it('a moment is due once, a moment that is past never', () => {
    expect([nextDue({kind: 'at', at: 10}, 9), nextDue({kind: 'at', at: 10}, 10)]).toEqual([10, undefined]);
  });

  it('is strictly after, to the millisecond', () => {
    const at = utc('2026-01-01T00:01');
    expect([at - 1, at, at + 1].map((after) => nextDue(cron('* * * * *'), after))).toEqual([at, at + MINUTE, at + MINUTE]);
  });
});

/** Five zones with both of their changes: an hour at night, half an hour, and at midnight, so that a day begins at 1:00. */
const CHANGES: readonly (readonly [string, string, string])[] = [
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['America/Santiago', '2026-09-06', '2026-04-05'],
  ['Pacific/Auckland', '2026-09-27', '2026-04-05'],
];

const MONTHS = CHANGES.flatMap(([zone, ...days]) => days.map((day): [string, number] => [zone, utc(`${day}T00:00`)]));

/** The list that croner itself makes. */
function ownList(own: Cron, after: number, upTo: number): number[] {
  const found: number[] = [];
  for (const date of own.enumerate(new Date(after))) {
    if (date.getTime() > upTo) break;
    found.push(date.getTime());
  }
  return found;
}

const EXPRESSIONS = [
  '0 7 * * 1-5',
  '30 2 * * *',
  '30 0 * * *',
  '15,45 0-3 * * *',
  '*/20 * * * *',
  '0 */2 * * *',
  '0 0 * * *',
  '0 12 L * *',
];

describe('a month of due times around both changes of daylight saving, in five time zones', () => {
  it.each(MONTHS)("%s, %d: each list is croner's own", (zone, change) => {
    const [after, upTo] = [change - 15 * DAY, change + 15 * DAY];
    const month = MONTHS.findIndex(([, other]) => other === change);
    for (const expression of EXPRESSIONS.filter((_, index) => IS_THOROUGH || index % 4 === month % 4)) {
      const own = new Cron(expression, {timezone: zone, mode: '5-part', fixedTimeRule: 'no-wildcard'});
      const expected = ownList(own, after, upTo);
      expect(walk(cron(expression, zone), after, upTo)).toEqual(expected);
      expect(dueBetween(cron(expression, zone), {after, upTo, most: 3000})).toEqual({due: expected, omitted: 0});
    }
  });

  it.each(MONTHS)('%s, %d: a time of day comes on each day, and on none twice', (zone, change) => {
    for (const expression of ['30 2 * * *', '0 0 * * *', '30 0 * * *', '15 1 * * *', '59 23 * * *']) {
      const noon = (days: number): number => fromLocal({...toLocal(change + days * DAY, 'UTC'), hour: 12}, zone);
      const due = walk(cron(expression, zone), noon(-15), noon(15));
      const days = due.map((moment) => toLocal(moment, zone)).map(({month, day}) => `${month}-${day}`);
      expect([days.length, new Set(days).size]).toEqual([30, 30]);
    }
  });

  it.each(MONTHS)('%s, %d: every 20 minutes is every 20 minutes, also in the hour that is left out or comes twice', (zone, change) => {
    const due = walk(cron('*/20 * * * *', zone), change - 2 * DAY, change + 2 * DAY);
    const steps = new Set(due.slice(1).map((moment, index) => moment - (due[index] ?? 0)));
    // The clocks of Lord Howe change by half an hour, which is no multiple of 20 minutes.
    expect([...steps].filter((step) => step !== 20 * MINUTE)).toEqual(zone === 'Australia/Lord_Howe' ? [expect.any(Number)] : []);
  });

  it('2:30 in Berlin is 3:00 on the day without it, and the first of both on the other', () => {
    const nights = (from: string): string[] =>
      shown(walk(cron('30 2 * * *', 'Europe/Berlin'), utc(`${from}T12:00`), utc(`${from}T12:00`) + 3 * DAY));
    expect([nights('2026-03-27'), nights('2026-10-23')]).toEqual([
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ]);
  });
});

describe('dueBetween', () => {
  it('gives the newest, oldest first, and counts the others', () => {
    expect(dueBetween(every(60), {after: 0, upTo: 10 * MINUTE, most: 3})).toEqual({due: [8 * MINUTE, 9 * MINUTE, 10 * MINUTE], omitted: 7});
    expect(dueBetween(cron('* * * * *'), {after: 0, upTo: 10 * MINUTE, most: 3})).toEqual({
      due: [8 * MINUTE, 9 * MINUTE, 10 * MINUTE],
      omitted: 7,
    });
    expect(dueBetween({kind: 'at', at: 5}, {after: 4, upTo: 5, most: 3})).toEqual({due: [5], omitted: 0});
    expect(dueBetween({kind: 'at', at: 5}, {after: 5, upTo: 9, most: 3})).toEqual({due: [], omitted: 0});
    expect(dueBetween({kind: 'at', at: 5}, {after: 4, upTo: 5, most: 0})).toEqual({due: [], omitted: 1});
  });

  it('ten years of minutes are counted exactly for an interval, up to a bound for an expression', () => {
    const [after, upTo] = [utc('2016-11-23T00:00'), utc('2026-11-23T00:00')];
    const due = Array.from({length: 100}, (_, index) => upTo - (99 - index) * MINUTE);
    expect(dueBetween(every(60, after), {after, upTo, most: 100})).toEqual({due, omitted: (upTo - after) / MINUTE - 100});
    expect(dueBetween(cron('* * * * *', 'Europe/Berlin'), {after, upTo, most: 100})).toEqual({due, omitted: MOST_COUNTED});
  });

  it('looks at no more of ten years than it returns and counts', () => {
    const looked: number[] = [];
    const original = Cron.prototype.previousRuns;
    Cron.prototype.previousRuns = function (this: Cron, count: number, ...rest) {
      looked.push(count);
      return original.call(this, count, ...rest);
    };
    try {
      dueBetween(cron('* * * * *'), {after: utc('2016-11-23T00:00'), upTo: utc('2026-11-23T00:00'), most: 5});
    } finally {
      Cron.prototype.previousRuns = original;
    }
    expect(looked.reduce((sum, count) => sum + count, 0)).toBe(MOST_COUNTED + 5);
  });

  const anyTiming = fc.oneof(
    fc.record({kind: fc.constant('every' as const), seconds: fc.integer({min: 60, max: 400_000}), anchor: fc.integer({min: 0, max: 2e12})}),
    fc.record({kind: fc.constant('at' as const), at: fc.integer({min: 0, max: 2e12})}),
    fc.record({
      kind: fc.constant('cron' as const),
      expression: fc.constantFrom(...EXPRESSIONS),
      timeZone: fc.constantFrom(...CHANGES.map(([zone]) => zone)),
    }),
  );

  it('is the newest of what nextDue walks through (property)', () => {
    fc.assert(
      fc.property(
        anyTiming,
        fc.integer({min: 1.6e12, max: 1.9e12}),
        fc.integer({min: 0, max: 5 * DAY}),
        fc.nat(40),
        (timing, after, span, most) => {
          const all = walk(timing, after, after + span);
          const omitted = Math.max(0, all.length - most);
          expect(dueBetween(timing, {after, upTo: after + span, most})).toEqual({due: all.slice(omitted), omitted});
        },
      ),
      {numRuns: 60},
    );
  });

  it('spans side by side give each due time once (property)', () => {
    fc.assert(
      fc.property(
        anyTiming,
        fc.integer({min: 1.6e12, max: 1.9e12}),
        fc.array(fc.integer({min: 0, max: DAY}), {maxLength: 6}),
        (timing, start, steps) => {
          const edges = steps.reduce<number[]>((all, step) => [...all, (all.at(-1) ?? start) + step], [start]);
          const apart = edges.slice(1).flatMap((upTo, index) => dueBetween(timing, {after: edges[index] ?? start, upTo, most: 10_000}).due);
          expect(apart).toEqual(walk(timing, start, edges.at(-1) ?? start));
        },
      ),
      {numRuns: 40},
    );
  });
});
