import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {describeTiming} from '../../../src/schedule/times/describe-timing.ts';
import {parseDuration} from '../../../src/schedule/times/parse-duration.ts';

describe('parseDuration', () => {
  it.each([
    ['90s', 90],
    ['2h', 7200],
    ['1h30m', 5400],
    ['1h 30m', 5400],
    ['1.5h', 5400],
    ['2 hours', 7200],
    ['1 hour and 30 minutes', 5400],
    ['1 day, 2 hours, and 5 mins', 93_900],
    ['an hour', 3600],
    ['a minute', 60],
    ['half an hour', 1800],
    ['hour', 3600],
    ['day', 86_400],
    [' 2 Weeks ', 1_209_600],
    ['10 min', 600],
    ['0s', 0],
  ])('%j is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each([
    '',
    '10',
    'h2',
    '2 files',
    '1m1h',
    '1h1h',
    '5 m m',
    '500ms',
    '-5m',
    '1e3s',
    'hour day',
    'soon',
    '11 years',
    '600w',
    'an',
    '5m!',
    '1h and',
  ])('%j is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('reads what describeTiming writes (property)', () => {
    fc.assert(
      fc.property(fc.integer({min: 1, max: 300_000_000}), (seconds) => {
        const words = describeTiming({kind: 'every', seconds, anchor: 0}, 'UTC').replace('every ', '');
        expect(parseDuration(words)).toBe(seconds);
      }),
    );
  });
});

describe('describeTiming', () => {
  it('says a timing in words', () => {
    const at = Date.parse('2026-12-01T08:00:00Z');
    const seconds = [60, 90, 3600, 7200, 5400, 86_400, 604_800].map((each) => ({kind: 'every' as const, seconds: each, anchor: 0}));
    expect([
      ...seconds.map((timing) => describeTiming(timing, 'UTC')),
      describeTiming({kind: 'cron', expression: '0 7 * * 1-5', timeZone: 'Europe/Berlin'}, 'UTC'),
      describeTiming({kind: 'at', at}, 'Europe/Berlin'),
    ]).toEqual([
      'every minute',
      'every 1 minute 30 seconds',
      'every hour',
      'every 2 hours',
      'every 1 hour 30 minutes',
      'every day',
      'every week',
      '0 7 * * 1-5 Europe/Berlin',
      '2026-12-01 09:00',
    ]);
  });
});
