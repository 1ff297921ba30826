import {createInterface, type Interface} from 'node:readline/promises';
import type {RunResult} from '../../../agent/thread.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {EXIT, exitCodeOfOutcome} from '../../../protocol/exit-code.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import {loadSettings, withModel} from '../../../sdk/load-settings.ts';
import {openThread, type OpenedThread} from '../../../sdk/open-thread.ts';
import {askApproval} from '../approval.ts';
import {describeOutcome} from '../describe-outcome.ts';
import {listenForInterrupts, type Interrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {createProgress} from '../progress.ts';
import {flagsOf, type RunOptions} from '../run-options.ts';

/** The interactive chat, line by line: answers on stdout as they arrive, everything else on stderr. */
export async function chat(io: Io, prompt: string, options: RunOptions): Promise<number> {
  const session = withModel(await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)}));
  for (const notice of session.notices) io.note(notice);
  const lines = createInterface({input: process.stdin, output: process.stderr});
  const interrupts = listenForInterrupts(() => io.note('\nCancelling. Press Ctrl-C again to end.'));
  // readline takes Ctrl-C for itself while it waits for a line; there it means: end.
  lines.on('SIGINT', () => lines.close());
  const resume = options.last === true ? 'latest' : options.resume === undefined ? undefined : {id: options.resume};
  try {
    const thread: OpenedThread = await openThread(
      {
        session,
        resume,
        onEvent: createLiveView(io),
        approve: (request, signal) => askApproval({io, lines, request, grant: (rule) => thread.grant(rule)}, signal),
      },
      interrupts.signal(),
    );
    for (const note of thread.notes) io.note(note);
    io.note(io.paint('dim', 'Type a task. /help shows what else can be typed; Ctrl-D ends.'));
    const last = await converse({io, lines, thread, interrupts}, prompt);
    await thread.close(last);
    return last === undefined || last.outcome === 'cancelled' ? EXIT.done : exitCodeOfOutcome(last.outcome);
  } finally {
    lines.close();
    interrupts.dispose();
  }
}

interface Conversation {
  readonly io: Io;
  readonly lines: Interface;
  readonly thread: OpenedThread;
  readonly interrupts: Interrupts;
}

/** Turn by turn until the person ends it; returns how the last turn ended. */
async function converse({io, lines, thread, interrupts}: Conversation, first: string): Promise<RunResult | undefined> {
  let last: RunResult | undefined;
  for (let input: string | undefined = first; input !== undefined; input = await nextLine(lines)) {
    const text = input.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text === '/help') io.note(HELP);
    else if (text.startsWith('/')) io.note(`There is no command ${visibleText(text)}. /help shows the commands.`);
    else if (text !== '') {
      last = await thread.run(text, interrupts.signal());
      io.data('\n');
      if (last.outcome !== 'success') io.note(describeOutcome(last, io.paint));
    }
  }
  return last;
}

/** The next line typed; undefined at the end of input. */
async function nextLine(lines: Interface): Promise<string | undefined> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  lines.once('close', end);
  try {
    return await lines.question('\n› ', {signal: ended.signal});
  } catch {
    return undefined; // the input was closed
  } finally {
    lines.off('close', end);
  }
}

/** Like the progress of a headless run, but answers appear while they arrive, on stdout. */
function createLiveView(io: Io): (event: ThreadEvent) => void {
  const progress = createProgress(io);
  return (event) => {
    if (event.type === 'item.updated') {
      if (event.item_type === 'agent_message') io.data(visibleText(event.delta));
    } else if (event.type === 'item.completed' && event.item.type === 'agent_message') io.data('\n');
    else progress(event);
  };
}

const HELP = `/help   this list
/exit   end the chat (also Ctrl-D)
Ctrl-C  cancel the running turn; again to end at once
The session is kept: fettle --last goes on with it.`;
