/** Runs `act` once when the signal aborts, at once where it already has. Returns what ends listening; whoever waits calls it when done. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, {once: true});
  return () => signal.removeEventListener('abort', act);
}
