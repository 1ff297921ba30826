import {Cron} from 'croner';
import {FettleError} from '../../base/errors.ts';

const NICKNAMES = ['@hourly', '@daily', '@midnight', '@weekly', '@monthly', '@yearly', '@annually'];

const EXAMPLE = 'Five fields are needed: minute, hour, day of month, month, day of week. Example: "0 7 * * 1-5" is every weekday at 7:00.';

/**
 * Checks a cron expression and returns it with single spaces between its fields. Five fields (minute, hour, day of month, month, day of week)
 * or a nickname (`@daily`); names (`mon-fri`), lists, ranges, steps, `L`, `W` and `#` as croner reads them. Refuses, with USAGE and the reason,
 * what is no expression, what has seconds (the least interval is a minute), and what never comes, as a 30th of February.
 */
export function parseCron(text: string): string {
  const fields = text.trim().split(/\s+/);
  const expression = fields.join(' ');
  if (fields.length === 6 || fields.length === 7) throw refused(expression, 'it has a field for seconds or years', EXAMPLE);
  const isNickname = fields.length === 1 && NICKNAMES.includes(expression.toLowerCase());
  if (fields.length !== 5 && !isNickname) {
    const count = expression === '' ? 'no field' : `${fields.length} field${fields.length === 1 ? '' : 's'}`;
    throw refused(expression, `it has ${count}`, EXAMPLE);
  }
  if (compile(expression).nextRun(new Date(0)) !== null) return expression;
  throw refused(expression, 'it never comes: none of its months has such a day', 'Change the day of the month or the month.');
}

/**
 * The expression as croner runs it, without a timer. Where the clocks change, a time that hour and minute name outright runs once a day: in the
 * hour that is left out at its end, in the hour that comes twice the first time. One with `*` or a step follows the clock on the wall.
 */
export function compileCron(expression: string, timeZone: string): Cron {
  return new Cron(expression, {mode: '5-part', timezone: timeZone, fixedTimeRule: 'no-wildcard'});
}

function compile(expression: string): Cron {
  try {
    return compileCron(expression, 'UTC');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.replace(/^CronPattern: /, '').replace(/\.$/, '') : String(thrown);
    throw refused(expression, reason.charAt(0).toLowerCase() + reason.slice(1), EXAMPLE);
  }
}

function refused(expression: string, reason: string, hint: string): FettleError {
  return new FettleError({
    code: 'USAGE',
    message: `The cron expression ${JSON.stringify(expression.slice(0, 80))} cannot be used: ${reason}.`,
    hint,
  });
}
