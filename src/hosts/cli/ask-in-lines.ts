import {listenForInterrupts} from './interrupt.ts';
import {createLineEditor, type LineEditor} from './line-editor.ts';

/** Questions on plain lines, before a screen is there. */
export interface LineTalk {
  /** Opened at the first question: where nothing is asked, nobody reads the keys. */
  readonly lines: LineEditor;
  ask(question: string): Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Gives `body` the terminal for questions, and takes it back. */
export async function askInLines<T>(body: (talk: LineTalk) => Promise<T>): Promise<T> {
  let opened: LineEditor | undefined;
  const interrupts = listenForInterrupts(() => opened?.close());
  const lines = (): LineEditor => {
    opened ??= createLineEditor({
      input: process.stdin,
      output: process.stderr,
      onInterrupt: () => interrupts.interrupt(),
      onTypedAhead: () => undefined,
    });
    return opened;
  };
  const signal = interrupts.signal();
  try {
    return await body({
      get lines() {
        return lines();
      },
      ask: async (question) =>
        /^y(?:es)?$/i.test(
          (
            await lines()
              .question(question, {signal})
              .catch(() => '')
          ).trim(),
        ),
      signal,
    });
  } finally {
    opened?.close();
    interrupts.dispose();
  }
}
