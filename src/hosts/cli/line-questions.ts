import {listenForInterrupts} from './interrupt.ts';
import type {LineEditor} from './chat/line-editor.ts';

/** Questions on plain lines, before a screen is there. */
export interface LineTalk {
  /** Reads keys from the first question on; without a question none are read. */
  ask(question: string): Promise<boolean>;
}

/** Gives `body` the terminal for questions, and takes it back. */
export async function askInLines<T>(body: (talk: LineTalk) => Promise<T>): Promise<T> {
  let opened: LineEditor | undefined;
  const interrupts = listenForInterrupts(() => opened?.close());
  const lines = async (): Promise<LineEditor> => {
    const {createLineEditor} = await import('./chat/line-editor.ts');
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
    const ask = async (question: string): Promise<boolean> => {
      const answer = await (await lines()).question(question, {signal}).catch(() => '');
      return /^y(?:es)?$/i.test(answer.trim());
    };
    return await body({ask});
  } finally {
    opened?.close();
    interrupts.dispose();
  }
}
