import {readFileSync} from 'node:fs';
import {isFettleError} from '../../base/errors.ts';
import {unifiedDiff} from '../../text/diff/unified-diff.ts';
import {openBlobStore, type BlobStore} from './store/blob-store.ts';
import {bytePath, isWithin, pathText, systemPath, type BytePath} from './byte-path.ts';
import {captureEntry} from './capture.ts';
import type {Change, Checkpoint} from './checkpoint.ts';
import {sameEntry, type EntryState} from './entry-state.ts';
import {netChanges} from './read-checkpoints.ts';
import {STORE_FS} from './store/store-fs.ts';
import type {StorePlace} from './store/store-place.ts';

export interface FileDiff {
  readonly path: string;
  readonly kind: 'created' | 'changed' | 'deleted';
  /** A unified diff, or a sentence if there is none. */
  readonly text: string;
}

/** A file before and after, as texts. */
export interface FileTexts extends Pick<FileDiff, 'path' | 'kind'> {
  /** Absent for a file that was created. */
  readonly before?: string | undefined;
  /** Absent for a file that was deleted. */
  readonly after?: string | undefined;
  /** Describes the change if there are no texts. */
  readonly note?: string | undefined;
}

export interface DiffOptions {
  readonly place: StorePlace;
  readonly checkpoint: Checkpoint;
  /** The paths to include; none: all. */
  readonly files: readonly string[];
}

/** Diffs a checkpoint: the state before against the state after. The later one is on disk, or was saved when the file changed again. */
export async function diffCheckpoint(options: DiffOptions): Promise<FileDiff[]> {
  const diffs: FileDiff[] = [];
  for await (const {path, kind, before = '', after = '', note} of checkpointTexts(options)) {
    diffs.push({path, kind, text: note ?? (await unifiedDiff(before, after, path))});
  }
  return diffs;
}

/** Yields the changes of a checkpoint file by file, in the order of their names, as {@link diffCheckpoint} compares it. */
export async function* checkpointTexts({place, checkpoint, files}: DiffOptions): AsyncGenerator<FileTexts, void, undefined> {
  const blobs = openBlobStore({folder: place.blobs, fs: STORE_FS, room: 0});
  const only = files.map(bytePath);
  for (const [path, change] of netChanges(checkpoint).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (only.length > 0 && !only.some((one) => isWithin(one, path))) continue;
    yield {path: pathText(path), kind: kindOf(change), ...(await textsOf(path, change, {place, blobs}))};
  }
}

function kindOf({before, after}: Change): FileDiff['kind'] {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'changed';
}

type Texts = Pick<FileTexts, 'before' | 'after' | 'note'>;

async function textsOf(path: BytePath, {before, after}: Change, store: {place: StorePlace; blobs: BlobStore}): Promise<Texts> {
  const sides = [before, after ?? null];
  if (!sides.some((state) => state?.kind === 'file') || sides.some((state) => state !== null && state.kind !== 'file')) {
    return {note: `${described(before)} → ${described(after)}`};
  }
  const [old, now] = await Promise.all(sides.map((state) => contentOf(path, state, store)));
  if (old === undefined || now === undefined) return {note: `${described(before)} → ${described(after)}; the content was not saved`};
  if (old.equals(now)) return {note: `${described(before)} → ${described(after)}`};
  if (old.includes(0) || now.includes(0)) return {note: `binary: ${old.length} → ${now.length} bytes`};
  return {
    ...(before === null ? {} : {before: old.toString('utf8')}),
    ...(after === null ? {} : {after: now.toString('utf8')}),
  };
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
