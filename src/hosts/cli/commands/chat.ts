import type {RunResult} from '../../../agent/thread.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {EXIT, exitCodeOfOutcome} from '../../../protocol/exit-code.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import {loadSettings, withModel, type SettingsRequest} from '../../../sdk/settings/load-settings.ts';
import {openThread, type OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {storeRule} from '../../../sdk/settings/written-rules.ts';
import {askApproval} from '../chat/approval.ts';
import {askQuestions} from '../chat/ask-questions.ts';
import {describeEnding, describeOutcome} from '../output/describe-outcome.ts';
import {withoutNothing} from '../../../sdk/verification/ending-lines.ts';
import {listenForInterrupts, type Interrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {createLineEditor, type LineEditor} from '../chat/line-editor.ts';
import {createLiveText} from '../chat/live-text.ts';
import {noteKept} from '../output/note-kept.ts';
import {createProgress} from '../output/progress.ts';
import {flagsOf, type RunOptions} from '../command-line/run-options.ts';
import {sessionToResume} from '../session-to-resume.ts';
import {runSlashCommand, SLASH_NAMES} from '../chat/slash-commands.ts';
import {typedTask} from '../chat/typed-task.ts';
import {settleTrustInLines} from '../trust/settle-trust.ts';

/** The interactive chat, line by line: answers on stdout as they arrive, everything else on stderr. */
export async function chat(io: Io, prompt: string, options: RunOptions): Promise<number> {
  const place = {cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)};
  const found = withModel(await loadSettings(place));
  const state: ChatState = {isRunning: false, wantsToEnd: false, isInterrupted: false};
  const interrupts = listenForInterrupts((signal) => {
    state.isInterrupted = signal === 'SIGTERM' || !state.isRunning;
    if (state.isInterrupted) lines.close();
    if (state.isRunning) cancelling(io, lines);
  });
  const lines = createLineEditor({
    input: process.stdin,
    output: process.stderr,
    onInterrupt: (line) => pressedInterrupt({io, lines, interrupts, state}, line),
    onTypedAhead: (line) => io.note(io.paint('dim', `(next: ${visibleText(line)})`)),
  });
  try {
    const stop = interrupts.signal();
    const question = (text: string): Promise<string> => lines.question(text, {signal: stop}).catch(() => '');
    const ask = async (text: string): Promise<boolean> => /^y(?:es)?$/i.test((await question(text)).trim());
    const resume = await sessionToResume({io, session: found, options, ask, question});
    const reload = (trust: SettingsRequest['trust']): ReturnType<typeof loadSettings> => loadSettings({...place, trust});
    const session = await settleTrustInLines({io, lines, session: found, reload}, interrupts.signal());
    for (const notice of session.notices) io.note(notice);
    if (state.isInterrupted) return EXIT.interrupted;
    const thread: OpenedThread = await openThread(
      {
        session,
        resume,
        reservedCommands: SLASH_NAMES,
        onEvent: createLiveView(io),
        onWait: io.note,
        askUser: (questions, signal) => askQuestions({io, lines}, questions, signal),
        approve: (request, signal) =>
          askApproval(
            {
              io,
              lines,
              request,
              grant: (rule) => thread.grant(rule),
              remember: async (text) => void (await storeRule(session, {text, effect: 'allow', everywhere: false})),
            },
            signal,
          ),
      },
      interrupts.signal(),
    );
    for (const note of thread.notes) io.note(note);
    io.note(io.paint('dim', 'Type a task. /help shows what else can be typed; Ctrl-D ends.'));
    const last = await converse({io, lines, interrupts, state}, thread, prompt);
    await closed(io, thread, last);
    if (state.isInterrupted) return EXIT.interrupted;
    return last === undefined || last.outcome === 'cancelled' ? EXIT.done : exitCodeOfOutcome(last.outcome);
  } finally {
    lines.close();
    interrupts.dispose();
  }
}

async function closed(io: Io, thread: OpenedThread, last: RunResult | undefined): Promise<void> {
  noteKept(io, await thread.close(last));
  if (last?.report?.verified === 'none') io.note(io.paint('dim', 'Nothing was verified in this chat.'));
  for (const note of thread.lateNotes()) io.note(note);
}

interface ChatState {
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

/** While a turn runs Ctrl-C cancels it; at the prompt it clears the line, and twice on an empty one ends the chat. */
function pressedInterrupt({io, lines, interrupts, state}: Conversation, {wasEmpty}: {readonly wasEmpty: boolean}): void {
  if (state.isRunning || state.wantsToEnd) return interrupts.interrupt();
  if (!wasEmpty) return;
  state.wantsToEnd = true;
  io.note(io.paint('dim', 'Press Ctrl-C again, or Ctrl-D, to end.'));
  lines.showPrompt();
}

function cancelling(io: Io, lines: LineEditor): void {
  const dropped = lines.forgetTypedAhead();
  const what = dropped === 0 ? '' : ` What was typed ahead is dropped (${dropped}).`;
  io.note(`\nCancelling.${what} Press Ctrl-C again to end at once.`);
}

/** Turn by turn until the person ends it; returns how the last turn ended. */
async function converse({io, lines, interrupts, state}: Conversation, thread: OpenedThread, first: string): Promise<RunResult | undefined> {
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
      if (task !== undefined && last !== undefined) tellEnd(io, last);
    }
  }
  return last;
}

/** That nothing was verified is said once, when the chat ends: a question of a talk needs no check. */
function tellEnd(io: Io, result: RunResult): void {
  for (const line of describeEnding(withoutNothing(result), io.paint)) io.note(line);
  if (result.outcome !== 'success') io.note(describeOutcome(result, io.paint));
}

async function nextPrompt(io: Io, lines: LineEditor): Promise<string | undefined> {
  io.note('');
  const prompt = await lines.nextPrompt();
  if (prompt === undefined) io.note('');
  return prompt;
}

/** Like the progress of a headless run, but answers appear while they arrive, on stdout. */
function createLiveView(io: Io): (event: ThreadEvent) => void {
  const progress = createProgress(io);
  let text = createLiveText();
  const endLine = (): void => {
    const rest = text.end();
    if (rest !== undefined) io.data(`${rest}\n`);
    text = createLiveText();
  };
  return (event) => {
    if (event.type === 'item.updated' && event.stream !== 'progress') {
      if (event.item_type === 'agent_message') io.data(text.push(event.delta));
    } else if (event.type === 'item.completed' && event.item.type === 'agent_message') endLine();
    else {
      // What a retry voids stands there unfinished.
      endLine();
      progress(event);
    }
  };
}
