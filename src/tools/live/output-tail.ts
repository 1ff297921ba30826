/** The newest output of a command, both streams in the order in which they were written, independent of other readers. */
export interface OutputTail {
  push(text: string): void;
  /** Returns the newest output; `isCut` is true if more was written before. */
  read(): {readonly text: string; readonly isCut: boolean};
  /** Calls back for each piece and each `wake`. Returns a function that ends this. */
  listen(listener: () => void): () => void;
  /** Notifies listeners without new output, because the command has ended. */
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
