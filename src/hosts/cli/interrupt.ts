/** Handles Ctrl-C: the first cancels the running work, the second ends the process at once (design 6: exit code 130). */
export interface Interrupts {
  /** Aborts on the next Ctrl-C or SIGTERM; a new one for each thing that can be cancelled. */
  signal(): AbortSignal;
  /** Ctrl-C as a key, if a line editor takes it before it becomes a signal. */
  interrupt(): void;
  /** Stops listening. */
  dispose(): void;
}

export function listenForInterrupts(onFirst: (signal: 'SIGINT' | 'SIGTERM') => void): Interrupts {
  let current = new AbortController();
  const interrupt = (signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): void => {
    if (current.signal.aborted) process.exit(130);
    current.abort();
    onFirst(signal);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return {
    signal() {
      if (current.signal.aborted) current = new AbortController();
      return current.signal;
    },
    interrupt,
    dispose() {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    },
  };
}
