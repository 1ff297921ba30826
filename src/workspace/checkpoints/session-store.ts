import {statSync} from 'node:fs';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {openBlobStore, type BlobStore} from './store/blob-store.ts';
import {replaceFile, type StoreFs} from './store/store-fs.ts';
import {makePlace, type StorePlace} from './store/store-place.ts';
import {readStored} from './store/stored-file.ts';
import {readIndex, writeIndex, type TreeIndex} from './tree-index.ts';

/** The store of a workspace as one session uses it. */
export interface SessionStore {
  readonly place: StorePlace;
  readonly fs: StoreFs;
  readonly blobs: BlobStore;
  /** The last known state of the tree, from any session. */
  index(): TreeIndex;
  setIndex(index: TreeIndex, isChanged: boolean): void;
  /** Puts a copy of the index at `path`: the state before a command. */
  copyIndex(path: string): void;
  /** Adds newly stored bytes to the space in use. */
  countAdded(): void;
}

export function openSessionStore(place: StorePlace, fs: StoreFs, maxBytes: number): SessionStore {
  makePlace(place);
  const usage = join(place.folder, 'usage.json');
  const blobs = openBlobStore({folder: place.blobs, fs, room: maxBytes - usedBytes(place)});
  let index: TreeIndex | undefined;
  let inFile = '';
  let counted = 0;

  const saveIndex = (now: TreeIndex): void => {
    writeIndex(fs, place.index, now);
    inFile = identityOf(place.index);
  };
  return {
    place,
    fs,
    blobs,
    index() {
      if (index === undefined) inFile = identityOf(place.index);
      return (index ??= readIndex(place.index));
    },
    setIndex(now, isChanged) {
      index = now;
      if (isChanged) saveIndex(now);
    },
    copyIndex(path) {
      // Another session may have written its own index meanwhile.
      if (index !== undefined && (inFile === '' || identityOf(place.index) !== inFile)) saveIndex(index);
      fs.linkSync(place.index, path);
    },
    countAdded() {
      const added = blobs.added() - counted;
      if (added === 0) return;
      counted += added;
      replaceFile(fs, usage, Buffer.from(JSON.stringify({...storedUsage(place), bytes: usedBytes(place) + added})));
    },
  };
}

/** Returns the bytes in use: the last count of `prune` plus bytes added since. */
export function usedBytes(place: StorePlace): number {
  const {bytes} = storedUsage(place);
  return bytes;
}

export function storedUsage({folder}: StorePlace): {readonly bytes: number; readonly prunedAt: number} {
  let value: unknown;
  try {
    value = parseJson(readStored(join(folder, 'usage.json'))?.toString('utf8') ?? '');
  } catch {
    value = undefined; // recounted by the next clean-up
  }
  if (!isJsonObject(value)) return {bytes: 0, prunedAt: 0};
  return {bytes: countOf(value['bytes']), prunedAt: countOf(value['prunedAt'])};
}

/** Any other value would mean unlimited space. */
function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** Each replacement creates a new file. */
function identityOf(file: string): string {
  try {
    const {ino, mtimeMs} = statSync(file);
    return `${ino}:${mtimeMs}`;
  } catch {
    return '';
  }
}
