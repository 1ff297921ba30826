import {FettleError} from '../../base/errors.ts';
import {counted} from '../../base/counted.ts';
import {visibleText} from '../../base/visible-text.ts';
import type {CreatedTask, SessionTask} from '../../tools/ports/session-tasks.ts';
import {loopRequest, plainRequest, type ScheduleRequest} from './plain-request.ts';
import {SESSION_LIMITS} from './read-request.ts';
import type {DueTask, SessionSchedule} from './session-schedule.ts';

/**
 * Answers a typed line that is a request about scheduled tasks in plain language, with the way to send it as a prompt instead; undefined for
 * all other lines. Throws the errors of the request.
 */
export async function answerPlainLine(schedule: SessionSchedule, line: string): Promise<readonly string[] | undefined> {
  const request = plainRequest(line, schedule.clock());
  return request === undefined ? undefined : [...(await answer(schedule, request)), AS_PROMPT];
}

/** Answers `/loop [INTERVAL] PROMPT`. Throws the errors of the request. */
export async function answerLoop(schedule: SessionSchedule, typed: string): Promise<readonly string[]> {
  return await answer(schedule, {kind: 'create', task: loopRequest(typed)});
}

/** Answers `/schedule [cancel ID]`. Throws USAGE for anything else, NOT_FOUND for an unknown id. */
export async function answerSchedule(schedule: SessionSchedule, typed: string): Promise<readonly string[]> {
  const [, id] = /^cancel\s+(\S+)$/.exec(typed.trim()) ?? [];
  if (id !== undefined) return await answer(schedule, {kind: 'cancel', id});
  if (typed.trim() === '') return await answer(schedule, {kind: 'list'});
  throw new FettleError({
    code: 'USAGE',
    message: `/schedule does not know ${JSON.stringify(typed.trim().slice(0, 40))}.`,
    hint: '/schedule lists the tasks, /schedule cancel ID ends one; /loop 10m PROMPT adds one.',
  });
}

/** Reports that a task is due: the line above its prompt. */
export function dueNotice({id, name, prompt, times, isLast, isReminder}: DueTask): string {
  const missed = times > 1 ? `; it became due ${counted(times, 'time')} while the session was busy` : '';
  const last = isLast ? `; it has expired after ${SESSION_LIMITS.hours} hours` : '';
  return visibleText(isReminder ? `Reminder: ${prompt}${missed}${last}` : `Scheduled task ${id} is due${missed}${last}: ${name}`);
}

/** Reports the tasks that end with the session; none for no task. */
export function endedTasks(tasks: readonly SessionTask[]): readonly string[] {
  if (tasks.length === 0) return [];
  const names = tasks.slice(0, MOST_NAMES).map(({name}) => name);
  const more = tasks.length > names.length ? [`${tasks.length - names.length} more`] : [];
  return [visibleText(`${counted(tasks.length, 'scheduled task')} ended with the session: ${[...names, ...more].join('; ')}`)];
}

const MOST_NAMES = 3;

const AS_PROMPT =
  'The line was taken as a request about the schedule of this session. To send it to the model instead, put "Prompt:" in front of it.';

async function answer(schedule: SessionSchedule, request: ScheduleRequest): Promise<readonly string[]> {
  if (request.kind === 'create') return createdLines(await schedule.create(request.task));
  if (request.kind === 'list') return taskLines(schedule.list());
  const {id, name} = schedule.cancel(request.id);
  return [visibleText(`Cancelled ${id}: ${name}`)];
}

function createdLines({id, timing, next, name, isReminder, note}: CreatedTask): readonly string[] {
  const what = isReminder ? 'Reminder' : 'Task';
  const ends = timing === 'once' ? 'this session' : `this session, at the latest after ${SESSION_LIMITS.hours} hours`;
  return [
    visibleText(`${what} ${id}, ${timing}, next ${next}: ${name}`),
    ...(note === undefined ? [] : [note]),
    `It ends with ${ends}; /schedule cancel ${id} ends it now.`,
  ];
}

function taskLines(tasks: readonly SessionTask[]): readonly string[] {
  if (tasks.length === 0) return ['Nothing is scheduled. /loop 10m PROMPT repeats a prompt; "in 20 minutes …" runs one later.'];
  return tasks.map(({id, timing, next, name, isReminder}) =>
    visibleText(`${id}  ${next}  ${timing}  ${isReminder ? 'reminder: ' : ''}${name}`),
  );
}
