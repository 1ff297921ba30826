import {visibleText} from '../../../base/visible-text.ts';
import type {RunResult} from '../../../agent/thread.ts';
import type {OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {withoutNothing} from '../../../sdk/verification/ending-lines.ts';
import type {Interrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {describeEnding, describeOutcome} from '../output/describe-outcome.ts';
import {noteBackgroundCommands} from '../output/note-background-commands.ts';
import {createLineEditor, type LineEditor} from './line-editor.ts';
import {runSlashCommand} from './slash-commands.ts';
import {typedTask} from './typed-task.ts';

/** Closes the thread of a chat, and reports the commands that keep running. */
export async function closed(io: Io, thread: OpenedThread, last: RunResult | undefined): Promise<void> {
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
  {io, lines, interrupts, state}: Conversation,
  thread: OpenedThread,
  first: string,
): Promise<RunResult | undefined> {
  let last: RunResult | undefined;
  for (let input: string | undefined = first; input !== undefined; input = await nextPrompt(io, lines)) {
    const text = input.trim();
    state.wantsToEnd = false;
    if (text !== '') {
      state.isRunning = true;
      const command = await runSlashCommand({io, thread, signal: interrupts.signal()}, text);
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

async function nextPrompt(io: Io, lines: LineEditor): Promise<string | undefined> {
  io.note('');
  const prompt = await lines.nextPrompt();
  if (prompt === undefined) io.note('');
  return prompt;
}
