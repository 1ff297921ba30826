import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import {counted} from '../../../../base/counted.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {tasksFromSessions, type SessionTask} from '../../../../lab/suite/sessions/from-sessions.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../../interrupt.ts';
import type {Io} from '../../io.ts';
import {plainLine} from '../../../../lab/report/text/text-table.ts';

export interface FromSessionsFlags {
  readonly out: string;
  readonly since?: string;
  readonly verified?: true;
}

/** `fettle lab from-sessions`: makes tasks of recorded sessions. Exit code 1 if none came of them. */
export async function fromSessions(io: Io, {out, since, verified}: FromSessionsFlags): Promise<number> {
  const interrupts = listenForInterrupts(() => io.note('Cancelling.'));
  const suite = resolve(io.cwd, out);
  let [made, seen] = [0, 0];
  try {
    const request = {stateDir: fettlePaths(io).stateDir, suite, since: sinceOf(since, Date.now()), verified: verified === true};
    for await (const task of tasksFromSessions(request, interrupts.signal())) {
      seen += 1;
      if (showTask(io, task)) made += 1;
    }
  } finally {
    interrupts.dispose();
  }
  const nothing =
    seen === 0 ? `No recorded sessions${since === undefined ? '' : ` since ${since}`}: no tasks were made.` : 'No tasks were made.';
  io.note(made === 0 ? nothing : `${counted(made, 'task')} in ${suite}. Look at them, then: fettle lab run ${out} --models …`);
  return made === 0 ? EXIT.failed : EXIT.done;
}

/** Prints a task that was made, or why none was; returns whether one was. */
function showTask(io: Io, task: SessionTask): boolean {
  const about = `${task.session}  ${plainLine(task.title)}`.trimEnd();
  if ('reason' in task) {
    io.note(`no task: ${about}: ${plainLine(task.reason)}`);
    return false;
  }
  io.data(`${about}\n`);
  for (const note of task.notes) io.note(`  ${plainLine(note)}`);
  return true;
}

/** `30d`, `12h`, or a date. */
function sinceOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : now - Number(count) * (UNIT_MS[unit] ?? 0);
  if (!Number.isNaN(time)) return time;
  throw new FettleError({
    code: 'USAGE',
    message: `--since ${text} is not a time.`,
    hint: 'Use 12h, 30d, 4w, or a date such as 2026-11-01.',
  });
}

const UNIT_MS: Readonly<Record<string, number>> = {h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000};
