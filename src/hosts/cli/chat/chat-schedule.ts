import {toFettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {answerPlainLine, dueNotice} from '../../../schedule/session/answer-request.ts';
import {createSessionSchedule, type ScheduleClock, type SessionSchedule} from '../../../schedule/session/session-schedule.ts';
import type {Io} from '../io.ts';
import type {LineEditor} from './line-editor.ts';

/** The tasks that a chat runs by itself while nothing else runs. */
export interface ChatSchedule {
  readonly tasks: SessionSchedule;
  /** Aborts as soon as a task is due: nobody has to press Enter for it. */
  readonly due: () => AbortSignal;
}

/** @param clock Absent: that of the system. */
export function createChatSchedule(clock?: ScheduleClock): ChatSchedule {
  let waiting = new AbortController();
  const tasks = createSessionSchedule({onDue: () => waiting.abort(), clock});
  return {
    tasks,
    due() {
      waiting = new AbortController();
      if (tasks.hasDue()) waiting.abort();
      return waiting.signal;
    },
  };
}

/** A line of the person, or the prompt of a task. */
export interface ChatInput {
  readonly text: string;
  readonly isScheduled: boolean;
}

/** Returns the next line, typed ahead or now, or the prompt of a task that is due by then; undefined at the end of the input. */
export async function nextInput(io: Io, lines: LineEditor, schedule: ChatSchedule): Promise<ChatInput | undefined> {
  for (;;) {
    io.note('');
    const text = await lines.nextPrompt({signal: schedule.due()}).catch((): typeof NOTHING_TYPED => NOTHING_TYPED);
    if (text !== NOTHING_TYPED) {
      if (text === undefined) io.note('');
      return text === undefined ? undefined : {text, isScheduled: false};
    }
    const task = schedule.tasks.takeDue();
    if (task === undefined) continue;
    io.note(io.paint('yellow', dueNotice(task)));
    if (task.isReminder) continue;
    io.note(io.paint('dim', visibleText(task.prompt)));
    return {text: task.prompt, isScheduled: true};
  }
}

const NOTHING_TYPED: unique symbol = Symbol('nothing typed');

/** Answers a line that schedules, lists or cancels tasks in plain language. Returns false for all others. Never rejects. */
export async function answeredPlainLine(io: Io, schedule: SessionSchedule, line: string): Promise<boolean> {
  try {
    const lines = await answerPlainLine(schedule, line);
    for (const text of lines ?? []) io.note(text);
    return lines !== undefined;
  } catch (thrown) {
    const {message, hint} = toFettleError(thrown);
    io.note(visibleText([message, hint].filter((part) => part !== undefined).join(' ')));
    return true;
  }
}
