/** Runs `act` once when the signal aborts, or at once if it already has. Returns a function that stops listening; call it when done. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, {once: true});
  return () => signal.removeEventListener('abort', act);
}
