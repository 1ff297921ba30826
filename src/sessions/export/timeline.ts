import type {ThreadEvent} from '../../protocol/events.ts';

/** Knows which entries of a session are still part of its conversation. */
export interface Timeline<Entry> {
  /** Before the entries of the event are added to `entries`. */
  apply(event: ThreadEvent, entries: readonly Entry[]): void;
  /** Marks rewound entries, when all entries are there. */
  mark(entries: readonly Entry[]): void;
}

/**
 * A rewind removes everything since the beginning of a turn, and can itself be rewound: then the removed part is back
 * (the same rule as in `history.ts`). Spans of entries are kept, not entries: long sessions are rewound often.
 */
export function createTimeline<Entry extends {rewound?: true}>(): Timeline<Entry> {
  const points = new Map<string, readonly Span[]>();
  let settled: readonly Span[] = [];
  let from = 0;

  const seen = (count: number): readonly Span[] => (count > from ? [...settled, {from, to: count}] : settled);

  return {
    apply(event, {length: count}) {
      if (event.type === 'turn.started') points.set(event.turn_id, seen(count));
      if (event.type !== 'thread.rewound') return;
      const now = seen(count);
      const to = points.get(event.to);
      points.set(event.checkpoint_id, now);
      settled = to ?? now;
      from = count;
    },
    mark(entries) {
      const kept = seen(entries.length);
      let next = 0;
      for (const span of [...kept, {from: entries.length, to: entries.length}]) {
        for (const entry of entries.slice(next, span.from)) entry.rewound = true;
        next = span.to;
      }
    },
  };
}

interface Span {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}
