import {visibleText} from '../../../base/visible-text.ts';
import type {RunResult} from '../../../agent/thread.ts';
import {endedTasks} from '../../../schedule/session/answer-request.ts';
import type {OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {withoutNothing} from '../../../sdk/verification/ending-lines.ts';
import type {Interrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {describeEnding, describeOutcome} from '../output/describe-outcome.ts';
import {noteBackgroundCommands} from '../output/note-background-commands.ts';
import {answeredPlainLine, type ChatInput, type ChatSchedule, nextInput} from './chat-schedule.ts';
import {createLineEditor, type LineEditor} from './line-editor.ts';
import {runSlashCommand, type SlashTalk} from './slash-commands.ts';
import {typedTask} from './typed-task.ts';

/** The parts of a chat that end with it. */
interface Ending {
  readonly thread: OpenedThread;
  readonly schedule: ChatSchedule;
}

/** Closes the thread of a chat, and reports the commands that keep running and the scheduled tasks that do not. */
export async function closed(io: Io, {thread, schedule}: Ending, last: RunResult | undefined): Promise<void> {
  for (const line of endedTasks(schedule.tasks.close())) io.note(line);
  noteBackgroundCommands(io, await thread.close(last));
  if (last?.report?.verified === 'none') io.note(io.paint('dim', 'Nothing was verified in this chat.'));
  for (const note of thread.lateNotes()) io.note(note);
}

/** The state of a chat between two presses of Ctrl-C. */
export interface ChatState {
  isRunning: boolean;
  /** Ctrl-C was pressed at an empty prompt: once more ends the chat. */
  wantsToEnd: boolean;
  isInterrupted: boolean;
}

interface Conversation {
  readonly io: Io;
  readonly lines: LineEditor;
  readonly interrupts: Interrupts;
  readonly state: ChatState;
}

/** Opens the lines of a person on the terminal. */
export function openLines({io, interrupts, state}: Omit<Conversation, 'lines'>): LineEditor {
  const lines = createLineEditor({
    input: process.stdin,
    output: process.stderr,
    onInterrupt: (line) => pressedInterrupt({io, lines, interrupts, state}, line),
    onTypedAhead: (line) => io.note(io.paint('dim', `(next: ${visibleText(line)})`)),
  });
  return lines;
}

/** While a turn runs Ctrl-C cancels it; at the prompt it clears the line, and twice on an empty one ends the chat. */
function pressedInterrupt({io, lines, interrupts, state}: Conversation, {wasEmpty}: {readonly wasEmpty: boolean}): void {
  if (state.isRunning || state.wantsToEnd) return interrupts.interrupt();
  if (!wasEmpty) return;
  state.wantsToEnd = true;
  io.note(io.paint('dim', 'Press Ctrl-C again, or Ctrl-D, to end.'));
  lines.showPrompt();
}

/** Reports that a turn is being cancelled, and drops text typed ahead. */
export function cancelling(io: Io, lines: LineEditor): void {
  const dropped = lines.forgetTypedAhead();
  const what = dropped === 0 ? '' : ` What was typed ahead is dropped (${dropped}).`;
  io.note(`\nCancelling.${what} Press Ctrl-C again to end at once.`);
}

/** Turn by turn until the person ends it; returns how the last turn ended. */
export async function converse(
  talk: Conversation & {readonly schedule: ChatSchedule},
  thread: OpenedThread,
  first: string,
): Promise<RunResult | undefined> {
  const {io, lines, interrupts, state} = talk;
  let last: RunResult | undefined;
  const {schedule} = talk;
  const start: ChatInput = {text: first, isScheduled: false};
  for (let input: ChatInput | undefined = start; input !== undefined; input = await nextInput(io, lines, schedule)) {
    const text = input.text.trim();
    state.wantsToEnd = false;
    if (text !== '') {
      state.isRunning = true;
      const command = input.isScheduled ? 'none' : await runOwn({io, thread, schedule: schedule.tasks, signal: interrupts.signal()}, text);
      if (command !== 'none') state.isRunning = false;
      if (command === 'end') break;
      if (command === 'done') continue;
      const task = await typedTask({io, thread}, text, interrupts.signal());
      if (task !== undefined) last = await thread.run(task, interrupts.signal());
      state.isRunning = false;
      if (task !== undefined && last !== undefined) printEnd(io, last);
    }
  }
  return last;
}

/** That nothing was verified is said once, when the chat ends: a question of a talk needs no check. */
function printEnd(io: Io, result: RunResult): void {
  for (const line of describeEnding(withoutNothing(result), io.paint)) io.note(line);
  if (result.outcome !== 'success') io.note(describeOutcome(result, io.paint));
}

/** Runs a line that is none for the model: a command of the chat, or a request for its schedule. */
async function runOwn(talk: SlashTalk, line: string): ReturnType<typeof runSlashCommand> {
  const command = await runSlashCommand(talk, line);
  return command === 'none' && (await answeredPlainLine(talk.io, talk.schedule, line)) ? 'done' : command;
}
