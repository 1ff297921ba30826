/** Makes guessing a token slow: after some wrong ones each further refusal comes late, and only so many wait at a time. */
export interface GuessLimit {
  /** Refuses with `answer`, now or later; if too many wait already, with `drop`, which reveals nothing. */
  refuse(by: {readonly answer: () => void; readonly drop: () => void}): void;
  /** Drops waiting requests without an answer. */
  end(): void;
}

export interface GuessLimits {
  /** Wrong tokens that are refused at once. */
  readonly free: number;
  readonly delayMs: number;
  readonly mostWaiting: number;
}

/** 100 at once, then at most 32 in two seconds: a token of 128 bits outlives whoever guesses. */
const DEFAULTS: GuessLimits = {free: 100, delayMs: 2000, mostWaiting: 32};

/** Creates one limit per server: callers cannot be distinguished, so a caller with the right token is never delayed. */
export function createGuessLimit({free, delayMs, mostWaiting}: GuessLimits = DEFAULTS): GuessLimit {
  const waiting = new Set<NodeJS.Timeout>();
  let wrong = 0;
  return {
    refuse({answer, drop}) {
      wrong += 1;
      if (wrong <= free) return answer();
      if (waiting.size >= mostWaiting) return drop();
      const timer = setTimeout(() => {
        waiting.delete(timer);
        answer();
      }, delayMs);
      waiting.add(timer);
    },
    end() {
      for (const timer of waiting) clearTimeout(timer);
      waiting.clear();
    },
  };
}
