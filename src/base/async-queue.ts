/** A queue between a producer that pushes and one consumer that awaits; `end` or `fail` closes it once all pushed values are consumed. */
export interface AsyncQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
  fail(error: unknown): void;
}

export function createAsyncQueue<T>(): AsyncQueue<T> {
  const items: T[] = [];
  let closed: {error?: unknown} | undefined;
  let wake: (() => void) | undefined;
  const notify = (): void => {
    wake?.();
    wake = undefined;
  };

  async function* drain(): AsyncGenerator<T> {
    for (;;) {
      while (items.length > 0) yield items.shift() as T;
      if (closed !== undefined) {
        if ('error' in closed) throw closed.error;
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(item) {
      items.push(item);
      notify();
    },
    end() {
      closed ??= {};
      notify();
    },
    fail(error) {
      closed ??= {error};
      notify();
    },
    [Symbol.asyncIterator]: drain,
  };
}
