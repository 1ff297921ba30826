import {existsSync, statSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import {readPacks} from './store/blob-packs.ts';
import type {Checkpoint} from './checkpoint.ts';
import {cleanPacks, packBytes} from './store/clean-packs.ts';
import type {EntryState} from './entry-state.ts';
import {CLOSED, OPEN, TREE} from './journal.ts';
import {readCheckpoints} from './read-checkpoints.ts';
import {removeIfThere} from './recover.ts';
import {replaceFile, STORE_FS} from './store/store-fs.ts';
import {namesIn, type StorePlace} from './store/store-place.ts';
import {storedUsage} from './session-store.ts';
import {readIndex} from './tree-index.ts';

export interface PruneOptions {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  /** ms since 1970. */
  readonly now: number;
  /** True for a running session, whose contents must not be removed. */
  readonly isActive: (session: string) => boolean;
}

export interface Pruned {
  /** Dropped checkpoints, oldest first. */
  readonly dropped: readonly string[];
  readonly bytes: number;
}

/** Returns true if pruning is due: four fifths of the space are used, or the last run was a day ago. */
export function isPruneDue(place: StorePlace, {maxBytes, now}: Pick<PruneOptions, 'maxBytes' | 'now'>): boolean {
  if (!existsSync(place.folder)) return false;
  const {bytes, prunedAt} = storedUsage(place);
  return bytes > maxBytes * NEARLY_FULL || now - prunedAt > DAY_MS;
}

/**
 * Drops checkpoints that are too old, then the oldest until the rest fits, then every content that nothing
 * refers to. The newest checkpoint always stays, and so does content used in the last hour: a session may be
 * about to refer to it.
 */
export function prune(place: StorePlace, options: PruneOptions): Pruned {
  const {now, isActive} = options;
  const all = readCheckpoints(place);
  const sizes = blobSizes(place);
  const index = indexHashes(place);
  const dropped = chooseDropped(all, {index, sizes}, options);
  for (const {id} of dropped) {
    for (const ending of [CLOSED, OPEN]) removeIfThere(join(place.turns, `${id}${ending}`));
  }
  const kept = all.filter((one) => !dropped.has(one));
  const quiet = !kept.some(({session}) => isActive(session));
  const needed = new Set([...index, ...kept.flatMap(hashesOf)]);
  let bytes = 0;
  for (const [hash, {size, usedAt, file}] of sizes) {
    if (file === undefined) continue;
    if (needed.has(hash) || (!quiet && now - usedAt < HOUR_MS)) bytes += size;
    else unlinkSync(file);
  }
  // A running session relies on offsets in the packs.
  bytes += quiet ? cleanPacks(place.blobs, needed) : packBytes(place.blobs);
  replaceFile(STORE_FS, join(place.folder, 'usage.json'), Buffer.from(JSON.stringify({bytes, prunedAt: now})));
  return {dropped: [...dropped].map(({id}) => id), bytes};
}

interface Stored {
  readonly index: ReadonlySet<string>;
  readonly sizes: ReadonlyMap<string, StoredBlob>;
}

function chooseDropped(all: readonly Checkpoint[], stored: Stored, {maxBytes, maxAgeMs, now}: PruneOptions): ReadonlySet<Checkpoint> {
  const mayGo = (one: Checkpoint): boolean => one.isClosed && one !== all.at(-1);
  const dropped = new Set(all.filter((one) => mayGo(one) && now - Date.parse(one.startedAt) > maxAgeMs));
  const kept = all.filter((one) => !dropped.has(one));
  const uses = countUses(kept, stored);
  for (const oldest of kept) {
    if (uses.bytes() <= maxBytes * FULL_ENOUGH) break;
    if (!mayGo(oldest)) continue;
    dropped.add(oldest);
    uses.drop(oldest);
  }
  return dropped;
}

const NEARLY_FULL = 0.8;
const FULL_ENOUGH = 0.6;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface StoredBlob {
  /** undefined if the content is in a pack. */
  readonly file: string | undefined;
  readonly size: number;
  readonly usedAt: number;
}

function blobSizes({blobs}: StorePlace): Map<string, StoredBlob> {
  const sizes = new Map<string, StoredBlob>();
  for (const [hash, {length}] of readPacks(blobs)) sizes.set(hash, {file: undefined, size: length, usedAt: 0});
  for (const part of namesIn(blobs).filter((name) => name.length === 2)) {
    for (const name of namesIn(join(blobs, part))) {
      const file = join(blobs, part, name);
      const {size, mtimeMs} = statSync(file);
      sizes.set(part + name, {file, size, usedAt: mtimeMs});
    }
  }
  return sizes;
}

/** Returns the contents needed as the state before the next command, and before commands that run or were killed. */
function indexHashes(place: StorePlace): Set<string> {
  const trees = namesIn(place.turns).filter((name) => name.endsWith(TREE));
  const files = [place.index, ...trees.map((name) => join(place.turns, name))];
  return new Set(files.flatMap((file) => [...readIndex(file).entries.values()].flatMap(({state}) => hashOfState(state))));
}

function hashesOf({changes}: Checkpoint): string[] {
  return [...changes.values()].flatMap(({before}) => hashOfState(before));
}

function hashOfState(state: EntryState): string[] {
  return state?.kind === 'file' && state.hash !== undefined ? [state.hash] : [];
}

interface Uses {
  /** Bytes of all that something needs. */
  bytes(): number;
  drop(one: Checkpoint): void;
}

/** Counts who needs each content, so that to drop a checkpoint costs no look at the others: a folder has thousands. */
function countUses(kept: readonly Checkpoint[], {index, sizes}: Stored): Uses {
  const counts = new Map<string, number>();
  let bytes = 0;
  const change = (hash: string, by: number): void => {
    const [before, after] = [counts.get(hash) ?? 0, (counts.get(hash) ?? 0) + by];
    counts.set(hash, after);
    if (before === 0 || after === 0) bytes += Math.sign(by) * (sizes.get(hash)?.size ?? 0);
  };
  for (const hash of [...index, ...kept.flatMap(hashesOf)]) change(hash, 1);
  return {
    bytes: () => bytes,
    drop(one) {
      for (const hash of hashesOf(one)) change(hash, -1);
    },
  };
}
