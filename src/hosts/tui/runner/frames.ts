/** Draws after changes, at most once for simultaneous ones; while nothing changes, no timer runs. */
export interface Frames {
  /** Draws at the latest in `delay` milliseconds: 0 means right after the current event. */
  drawIn(delay: number): void;
  /** Draws pending changes now. */
  flush(): void;
  /** Milliseconds of the clock when a frame was last drawn. */
  readonly drawnAt: () => number;
  /** Milliseconds that it took. */
  readonly took: () => number;
}

export function createFrames(draw: () => void, now: () => number): Frames {
  let due: {readonly at: number; readonly cancel: () => void} | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let took = 0;
  const flush = (): void => {
    due?.cancel();
    due = undefined;
    drawnAt = now();
    draw();
    took = now() - drawnAt;
  };
  return {
    flush,
    drawnAt: () => drawnAt,
    took: () => took,
    drawIn(delay) {
      const at = now() + delay;
      if (due !== undefined && due.at <= at) return;
      due?.cancel();
      due = {at, cancel: schedule(flush, delay)};
    },
  };
}

function schedule(action: () => void, delay: number): () => void {
  if (delay <= 0) {
    const immediate = setImmediate(action);
    return () => clearImmediate(immediate);
  }
  const timer = setTimeout(action, delay);
  return () => clearTimeout(timer);
}
