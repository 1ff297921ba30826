import {answerPlainLine, dueNotice} from '../../../schedule/session/answer-request.ts';
import type {SessionSchedule} from '../../../schedule/session/session-schedule.ts';
import type {DueTurn, TurnEnding} from '../host-adapter.ts';
import {errorText} from './run-turn.ts';

/** Answers a typed line that schedules, lists or cancels tasks in plain language; undefined for a prompt. Never rejects. */
export async function scheduledLine(schedule: SessionSchedule, text: string): Promise<TurnEnding | undefined> {
  try {
    const lines = await answerPlainLine(schedule, text);
    return lines === undefined ? undefined : {outcome: 'success', lines};
  } catch (thrown) {
    return {outcome: 'failed', lines: [errorText(thrown)]};
  }
}

/** Takes the task that is due out of the schedule; undefined: none is. */
export function dueTurn(schedule: SessionSchedule): DueTurn | undefined {
  const task = schedule.takeDue();
  if (task === undefined) return undefined;
  return {notice: dueNotice(task), prompt: task.isReminder ? undefined : task.prompt, hasMore: schedule.hasDue()};
}
