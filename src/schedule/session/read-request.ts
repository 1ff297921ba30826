import {FettleError} from '../../base/errors.ts';
import type {TaskRequest} from '../../tools/ports/session-tasks.ts';
import {formatLocal} from '../times/local-time.ts';
import {parseDuration} from '../times/parse-duration.ts';
import {parseMoment, type Clock} from '../times/parse-moment.ts';
import type {Timing} from '../times/timing.ts';
import {snapInterval} from './snap-interval.ts';

/** VT Code architecture › Scheduling; what should go on for longer is a durable job. */
export const SESSION_LIMITS = {tasks: 50, hours: 72, promptChars: 8000, nameChars: 40} as const;

export interface ReadRequest {
  readonly name: string;
  readonly prompt: string;
  readonly isReminder: boolean;
  readonly timing: Timing;
  readonly due: {
    readonly first: number;
    /** Milliseconds between due times, the shortest of the next; absent for one moment. */
    readonly period?: number | undefined;
    readonly note?: string | undefined;
  };
}

/** Reads what a task is asked for with. Throws USAGE where it has no prompt, not one timing, one that is not understood or beyond its life. */
export async function readRequest(request: TaskRequest, clock: Clock): Promise<ReadRequest> {
  const {name, isReminder = false} = request;
  const prompt = request.prompt.trim();
  if (prompt === '') throw usage('A task needs a prompt.', 'Say what is to be done: /loop 10m check the build');
  if (prompt.length > SESSION_LIMITS.promptChars) {
    throw usage(
      `The prompt has more than ${SESSION_LIMITS.promptChars} characters.`,
      'Put the details into a file, and name it in the prompt.',
    );
  }
  const read = await readTiming(request, clock);
  if (read.due.first > clock.now + SESSION_LIMITS.hours * 3_600_000) throw tooLate(read.due.first, clock);
  return {name: nameOf(name ?? prompt), prompt, isReminder, ...read};
}

async function readTiming({every, cron, at}: TaskRequest, clock: Clock): Promise<Pick<ReadRequest, 'timing' | 'due'>> {
  if ([every, cron, at].filter((part) => part !== undefined).length !== 1) {
    throw usage(
      'A task needs exactly one of an interval, a cron expression and a moment.',
      'Give one: every "10m", cron "0 9 * * 1-5" or at "15:00".',
    );
  }
  if (every !== undefined) return readInterval(every, clock);
  if (cron !== undefined) return await readCron(cron, clock);
  const moment = parseMoment(at ?? '', clock);
  return {timing: {kind: 'at', at: moment}, due: {first: moment}};
}

function readInterval(text: string, {now}: Clock): Pick<ReadRequest, 'timing' | 'due'> {
  const asked = parseDuration(text.trim().replace(/^every\s+/i, ''));
  if (asked === undefined || asked === 0) {
    throw usage(`${JSON.stringify(text.slice(0, 60))} is not an interval.`, 'Examples: "10m", "2 hours", "1h30m".');
  }
  const {seconds, note} = snapInterval(asked);
  return {timing: {kind: 'every', seconds, anchor: now}, due: {first: now + seconds * 1000, period: seconds * 1000, note}};
}

/** Due times whose shortest distance decides how late the task may be. */
const LOOKED_AT = 5;

async function readCron(text: string, {now, timeZone}: Clock): Promise<Pick<ReadRequest, 'timing' | 'due'>> {
  const [{parseCron}, {nextDue}] = await Promise.all([import('../times/parse-cron.ts'), import('../times/due-times.ts')]);
  const timing: Timing = {kind: 'cron', expression: parseCron(text), timeZone};
  const next: number[] = [];
  for (let due = nextDue(timing, now); due !== undefined && next.length < LOOKED_AT; due = nextDue(timing, due)) next.push(due);
  const [first = Infinity] = next;
  const period = Math.min(...next.slice(1).map((due, index) => due - (next[index] ?? 0)));
  return {timing, due: {first, period}};
}

function nameOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > SESSION_LIMITS.nameChars ? `${line.slice(0, SESSION_LIMITS.nameChars - 1).trimEnd()}…` : line;
}

function tooLate(first: number, {timeZone}: Clock): FettleError {
  const when = Number.isFinite(first) ? formatLocal(first, timeZone) : 'never';
  return usage(
    `A task of a session lives for ${SESSION_LIMITS.hours} hours, and this one is first due ${when}.`,
    'Add a durable job instead: fettle schedule add --help',
  );
}

function usage(message: string, hint: string): FettleError {
  return new FettleError({code: 'USAGE', message, hint});
}
