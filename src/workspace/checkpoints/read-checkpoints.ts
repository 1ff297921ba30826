import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import {hashOf} from './store/blob-store.ts';
import type {BytePath} from './byte-path.ts';
import type {Change, Checkpoint, JournalLine} from './checkpoint.ts';
import {sameEntry} from './entry-state.ts';
import {CLOSED, OPEN} from './journal.ts';
import {journalLine} from './journal-line.ts';
import {namesIn, type StorePlace} from './store/store-place.ts';
import {assertOwnFolder, readStored} from './store/stored-file.ts';

/**
 * Reads every checkpoint of a workspace, oldest first, including those with a damaged record, whose changes are unknown.
 * @throws FettleError DENIED if the store belongs to somebody else.
 */
export function readCheckpoints({turns}: Pick<StorePlace, 'turns'>): Checkpoint[] {
  assertOwnFolder(turns);
  return namesIn(turns).flatMap((name) => readCheckpoint(turns, name) ?? []);
}

/**
 * The checkpoint of that id, else those whose ids begin with it (`chk_` may be left out), oldest first. Reads no other record: a folder has thousands.
 * @throws FettleError DENIED where the store belongs to somebody else.
 */
export function findCheckpoints({turns}: Pick<StorePlace, 'turns'>, id: string): Checkpoint[] {
  assertOwnFolder(turns);
  if (!/^[\w-]+$/.test(id)) return [];
  const exact = [OPEN, CLOSED].map((ending) => readCheckpoint(turns, `${id}${ending}`)).find((one) => one !== undefined);
  if (exact !== undefined) return [exact];
  const names = namesIn(turns).filter((name) => name.startsWith(id) || name.startsWith(`chk_${id}`));
  return names.flatMap((name) => readCheckpoint(turns, name) ?? []);
}

/** The record in a file of the store; undefined: none, or its writer was killed before its first line. */
export function readCheckpoint(turns: string, name: string): Checkpoint | undefined {
  const ending = [OPEN, CLOSED].find((one) => name.endsWith(one));
  if (ending === undefined) return undefined;
  const file = join(turns, name);
  const id = name.slice(0, -ending.length);
  const text = textOf(file);
  if (text === undefined) return undefined;
  const found = checkpointFrom(text, ending === CLOSED);
  if (found !== undefined && found.id === id) return found.isDamaged ? {...found, notes: [...found.notes, DAMAGED]} : found;
  return found === undefined && ending === OPEN && text !== NO_RECORD && isFirstLineCutOff(text) ? undefined : damagedRecord(file, id);
}

/** Incomplete lines are skipped: the lines before them were on the disk before anything was changed. */
export function checkpointFrom(text: string, isClosed: boolean): Checkpoint | undefined {
  const read = text.split('\n').flatMap((line) => (line === '' ? [] : journalLine(line)));
  const lines = read.filter((line) => typeof line !== 'string');
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
  const isInterrupted = lines.some((line) => line.t === 'interrupted');
  const isDamaged = read.includes('foreign') || (isClosed && !isWhole(text));
  return {id, session, kind, target, scope, title, startedAt, isClosed, changes, notes, openScan, isInterrupted, isDamaged};
}

/** Returns the net changes; a path whose end is not known counts. */
export function netChanges({changes}: Pick<Checkpoint, 'changes'>): [BytePath, Change][] {
  return [...changes].filter(([, {before, after}]) => after === undefined || !sameEntry(before, after));
}

/** True if a change was under way when the record ends. */
export function isUnfinished({openScan, changes}: Pick<Checkpoint, 'openScan' | 'changes'>): boolean {
  return openScan || [...changes.values()].some(({after}) => after === undefined);
}

function applyTo(changes: Map<BytePath, Change>, line: JournalLine): void {
  if (line.t === 'before') {
    const known = changes.get(line.p);
    changes.set(line.p, {before: known === undefined ? line.s : known.before, after: undefined, ...seenBy(line.at)});
  } else if (line.t === 'touch' || line.t === 'after') {
    const known = changes.get(line.p);
    if (known === undefined) return;
    if (line.t === 'after') changes.set(line.p, {...known, after: line.s});
    else changes.set(line.p, {before: known.before, after: undefined});
  }
}

function seenBy(seenAt: string | undefined): Pick<Change, 'seenAt'> {
  return seenAt === undefined ? {} : {seenAt};
}

/** A closed record ends with the checksum of everything before. Records of earlier versions end without one. */
function isWhole(text: string): boolean {
  const at = text.lastIndexOf(END);
  const end = at === -1 ? 'cut off' : journalLine(text.slice(at + 1).trimEnd());
  return typeof end !== 'string' && end.t === 'end' && (end.sum === undefined || end.sum === hashOf(Buffer.from(text.slice(0, at))));
}

const END = '\n{"t":"end"';

function isFirstLineCutOff(text: string): boolean {
  return text.split('\n').filter((line) => line !== '').length <= 1;
}

const DAMAGED = 'Its record is damaged: what it changed is not known for certain.';

/** Returns a checkpoint without content for a damaged record, so that its existence is known. It may belong to any session. */
function damagedRecord(file: string, id: string): Checkpoint {
  const changedAt = lstatSync(file, {throwIfNoEntry: false})?.mtime ?? new Date(0);
  return {
    id,
    session: '',
    kind: 'turn',
    target: '',
    scope: 'files',
    title: 'damaged record',
    startedAt: changedAt.toISOString(),
    isClosed: true,
    changes: new Map(),
    notes: [DAMAGED],
    openScan: false,
    isInterrupted: false,
    isDamaged: true,
  };
}

/** Returns undefined if the record was closed and renamed, or removed, since it was listed. */
function textOf(file: string): string | undefined {
  try {
    return readStored(file)?.toString('utf8');
  } catch {
    return NO_RECORD;
  }
}

/** Error codes for a link, a pipe or a folder in the place of a record. */
const NO_RECORD = '\0';
