import type {ReconnectionScheduler} from '@modelcontextprotocol/client';

const FIRST_MS = 500;
const LONGEST_MS = 15_000;
/** Longest delay that a server may ask for with `retry:`. */
const LONGEST_ASKED_MS = 5 * 60_000;
/** A stream that was open for so long was not a failure. */
const STEADY_MS = 60_000;

/**
 * Delay before an ended stream is requested again: longer each time, up to 15 s, even if each one could be opened and closed at once, or if the
 * server asks for less. A stream that lasted a minute resets it.
 */
export function reconnectPace(
  now: () => number = () => performance.now(),
  after: (run: () => void, ms: number) => () => void = afterDelay,
): ReconnectionScheduler {
  let [times, lastOpened] = [0, -Infinity];
  return (reconnect, asked) => {
    if (now() - lastOpened >= STEADY_MS) times = 0;
    const pace = Math.min(FIRST_MS * 2 ** times, LONGEST_MS);
    times += 1;
    return after(
      () => {
        lastOpened = now();
        reconnect();
      },
      Math.max(pace, Math.min(asked, LONGEST_ASKED_MS)),
    );
  };
}

function afterDelay(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
