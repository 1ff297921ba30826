import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {parseCron} from '../../../src/schedule/times/parse-cron.ts';

function refusal(text: string): readonly (string | undefined)[] {
  try {
    return ['no error', parseCron(text)];
  } catch (error) {
    return isFettleError(error) ? [error.code, error.message, error.hint] : [String(error)];
  }
}

const EXAMPLE = 'Five fields are needed: minute, hour, day of month, month, day of week. Example: "0 7 * * 1-5" is every weekday at 7:00.';

describe('parseCron', () => {
  it.each([
    ['0 7 * * 1-5', '0 7 * * 1-5'],
    ['  0\t7  * * mon-fri ', '0 7 * * mon-fri'],
    ['*/15 9-17 * jan,jul *', '*/15 9-17 * jan,jul *'],
    ['0 0 L * *', '0 0 L * *'],
    ['0 9 15W * *', '0 9 15W * *'],
    ['0 9 * * FRI#2', '0 9 * * FRI#2'],
    ['0 0 29 2 *', '0 0 29 2 *'],
    ['0 0 * * 7', '0 0 * * 7'],
    ['@daily', '@daily'],
  ])('takes %j', (text, expression) => {
    expect(parseCron(text)).toBe(expression);
  });

  it.each([
    ['* * * * * *', 'it has a field for seconds or years'],
    ['0 0 0 1 1 * 2027', 'it has a field for seconds or years'],
    ['* * * *', 'it has 4 fields'],
    ['@reboot', 'it has 1 field'],
    ['2026-12-01T09:00:00', 'it has 1 field'],
    ['', 'it has no field'],
    ['60 * * * *', 'invalid value for minute: 60'],
    ['0 24 * * *', 'invalid value for hour: 24'],
    [
      '5/10 * * * *',
      "syntax error, stepping with numeric prefix ('5/10') is not allowed. Use wildcard (*/step) or range (min-max/step) instead",
    ],
    ['every day at 7 pm', 'configuration entry 1 (every) contains illegal characters'],
  ])('refuses %j', (text, reason) => {
    expect(refusal(text)).toEqual(['USAGE', `The cron expression ${JSON.stringify(text)} cannot be used: ${reason}.`, EXAMPLE]);
  });

  it.each(['0 0 30 2 *', '0 0 31 4,6 *', '0 0 30 2 +1'])('refuses %j: no such day', (text) => {
    expect(refusal(text)).toEqual([
      'USAGE',
      `The cron expression "${text}" cannot be used: it never comes: none of its months has such a day.`,
      'Change the day of the month or the month.',
    ]);
  });
});
