import type {JsonObject} from '../../base/json.ts';
import type {Finding} from '../../config/check-value.ts';

/** Finds what each key alone does not show: nothing or too much to do, no time or several, what no run can be given. */
export function contradictions(value: JsonObject): Finding[] {
  return [
    ...exactlyOne(value, ['prompt', 'reminder'], 'a job has either `prompt` or `reminder`'),
    ...exactlyOne(value, ['every', 'cron', 'at'], 'a job has exactly one of `every`, `cron` and `at`'),
    ...strayTimeZone(value),
    ...strayRights(value),
    ...unusablePrompt(value['prompt']),
    ...unusablePrompt(value['reminder'], 'reminder'),
  ];
}

function exactlyOne(value: JsonObject, keys: readonly string[], rule: string): Finding[] {
  const there = keys.filter((key) => value[key] !== undefined);
  if (there.length === 0) return [{path: [], must: `${rule}, and this has none`, value: null}];
  return there.slice(1).map((key) => ({path: [key], must: `is one too many: ${rule}`, value: null}));
}

function strayTimeZone({time_zone: zone, cron, at}: JsonObject): Finding[] {
  if (typeof zone !== 'string') return [];
  const must = cron === undefined && at === undefined ? 'is only for `cron` and `at`' : 'must be an IANA time zone such as "Europe/Berlin"';
  return (cron !== undefined || at !== undefined) && isTimeZone(zone) ? [] : [{path: ['time_zone'], must, value: zone}];
}

function strayRights(value: JsonObject): Finding[] {
  const must = 'is only for a `prompt`: a reminder runs nothing';
  if (value['reminder'] === undefined) return [];
  return ['rights', 'project'].filter((key) => value[key] !== undefined).map((key) => ({path: [key], must, value: null}));
}

/** A control character can hide text from a person that the model reads; `-` means stdin to `fettle exec`. */
function unusablePrompt(text: unknown, key = 'prompt'): Finding[] {
  if (typeof text !== 'string') return [];
  if (text.trim() === '-') return [{path: [key], must: 'must be text', value: text}];
  if (text.length > LONGEST) return [{path: [key], must: `must have at most ${LONGEST} characters`, value: null}];
  return CONTROL.test(text) ? [{path: [key], must: 'must not hold control characters', value: null}] : [];
}

/** Characters that a command line takes as one argument, everywhere (Linux: 128 KB). */
const LONGEST = 30_000;

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', {timeZone: zone}).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
