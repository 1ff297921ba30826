import {EXIT, exitCodeOfOutcome} from '../../../protocol/exit-code.ts';
import {loadSettings, withModel, type SettingsRequest} from '../../../sdk/settings/load-settings.ts';
import {openThread, type OpenedThread} from '../../../sdk/thread/open-thread.ts';
import {storeRule} from '../../../sdk/settings/store-rule.ts';
import {askApproval} from '../chat/approval.ts';
import {askQuestions} from '../chat/ask-questions.ts';
import {cancelling, type ChatState, closed, converse, openLines} from '../chat/converse.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {createChatSchedule} from '../chat/chat-schedule.ts';
import {createLiveView} from '../chat/live-view.ts';
import {flagsOf, type RunOptions} from '../command-line/run-options.ts';
import {sessionToResume} from '../session-to-resume.ts';
import {settleTrustInLines} from '../trust/resolve-trust.ts';
import {SLASH_NAMES} from '../chat/slash-commands.ts';

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
  const lines = openLines({io, interrupts, state});
  const schedule = createChatSchedule();
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
        schedule: schedule.tasks,
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
    const last = await converse({io, lines, interrupts, state, schedule}, thread, prompt);
    await closed(io, {thread, schedule}, last);
    if (state.isInterrupted) return EXIT.interrupted;
    return last === undefined || last.outcome === 'cancelled' ? EXIT.done : exitCodeOfOutcome(last.outcome);
  } finally {
    schedule.tasks.close();
    lines.close();
    interrupts.dispose();
  }
}
