import type {BytePath} from './byte-path.ts';
import type {EntryState} from './entry-state.ts';
import {isEntryState, isKeptPath} from './journal-line.ts';
import {replaceFile, type StoreFs} from './store/store-fs.ts';
import {readStored} from './store/stored-file.ts';

/** The covered part of a tree as it was at one time. */
export interface TreeIndex {
  /** The start of the walk, ms: a file that changed about then may have changed again without a new stamp. */
  readonly scannedAt: number;
  readonly entries: ReadonlyMap<BytePath, IndexEntry>;
  /** Ignored entries that are known by name alone, folders with the names in them; undefined: ignored entries were not looked at. */
  readonly unkept?: ReadonlyMap<BytePath, readonly string[]> | undefined;
}

export interface IndexEntry {
  readonly state: EntryState;
  readonly stamp: string;
  /** ms. */
  readonly ctime: number;
}

export const EMPTY_INDEX: TreeIndex = {scannedAt: 0, entries: new Map()};

/** A missing or broken index is empty: everything is scanned again. */
export function readIndex(file: string): TreeIndex {
  try {
    const {v, scannedAt, entries, unkept} = JSON.parse(readStored(file)?.toString('utf8') ?? '{}') as StoredIndex;
    if (v !== 1 || !Number.isFinite(scannedAt) || !entries.every(isEntry) || unkept?.every(isUnkept) === false) return EMPTY_INDEX;
    const known = entries.map(([path, stamp, ctime, state]): [BytePath, IndexEntry] => [path, {stamp, ctime, state}]);
    return {scannedAt, entries: new Map(known), unkept: unkept && new Map(unkept)};
  } catch {
    return EMPTY_INDEX;
  }
}

export function writeIndex(fs: StoreFs, file: string, {scannedAt, entries, unkept}: TreeIndex): void {
  const stored: StoredIndex = {
    v: 1,
    scannedAt,
    entries: [...entries].map(([path, {stamp, ctime, state}]) => [path, stamp, ctime, state]),
    ...(unkept === undefined ? {} : {unkept: [...unkept]}),
  };
  replaceFile(fs, file, Buffer.from(JSON.stringify(stored)));
}

interface StoredIndex {
  readonly v: number;
  readonly scannedAt: number;
  readonly entries: readonly (readonly [BytePath, string, number, EntryState])[];
  readonly unkept?: readonly (readonly [BytePath, readonly string[]])[];
}

function isUnkept([path, names]: readonly unknown[]): boolean {
  return isKeptPath(path) && Array.isArray(names) && names.every((name) => typeof name === 'string');
}

function isEntry([path, stamp, ctime, state]: readonly unknown[]): boolean {
  return isKeptPath(path) && typeof stamp === 'string' && Number.isFinite(ctime) && isEntryState(state);
}
