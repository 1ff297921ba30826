/** The newest output of a command, both streams in the order they came, whoever else reads it. */
export interface OutputTail {
  push(text: string): void;
  /** `isCut`: more was written before. */
  read(): {readonly text: string; readonly isCut: boolean};
  /** Calls back with each piece and with `wake`; returns what ends it. */
  listen(listener: () => void): () => void;
  /** There is nothing new to read, but the command has ended. */
  wake(): void;
}

/** Characters. */
export const MOST_TAIL = 16 * 1024;

export function createOutputTail(): OutputTail {
  let pieces: string[] = [];
  let chars = 0;
  let isCut = false;
  const listeners = new Set<() => void>();
  const wake = (): void => {
    for (const listener of listeners) listener();
  };
  const joined = (): string => {
    const all = pieces.join('');
    const text = all.slice(-MOST_TAIL);
    isCut ||= text.length < all.length;
    pieces = [text];
    chars = text.length;
    return text;
  };
  return {
    wake,
    push(text) {
      pieces.push(text);
      chars += text.length;
      if (chars > 2 * MOST_TAIL) joined();
      wake();
    },
    read() {
      const text = joined();
      return {text, isCut};
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
