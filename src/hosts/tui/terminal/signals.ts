/** Handlers of a session for signals. */
export interface SignalHandlers {
  /** SIGTERM or SIGHUP: the session ends. The caller restores the terminal. */
  onEnd(signal: 'SIGTERM' | 'SIGHUP'): void;
  onResize(): void;
  /** Before the process stops: restores the terminal. */
  onSuspend(): void;
  /** Called when the process continues: sets the modes again, and redraws. */
  onContinue(): void;
}

export interface Signals {
  /** Ctrl-Z, which is a key in raw mode, and SIGTSTP from outside. */
  suspend(): void;
  dispose(): void;
}

/** SIGINT is a key in raw mode and is left alone; two handlers for one Ctrl-C have left terminals half restored. */
export function listenToSignals(handlers: SignalHandlers): Signals {
  let isSuspended = false;
  // Nothing reads the terminal then: without this the process would have nothing to wait for, and end before it gets the signal to continue.
  let hold: NodeJS.Timeout | undefined;
  const suspend = (): void => {
    if (isSuspended) return;
    isSuspended = true;
    handlers.onSuspend();
    hold = setInterval(() => undefined, 60_000);
    // The whole job, as the terminal does it for Ctrl-Z: 0 is the group of this process. SIGSTOP cannot be ignored by a handler of ours.
    process.kill(0, 'SIGSTOP');
  };
  const goOn = (): void => {
    // Also after a SIGSTOP, which cannot be handled: the shell has changed the modes meanwhile.
    if (!isSuspended) handlers.onSuspend();
    isSuspended = false;
    clearInterval(hold);
    handlers.onContinue();
  };
  const listeners: readonly (readonly [NodeJS.Signals, () => void])[] = [
    ['SIGTERM', () => handlers.onEnd('SIGTERM')],
    ['SIGHUP', () => handlers.onEnd('SIGHUP')],
    ['SIGWINCH', () => handlers.onResize()],
    ['SIGTSTP', suspend],
    ['SIGCONT', goOn],
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    suspend,
    dispose: () => {
      clearInterval(hold);
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
