import type {Entry} from '../model/entry.ts';

export interface EntryBounds {
  readonly entries: number;
  /** Characters of all of them. */
  readonly chars: number;
}

/** Limits for a subagent that is not shown: its log has the rest. */
export const CLOSED: EntryBounds = {entries: 100, chars: 250_000};
/** Number of ended subagents whose entries are kept; the log has those of the others. */
export const MOST_ENDED = 16;
/** Limits for the subagent that is shown. */
export const OPENED: EntryBounds = {entries: 2000, chars: 8_000_000};

/** The newest entries within the bounds, at least one, and how many were left out. */
export function boundedEntries(
  entries: readonly Entry[],
  bounds: EntryBounds,
): {readonly entries: readonly Entry[]; readonly dropped: number} {
  let chars = 0;
  let first = entries.length;
  while (first > 0 && entries.length - first < bounds.entries) {
    chars += charsOf(entries[first - 1]);
    if (chars > bounds.chars && first < entries.length) break;
    first -= 1;
  }
  return first === 0 ? {entries, dropped: 0} : {entries: entries.slice(first), dropped: first};
}

function charsOf(entry: Entry | undefined): number {
  if (entry === undefined || entry.kind === 'banner') return 0;
  return entry.kind === 'tool' ? entry.arguments.length + entry.output.length : entry.text.length;
}
