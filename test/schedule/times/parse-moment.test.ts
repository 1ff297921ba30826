import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {formatLocal, fromLocal, systemTimeZone, toLocal} from '../../../src/schedule/times/local-time.ts';
import {parseMoment, parseTimestamp} from '../../../src/schedule/times/parse-moment.ts';

const ZONE = 'Europe/Berlin';
/** A Monday. */
const NOW = Date.parse('2026-11-23T10:00:00+01:00');

const at = (text: string, now = NOW): string => formatLocal(parseMoment(text, {now, timeZone: ZONE}), ZONE);

function refusal(text: string, timeZone = ZONE): readonly (string | undefined)[] {
  try {
    return ['no error', new Date(parseMoment(text, {now: NOW, timeZone})).toISOString()];
  } catch (error) {
    return isFettleError(error) ? [error.code, error.message, error.hint] : [String(error)];
  }
}

describe('parseMoment', () => {
  it.each([
    ['2026-12-01T09:00:00Z', '2026-12-01 10:00'],
    ['2026-12-01T09:00:00.5+01:00', '2026-12-01 09:00'],
    ['2026-12-01 09:00 -05:00', '2026-12-01 15:00'],
    ['2026-12-01 09:00', '2026-12-01 09:00'],
    ['2026-12-01T09:00', '2026-12-01 09:00'],
    ['2026-12-01 at 3pm', '2026-12-01 15:00'],
    ['15:00', '2026-11-23 15:00'],
    ['at 15:00', '2026-11-23 15:00'],
    ['3pm', '2026-11-23 15:00'],
    ['3:30 PM', '2026-11-23 15:30'],
    ['12am', '2026-11-24 00:00'],
    ['12pm', '2026-11-23 12:00'],
    ['noon', '2026-11-23 12:00'],
    ['midnight', '2026-11-24 00:00'],
    ['9:00', '2026-11-24 09:00'],
    ['10:00', '2026-11-24 10:00'],
    ['in 20 minutes', '2026-11-23 10:20'],
    ['in an hour', '2026-11-23 11:00'],
    ['in half an hour', '2026-11-23 10:30'],
    ['in 1h30m', '2026-11-23 11:30'],
    ['in 3 days', '2026-11-26 10:00'],
    ['today 15:00', '2026-11-23 15:00'],
    ['tomorrow 9:00', '2026-11-24 09:00'],
    ['Tomorrow at 9am', '2026-11-24 09:00'],
    ['9:00 tomorrow', '2026-11-24 09:00'],
    ['friday 9:00', '2026-11-27 09:00'],
    ['on Friday at 9:00', '2026-11-27 09:00'],
    ['9am on friday', '2026-11-27 09:00'],
    ['fri 9:00', '2026-11-27 09:00'],
    ['monday 11:00', '2026-11-23 11:00'],
    ['monday 9:00', '2026-11-30 09:00'],
    ['sunday, 9:00', '2026-11-29 09:00'],
  ])('%j is %s', (text, expected) => {
    expect(at(text)).toBe(expected);
  });

  it.each([
    ['tomorrow', '"tomorrow" names a day and no time.', 'Add a time, as in "tomorrow 9:00".'],
    ['2026-12-01', '"2026-12-01" names a day and no time.', 'Add a time, as in "2026-12-01 9:00".'],
    ['2026-02-30 09:00', 'There is no 2026-02-30.', 'Give a date that exists, as "2026-12-01 09:00".'],
    ['today 9:00', '"today 9:00" is past: it was understood as 2026-11-23 09:00 Europe/Berlin.', 'Give a moment after 2026-11-23 10:00.'],
    [
      '2025-01-01T00:00:00Z',
      '"2025-01-01T00:00:00Z" is past: it was understood as 2025-01-01 01:00 Europe/Berlin.',
      'Give a moment after 2026-11-23 10:00.',
    ],
    [
      'in 0 minutes',
      '"in 0 minutes" is past: it was understood as 2026-11-23 10:00 Europe/Berlin.',
      'Give a moment after 2026-11-23 10:00.',
    ],
  ])('refuses %j', (text, message, hint) => {
    expect(refusal(text)).toEqual(['USAGE', message, hint]);
  });

  it.each([
    '',
    '9',
    '25:00',
    '13pm',
    '0am',
    '9:60',
    'in 5',
    'in 2 files',
    'in day',
    'soon',
    '24:00',
    '15:00 15:00',
    '2026-12-01T09:00:00+25:00',
    'on 9:00',
  ])('does not understand %j', (text) => {
    expect(refusal(text)).toEqual([
      'USAGE',
      `${JSON.stringify(text)} is not a date or time that Fettle understands.`,
      'Examples: "15:00", "in 20 minutes", "tomorrow 9:00", "friday 9:00", "2026-12-01 09:00", "2026-12-01T09:00:00+01:00".',
    ]);
  });

  it('names a time zone that does not exist', () => {
    expect(refusal('15:00', 'Europe/Berlim')).toEqual([
      'USAGE',
      'There is no time zone "Europe/Berlim".',
      'Give a name of the IANA time zone database, as "Europe/Berlin" or "UTC".',
    ]);
  });

  it('quotes the beginning of a long text alone', () => {
    expect(refusal('x'.repeat(1000))[1]).toBe(`"${'x'.repeat(60)}…" is not a date or time that Fettle understands.`);
  });

  it('a time that daylight saving leaves out moves on by the gap, one that comes twice is the first', () => {
    const spring = parseMoment('2027-03-28 02:30', {now: NOW, timeZone: ZONE});
    const autumn = parseMoment('2027-10-31 02:30', {now: NOW, timeZone: ZONE});
    expect([spring, autumn].map((moment) => new Date(moment).toISOString())).toEqual([
      '2027-03-28T01:30:00.000Z',
      '2027-10-31T00:30:00.000Z',
    ]);
  });

  it('any text is a moment ahead or USAGE (property)', () => {
    const word = fc.constantFrom(
      'in',
      'at',
      'on',
      '9:00',
      '3pm',
      'tomorrow',
      'friday',
      '20',
      'minutes',
      'an',
      'hour',
      '2026-12-01',
      'noon',
      'T',
      'Z',
      '',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word, {maxLength: 5}).map((words) => words.join(' ')),
        ),
        (text) => {
          const [first] = refusal(text);
          if (first !== 'no error') expect(first).toBe('USAGE');
          else expect(parseMoment(text, {now: NOW, timeZone: ZONE})).toBeGreaterThan(NOW);
        },
      ),
      {numRuns: 500},
    );
  });
});

