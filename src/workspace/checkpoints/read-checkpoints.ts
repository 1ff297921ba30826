import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import type {BytePath} from './byte-path.ts';
import type {Change, Checkpoint, JournalLine} from './checkpoint.ts';
import {sameEntry} from './entry-state.ts';
import {CLOSED, OPEN} from './journal.ts';
import {namesIn, type StorePlace} from './store-place.ts';

/** Every checkpoint of a workspace, oldest first. A record that cannot be read is left out. */
export function readCheckpoints({turns}: Pick<StorePlace, 'turns'>): Checkpoint[] {
  return namesIn(turns)
    .filter((name) => name.endsWith(OPEN) || name.endsWith(CLOSED))
    .flatMap((name) => checkpointFrom(textOf(join(turns, name)), name.endsWith(CLOSED)) ?? []);
}

/** Lines that were cut off are passed over: what stands before them was on the disk before anything was changed. */
export function checkpointFrom(text: string, isClosed: boolean): Checkpoint | undefined {
  const lines = text.split('\n').flatMap((line) => lineFrom(line) ?? []);
  const begin = lines.find((line) => line.t === 'begin');
  if (begin === undefined) return undefined;
  const changes = new Map<BytePath, Change>();
  let openScan = false;
  for (const line of lines) {
    applyTo(changes, line);
    if (line.t === 'scan' || line.t === 'scanned') openScan = line.t === 'scan';
  }
  const {id, session, kind, target, scope, title, startedAt} = begin;
  const notes = [...new Set(lines.flatMap((line) => (line.t === 'note' ? [line.text] : [])))];
  return {id, session, kind, target, scope, title, startedAt, isClosed, changes, notes, openScan};
}

/** What is different in the end; a path whose end is not known counts. */
export function netChanges({changes}: Pick<Checkpoint, 'changes'>): [BytePath, Change][] {
  return [...changes].filter(([, {before, after}]) => after === undefined || !sameEntry(before, after));
}

/** Some change was under way when the record ends. */
export function isUnfinished({openScan, changes}: Pick<Checkpoint, 'openScan' | 'changes'>): boolean {
  return openScan || [...changes.values()].some(({after}) => after === undefined);
}

function applyTo(changes: Map<BytePath, Change>, line: JournalLine): void {
  if (line.t === 'before') {
    const known = changes.get(line.p);
    changes.set(line.p, {before: known === undefined ? line.s : known.before, after: undefined});
  } else if (line.t === 'touch' || line.t === 'after') {
    const known = changes.get(line.p);
    if (known !== undefined) changes.set(line.p, {...known, after: line.t === 'after' ? line.s : undefined});
  }
}

const KINDS = new Set(['begin', 'before', 'touch', 'after', 'scan', 'scanned', 'note', 'end']);

/** The store is private and written by this program alone; only what a crash can do to a line is looked for. */
function lineFrom(text: string): JournalLine | undefined {
  if (text === '') return undefined;
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const {t} = value;
  return typeof t === 'string' && KINDS.has(t) ? (value as unknown as JournalLine) : undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // closed and renamed, or cleaned away, since it was listed
  }
}
