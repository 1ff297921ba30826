import type {Line} from '../cells/line.ts';
import type {Entry} from '../model/entry.ts';
import {entryLines, needsGap} from '../views/entry-lines.ts';
import type {EntryView} from '../views/entry-view.ts';
import type {RowPlace} from './subagent.ts';

/** A conversation as it is laid out: only the entries that are passed or shown are. */
export interface LaidOut {
  readonly entries: readonly Entry[];
  readonly view: EntryView;
  /** Rows there are for it. */
  readonly room: number;
}

/** The rows of one entry, with the empty one before it. */
export function rowsAt({entries, view}: LaidOut, index: number): readonly Line[] {
  const entry = entries[index];
  if (entry === undefined) return [];
  const lines = entryLines(entry, view);
  return lines.length > 0 && needsGap(entries[index - 1], entry) ? [[], ...lines] : lines;
}

/** The first row on a screen that ends with the newest one. */
export function endPlace(laidOut: LaidOut): RowPlace {
  return movedUp(laidOut, {entry: laidOut.entries.length, skip: 0}, laidOut.room);
}

/** Returns the first row after moving this many rows down or up (negative); undefined: the end is reached, and new rows are followed. */
export function scrolled(laidOut: LaidOut, from: RowPlace | undefined, by: number): RowPlace | undefined {
  const end = endPlace(laidOut);
  const start = from === undefined || !isBefore(from, end) ? end : from;
  const next = by < 0 ? movedUp(laidOut, start, -by) : movedDown(laidOut, start, by);
  return isBefore(next, end) ? next : undefined;
}

/** The rows that are shown from a place on. */
export function shownRows(laidOut: LaidOut, from: RowPlace | undefined): readonly Line[] {
  const end = endPlace(laidOut);
  const {entry, skip} = from !== undefined && isBefore(from, end) ? from : end;
  const lines: Line[] = [];
  for (let at = entry; at < laidOut.entries.length && lines.length < laidOut.room + skip; at += 1) lines.push(...rowsAt(laidOut, at));
  return lines.slice(skip, skip + laidOut.room);
}

function movedDown(laidOut: LaidOut, {entry, skip}: RowPlace, by: number): RowPlace {
  let [at, left] = [entry, skip + by];
  for (let rows = rowsAt(laidOut, at).length; left >= rows && at < laidOut.entries.length; rows = rowsAt(laidOut, at).length) {
    left -= rows;
    at += 1;
  }
  return {entry: at, skip: left};
}

function movedUp(laidOut: LaidOut, {entry, skip}: RowPlace, by: number): RowPlace {
  let [at, left] = [entry, by - skip];
  while (left > 0 && at > 0) {
    at -= 1;
    left -= rowsAt(laidOut, at).length;
  }
  return {entry: at, skip: Math.max(0, -left)};
}

function isBefore(one: RowPlace, other: RowPlace): boolean {
  return one.entry < other.entry || (one.entry === other.entry && one.skip < other.skip);
}
