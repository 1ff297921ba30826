import {applyRestore} from './apply-restore.ts';
import {openBlobStore} from '../store/blob-store.ts';
import {captureEntry} from '../capture.ts';
import {planRestore, type Refusal} from './restore-plan.ts';
import type {Checkpoint} from '../checkpoint.ts';
import {readCheckpoints} from '../read-checkpoints.ts';
import {STORE_FS} from '../store/store-fs.ts';
import type {StorePlace} from '../store/store-place.ts';

export interface EarlierState {
  /** The number of restored paths. */
  readonly restored: number;
  readonly refused: readonly Refusal[];
}

export interface EarlierOptions {
  /** The folder that the checkpoints are of; it is only read. */
  readonly place: StorePlace;
  /** A copy of that folder. */
  readonly copy: string;
  /** ISO 8601. */
  readonly since: string;
  /** Says which checkpoints count; absent: all. */
  readonly counts?: ((checkpoint: Checkpoint) => boolean) | undefined;
  readonly maxFileBytes: number;
}

/** Restores a copy of a folder to an earlier state, as far as checkpoints show it. Only the copy is written. */
export async function toEarlierState({place, copy, since, counts = () => true, maxFileBytes}: EarlierOptions): Promise<EarlierState> {
  const chain = readCheckpoints(place).filter((checkpoint) => checkpoint.startedAt >= since && counts(checkpoint));
  const capture = {folder: copy, maxFileBytes};
  const current = (path: string) => captureEntry(path, capture);
  const {steps, refused} = await planRestore({chain, only: [], current, own: place.own, force: true});
  const blobs = openBlobStore({folder: place.blobs, fs: STORE_FS, room: 0});
  const failed = await applyRestore(steps, {root: copy, blobs, maxFileBytes});
  return {restored: steps.length - failed.length, refused: [...refused, ...failed]};
}
