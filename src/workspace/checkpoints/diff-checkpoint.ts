import {readFileSync} from 'node:fs';
import {isFettleError} from '../../base/errors.ts';
import {unifiedDiff} from '../../text/unified-diff.ts';
import {openBlobStore, type BlobStore} from './blob-store.ts';
import {bytePath, isWithin, pathText, systemPath, type BytePath} from './byte-path.ts';
import {captureEntry} from './capture.ts';
import type {Change, Checkpoint} from './checkpoint.ts';
import {sameEntry, type EntryState} from './entry-state.ts';
import {netChanges} from './read-checkpoints.ts';
import {STORE_FS} from './store-fs.ts';
import type {StorePlace} from './store-place.ts';

export interface FileDiff {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  /** A unified diff, or a sentence where there is none. */
  readonly text: string;
}

export interface DiffOptions {
  readonly place: StorePlace;
  readonly checkpoint: Checkpoint;
  /** None: all. */
  readonly files: readonly string[];
}

/** What a checkpoint changed: before against after. What came after is on the disk, or was kept when it was changed again. */
export async function diffCheckpoint({place, checkpoint, files}: DiffOptions): Promise<FileDiff[]> {
  const blobs = openBlobStore({folder: place.blobs, fs: STORE_FS, room: 0});
  const only = files.map(bytePath);
  const diffs: FileDiff[] = [];
  for (const [path, change] of netChanges(checkpoint).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (only.length > 0 && !only.some((one) => isWithin(one, path))) continue;
    diffs.push({path: pathText(path), kind: kindOf(change), text: await textOf(path, change, {place, blobs})});
  }
  return diffs;
}

function kindOf({before, after}: Change): FileDiff['kind'] {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'changed';
}

async function textOf(path: BytePath, {before, after}: Change, store: {place: StorePlace; blobs: BlobStore}): Promise<string> {
  const sides = [before, after ?? null];
  if (!sides.some((state) => state?.kind === 'file') || sides.some((state) => state !== null && state.kind !== 'file')) {
    return `${described(before)} → ${described(after)}`;
  }
  const [old, now] = await Promise.all(sides.map((state) => contentOf(path, state, store)));
  if (old === undefined || now === undefined) return `${described(before)} → ${described(after)}; the content was not kept`;
  if (old.equals(now)) return `${described(before)} → ${described(after)}`;
  if (old.includes(0) || now.includes(0)) return `binary: ${old.length} → ${now.length} bytes`;
  return await unifiedDiff(old.toString('utf8'), now.toString('utf8'), pathText(path));
}

async function contentOf(
  path: BytePath,
  state: EntryState,
  {place, blobs}: {place: StorePlace; blobs: BlobStore},
): Promise<Buffer | undefined> {
  if (state === null) return Buffer.alloc(0);
  if (state.kind !== 'file' || state.hash === undefined) return undefined;
  try {
    return blobs.get(state.hash, state.size);
  } catch (error) {
    if (!isFettleError(error)) throw error;
  }
  const now = await captureEntry(path, {folder: place.root, maxFileBytes: Number.MAX_SAFE_INTEGER});
  return sameEntry(now, state) ? readFileSync(systemPath(place.root, path)) : undefined;
}

function described(state: EntryState | undefined): string {
  if (state === undefined) return 'not known';
  if (state === null) return 'nothing';
  if (state.kind === 'link') return `link to ${pathText(state.target)}`;
  if (state.kind === 'other') return 'pipe, socket or device';
  return `${state.kind} ${state.mode.toString(8).padStart(4, '0')}`;
}
