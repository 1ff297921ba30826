/** The calls that run now, over all connections. */
export interface RunningCalls {
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Resolves when no call runs any more. */
  settled(): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    async run(call) {
      const promise = call();
      running.add(promise);
      try {
        return await promise;
      } finally {
        running.delete(promise);
      }
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
