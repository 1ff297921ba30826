import {createInterface, type Interface} from 'node:readline';
import {setImmediate} from 'node:timers/promises';
import {onAbort} from '../../../base/waiting/on-abort.ts';
import {orAbort} from '../../../base/waiting/or-abort.ts';
import {createPasteFilter, PASTE_MARKS, restoreLineFeeds} from './paste-filter.ts';

/** The line that a person types into. Text typed while nothing is asked waits for the next prompt. */
export interface LineEditor {
  /** Asks, and resolves with the line typed. Rejects if the signal aborts or the input ends. */
  question(query: string, options: {readonly signal: AbortSignal}): Promise<string>;
  /**
   * The next task: the oldest line typed ahead, else the next one typed; undefined at the end of the input. When the signal aborts, it rejects,
   * and what was typed by then is on the line of the next prompt.
   */
  nextPrompt(options?: {readonly signal: AbortSignal}): Promise<string | undefined>;
  /** Shows the prompt again, after something was written below it. */
  showPrompt(): void;
  /** Clears the line, including keys that were pressed and not read yet: they were pressed before the question was shown. */
  clearTyped(): Promise<void>;
  /** Drops lines typed ahead; returns their number. */
  forgetTypedAhead(): number;
  close(): void;
}

export interface LineEditorOptions {
  readonly input: NodeJS.ReadableStream & {setRawMode?(mode: boolean): unknown};
  readonly output: NodeJS.WritableStream;
  /** Ctrl-C, which the editor takes as a key. `wasEmpty`: the line was empty; otherwise it is cleared now. */
  readonly onInterrupt: (line: {readonly wasEmpty: boolean}) => void;
  readonly onTypedAhead: (line: string) => void;
}

/** Owns the terminal's input until it is closed. */
export function createLineEditor({input, output, onInterrupt, onTypedAhead}: LineEditorOptions): LineEditor {
  const filtered = Object.assign(createPasteFilter(), {isTTY: true, setRawMode: (mode: boolean) => input.setRawMode?.(mode)});
  const lines = createInterface({input: input.pipe(filtered), output, terminal: true, prompt: ''});
  const unmark = (): void => void output.write(PASTE_MARKS.off);
  const ahead: string[] = [];
  const ended = new AbortController();
  let isAnswer = false;

  output.write(PASTE_MARKS.on);
  process.once('exit', unmark);
  // A terminal that went away is the end of the input.
  input.once('error', () => lines.close());
  lines.once('close', () => {
    ended.abort();
    process.off('exit', unmark);
    unmark();
    input.unpipe(filtered);
    input.pause();
  });
  // Called only for lines that no question takes; an empty line means that somebody waits.
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    ahead.push(restoreLineFeeds(line));
    onTypedAhead(line);
  });
  // A yes or no is nothing to bring back with the arrow keys.
  lines.on('history', (history) => void (isAnswer && history.shift()));
  lines.on('SIGINT', () => {
    const wasEmpty = lines.line === '';
    emptyLine(lines);
    onInterrupt({wasEmpty});
  });

  const ask = (query: string, cancelled: AbortSignal): Promise<string> => asked(lines, query, AbortSignal.any([cancelled, ended.signal]));
  const unlessEnded = (error: unknown): undefined => {
    if (!ended.signal.aborted) throw error;
  };

  return {
    async question(query, {signal}) {
      isAnswer = true;
      try {
        return await ask(query, signal);
      } finally {
        isAnswer = false;
      }
    },
    async nextPrompt({signal} = {signal: ended.signal}) {
      const typed = ahead.shift();
      if (typed === undefined) return await keepingLine(lines, signal, () => ask(PROMPT, signal)).catch(unlessEnded);
      output.write(`${PROMPT}${typed}\n`);
      return typed;
    },
    clearTyped: () => clearTyped(lines, ended.signal),
    showPrompt: () => lines.prompt(),
    forgetTypedAhead: () => ahead.splice(0).length,
    close: () => lines.close(),
  };
}

const PROMPT = '› ';

async function asked(lines: Interface, query: string, signal: AbortSignal): Promise<string> {
  const typed = new Promise<string>((resolve) => {
    if (!signal.aborted) lines.question(query, {signal}, (line) => resolve(restoreLineFeeds(line)));
  });
  return await orAbort(typed, signal, () => new DOMException('Nobody answers.', 'AbortError'));
}

/** Asks with the text that is on the line already. When the signal aborts, the text that was typed by then stays on it. */
async function keepingLine(lines: Interface, signal: AbortSignal, ask: () => Promise<string>): Promise<string> {
  let kept = {line: '', cursor: 0};
  // The question empties the line when it is cancelled.
  const leave = onAbort(signal, () => void (kept = {line: lines.line, cursor: lines.cursor}));
  const before = lines.line;
  // Typed again behind the prompt: a dumb terminal does not draw a line anew.
  Object.assign(lines, {line: '', cursor: 0});
  const typed = ask();
  if (before !== '' && !signal.aborted) lines.write(before);
  try {
    return await typed;
  } catch (error) {
    Object.assign(lines, kept);
    throw error;
  } finally {
    leave();
  }
}

async function clearTyped(lines: Interface, ended: AbortSignal): Promise<void> {
  // What waits in the terminal is read in the next rounds of the loop of events.
  for (let round = 0; round < 3; round++) await setImmediate();
  if (!ended.aborted && lines.line !== '') emptyLine(lines);
}

function emptyLine(lines: Interface): void {
  lines.write(null, {ctrl: true, name: 'e'});
  lines.write(null, {ctrl: true, name: 'u'});
}
