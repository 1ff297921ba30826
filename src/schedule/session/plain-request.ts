import type {TaskRequest} from '../../tools/ports/session-tasks.ts';
import {parseDuration} from '../times/parse-duration.ts';
import {hourOf, readMoment, type Clock} from '../times/parse-moment.ts';

/** A request about the schedule of a session, in plain language or after `/loop`. */
export type ScheduleRequest =
  | {readonly kind: 'create'; readonly task: TaskRequest}
  | {readonly kind: 'list'}
  | {readonly kind: 'cancel'; readonly id: string};

/** The interval of `/loop` without one (VT Code architecture › Scheduling). */
const LOOP_INTERVAL = '10m';

/** Longest line that is taken for a request: more is a description of work. */
const MOST_CHARS = 300;

/**
 * Returns the request about scheduled tasks that a typed line is as a whole; undefined for all others, which are prompts. Only a line that begins
 * like a request is one, and its work must begin with a verb that tells to do something: "every 2 hours run the tests" is one, "every test
 * fails, why?", "in 2 files …" and "cancel the order in db.ts" are not.
 */
export function plainRequest(line: string, clock: Clock): ScheduleRequest | undefined {
  const text = line.trim().replaceAll(/[ \t]+/g, ' ');
  if (text.includes('\n') || text.length > MOST_CHARS || !WORTH_A_LOOK.test(text)) return undefined;
  if (LIST.test(text)) return {kind: 'list'};
  const id = CANCEL.exec(text)?.[1];
  if (id !== undefined) return {kind: 'cancel', id: id.toLowerCase()};
  const asked = text.replace(/^please,? /i, '');
  const task = reminder(asked, clock) ?? (asked.endsWith('?') ? undefined : (leading(asked, clock) ?? trailing(asked)));
  return task === undefined ? undefined : {kind: 'create', task};
}

/** Returns the task that `/loop [INTERVAL] PROMPT` means: the interval may stand at the beginning, or as "every …" at either end. */
export function loopRequest(typed: string): TaskRequest {
  const text = typed.trim();
  const [, last, interval] = /^([^]+?),? every ([^,]+)$/i.exec(text) ?? [];
  const first = longestStart(text.replace(/^every\s+/i, ''), (words) => isInterval(words, /^every\s/i.test(text)));
  if (first !== undefined) return {prompt: first.rest, every: first.start};
  if (last !== undefined && interval !== undefined && isInterval(interval, true)) return {prompt: last, every: interval};
  return {prompt: text, every: LOOP_INTERVAL};
}