describe('parseTimestamp', () => {
  it('reads RFC 3339 and nothing else', () => {
    expect(
      ['2026-12-01T09:00:00Z', '2026-12-01t09:00z', '2026-12-01T09:00:00.123456+05:30', '2026-12-01 09:00', '2026-13-01T09:00:00Z'].map(
        parseTimestamp,
      ),
    ).toEqual([Date.UTC(2026, 11, 1, 9), Date.UTC(2026, 11, 1, 9), Date.UTC(2026, 11, 1, 3, 30, 0, 123), undefined, undefined]);
  });

  it('reads what toISOString writes (property)', () => {
    fc.assert(
      fc.property(fc.integer({min: 0, max: 4e12}), (moment) => {
        expect(parseTimestamp(new Date(moment).toISOString())).toBe(moment);
      }),
    );
  });
});

describe('fromLocal', () => {
  it('is the inverse of toLocal, but for the second pass of an hour that comes twice (property)', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Asia/Kathmandu', 'UTC');
    fc.assert(
      fc.property(fc.integer({min: 0, max: 2e9}), zone, (second, timeZone) => {
        const moment = second * 1000;
        const local = toLocal(moment, timeZone);
        const back = fromLocal(local, timeZone);
        expect([toLocal(back, timeZone), back <= moment]).toEqual([local, true]);
      }),
    );
  });

  it('agrees with the clock of the system', () => {
    expect(fromLocal({year: 2026, month: 12, day: 1, hour: 9, minute: 0, second: 0}, systemTimeZone())).toBe(
      new Date(2026, 11, 1, 9).getTime(),
    );
  });
});