/** Lines without one of these are no requests; most lines end here. */
const WORTH_A_LOOK =
  /\bevery\b|^(?:please,? )?(?:in|at|on|today|tomorrow|remind|(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*|\d{4}-)\b|\bscheduled\b|[0-9a-f]{8}$/i;

const TASKS = '(?:scheduled |my |the |all )+(?:tasks|reminders|loops|jobs)';
const LIST = new RegExp(
  `^(?:(?=.*\\bscheduled\\b)(?:(?:please )?(?:list|show)(?: me)? ${TASKS}|(?:what|which) (?:scheduled )?(?:tasks|reminders)(?: do i have| are there| are)?(?: scheduled)?|what is scheduled))[?.]?$`,
  'i',
);

const CANCEL = /^(?:please )?(?:cancel|stop|delete|remove) (?:the )?(?:(?:scheduled )?(?:task|reminder|loop) )?([0-9a-f]{8})[.]?$/i;

/** Verbs with which people tell an agent to do something. */
const VERBS = new Set(
  `analyze ask audit benchmark build bump check clean commit compare compile continue count deploy describe diff download explain fetch find fix
  format generate give go grep inspect install lint list look make measure merge monitor notify open ping poll post print profile publish pull
  push read rebase rebuild record refresh release remind rerun report restart retry review run save scan search see send show start stop
  summarise summarize sync tell test track try update upgrade validate verify watch write`.split(/\s+/),
);

/** Verbs with which something is looked at again and again: only these may have their interval at the end. */
const REPEATED = new Set(
  'benchmark check fetch inspect lint look monitor ping poll pull remind report rerun review run scan show summarise summarize sync tell test track verify watch'.split(
    ' ',
  ),
);

/** Words of a description: what comes "every 5 minutes" after them belongs to it. */
const DESCRIBES =
  /\b(?:that|which|who|where|when|if|whether|because|so|should|must|will|would|can|to|and|or|not|code|function|timer|cron|job|interval|config)\b/i;

/** The longest text after "run the tests" with which an interval at the end is believed. Words. */
const MOST_WORDS = 8;

function tells(work: string, verbs: ReadonlySet<string> = VERBS): boolean {
  const [, verb = ''] = /^(?:please,? |and |then )?([a-z]+)(?=[ ]|$)/i.exec(work) ?? [];
  return verbs.has(verb.toLowerCase()) || /^\/[a-z][\w:.-]*(?: |$)/.test(work);
}

/** "every 2 hours …", "every weekday at 7 …", "in 20 minutes …", "tomorrow 9:00 …", "at 15:00 …". */
function leading(text: string, clock: Clock): TaskRequest | undefined {
  const cron = dailyCron(text);
  if (cron !== undefined) return tells(cron.prompt) ? cron : undefined;
  const isEvery = /^every /i.test(text);
  const body = isEvery ? text.slice('every '.length) : text;
  const found = longestStart(body, (words) => (isEvery ? isInterval(words, true) : isMoment(words, clock)));
  if (found === undefined || !tells(found.rest)) return undefined;
  return {prompt: found.rest, ...(isEvery ? {every: found.start} : {at: found.start})};
}

/** "run the tests every 2 hours". */
function trailing(text: string): TaskRequest | undefined {
  const [, work = '', interval = ''] = /^(.+?),? every ([^,.]+)\.?$/i.exec(text) ?? [];
  if (!isInterval(interval, true) || !tells(work, REPEATED) || DESCRIBES.test(work) || work.split(' ').length > MOST_WORDS)
    return undefined;
  return {prompt: work, every: interval};
}

/** "remind me at 15:00 to …", "remind me to … in 20 minutes". */
function reminder(text: string, clock: Clock): TaskRequest | undefined {
  const [, body] = /^remind me,? (.+)$/i.exec(text) ?? [];
  if (body === undefined) return undefined;
  const every = /^every /i.test(body);
  const start = longestStart(body.replace(/^every /i, ''), (words) => (every ? isInterval(words, true) : isMoment(words, clock)));
  if (start !== undefined) {
    const prompt = start.rest.replace(/^(?:to|that|about) /i, '');
    return {prompt, isReminder: true, ...(every ? {every: start.start} : {at: start.start})};
  }
  const [, what] = /^(?:to|that|about) (.+)$/i.exec(body) ?? [];
  if (what === undefined) return undefined;
  const [, repeated, interval] = /^(.+?),? every ([^,.]+)$/i.exec(what) ?? [];
  if (repeated !== undefined && isInterval(interval ?? '', true)) return {prompt: repeated, every: interval, isReminder: true};
  const end = longestEnd(what, (words) => isMoment(words, clock));
  return end === undefined ? undefined : {prompt: end.rest, at: end.end, isReminder: true};
}

const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

/** "every weekday at 7, …", "every day at 9:30 …", "every friday at 3pm …". */
function dailyCron(text: string): TaskRequest | undefined {
  const found = /^every (day|weekday|(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*day) at (\d{1,2}(?::\d\d)?) ?(am|pm)?,? (.+)$/i.exec(text);
  if (found === null) return undefined;
  const [, day = '', clock = '', half = '', prompt = ''] = found;
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  const hour = half === '' ? hours : hourOf(hours, half.toLowerCase());
  return hour > 23 || minutes > 59 ? undefined : {prompt, cron: `${minutes} ${hour} * * ${weekdays(day.toLowerCase())}`};
}

function weekdays(day: string): string {
  if (day === 'day') return '*';
  return day === 'weekday' ? '1-5' : String(DAYS.indexOf(day.slice(0, 3)));
}

/** An interval with a number, or, after "every", a unit alone. */
function isInterval(words: string, mayBeUnit: boolean): boolean {
  return (mayBeUnit || /^(?:\d|an? |half )/i.test(words)) && (parseDuration(words) ?? 0) > 0;
}

/** A moment with its day, or with "in", "at" or "on": a time alone may begin a line of a log. */
function isMoment(words: string, clock: Clock): boolean {
  if (!/^(?:in|at|on|today|tomorrow|[a-z]{3,9}day|(?:sun|mon|tue|wed|thu|fri|sat)|\d{4}-\d\d-\d\d)\b/i.test(words)) return false;
  try {
    return readMoment(words, clock) !== undefined;
  } catch {
    // A date that does not exist is named when the task is created.
    return true;
  }
}

/** Words that a time has at most. */
const MOST_TIME_WORDS = 6;

/** The longest beginning of some words that fits, with a rest. */
function longestStart(text: string, fits: (words: string) => boolean): {start: string; rest: string} | undefined {
  const words = text.split(/\s+/);
  for (let count = Math.min(MOST_TIME_WORDS, words.length - 1); count > 0; count -= 1) {
    const start = words.slice(0, count).join(' ').replace(/[,:]$/, '');
    if (fits(start))
      return {
        start,
        rest: text.slice(
          text
            .split(/(\s+)/)
            .slice(0, 2 * count)
            .join('').length,
        ),
      };
  }
  return undefined;
}

function longestEnd(text: string, fits: (words: string) => boolean): {end: string; rest: string} | undefined {
  const words = text.split(' ');
  for (let from = Math.max(1, words.length - MOST_TIME_WORDS); from < words.length; from += 1) {
    const end = words.slice(from).join(' ').replace(/\.$/, '');
    if (fits(end)) return {end, rest: words.slice(0, from).join(' ').replace(/,$/, '')};
  }
  return undefined;
}
