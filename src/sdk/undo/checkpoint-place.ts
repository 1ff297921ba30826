import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {acquireWriterLock, isLocked, type WriterLock} from '../../sessions/writer-lock.ts';
import {findSession} from '../../sessions/session-files.ts';
import type {CheckpointLimits} from '../../workspace/checkpoints/checkpointer-options.ts';
import {recoverCheckpoints} from '../../workspace/checkpoints/recover.ts';
import type {ScanOptions} from '../../workspace/checkpoints/scan-tree.ts';
import {makePlace, storePlace, type StorePlace} from '../../workspace/checkpoints/store/store-place.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** Everything that the checkpoints of one folder need to know. */
export interface CheckpointPlace {
  readonly place: StorePlace;
  readonly limits: CheckpointLimits;
  readonly maxAgeMs: number;
  /** True for a session that a process is writing. */
  readonly isActive: (session: string) => boolean;
}

/** `root` is real. `own` is the session of this process: it holds the lock, but the unfinished records are not its own. */
export function checkpointPlace(
  {settings, paths}: Pick<SessionSettings, 'settings' | 'paths'>,
  root: string,
  own?: string,
): CheckpointPlace {
  const {max_mb: maxMb, max_file_mb: maxFileMb, max_days: maxDays} = settings.checkpoints;
  return {
    place: storePlace(paths.stateDir, root),
    limits: {maxBytes: maxMb * MEGABYTE, maxFileBytes: maxFileMb * MEGABYTE, maxEntries: 200_000, maxReadMs: 20_000},
    maxAgeMs: maxDays * DAY_MS,
    isActive: (session) => session !== own && isRunning(paths.stateDir, session),
  };
}

/**
 * Runs `body` while no other process restores or cleans up in this folder. Such work is short: this waits for
 * it, at most so many milliseconds. @throws FettleError UNAVAILABLE if it lasts longer.
 */
export async function withPlace<T>({place}: CheckpointPlace, timeoutMs: number, body: () => Promise<T>): Promise<T> {
  makePlace(place);
  const lock = await lockWithin(join(place.folder, 'restore.lock'), performance.now() + timeoutMs);
  try {
    return await body();
  } finally {
    lock.release();
  }
}

async function lockWithin(file: string, until: number): Promise<WriterLock> {
  for (;;) {
    try {
      return await acquireWriterLock(file);
    } catch (error) {
      if (!isFettleError(error) || error.code !== 'UNAVAILABLE') throw error;
      if (performance.now() > until) throw otherRestore(file, error);
      await delay(RETRY_MS);
    }
  }
}

const RETRY_MS = 50;

function otherRestore(file: string, cause: unknown): FettleError {
  return new FettleError({
    code: 'UNAVAILABLE',
    message: 'Another process restores files of this folder right now. Nothing was changed.',
    hint: `Wait until it has ended. If there is none, remove ${file}.`,
    cause,
  });
}

/** Finishes the records that killed sessions left; does nothing if nothing was ever saved, or if another process keeps the lock. */
export async function tidyPlace(at: CheckpointPlace, session: SessionSettings): Promise<void> {
  if (!existsSync(at.place.folder)) return;
  try {
    await withPlace(at, TIDY_TIMEOUT_MS, () => recoverPlace(at, session));
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'UNAVAILABLE') throw error;
  }
}

const TIDY_TIMEOUT_MS = 2000;

/**
 * Finishes the records that killed sessions left. Only within {@link withPlace}: a record that another process
 * is still writing must not be finished for it.
 */
export async function recoverPlace({place, limits, isActive}: CheckpointPlace, session: SessionSettings): Promise<void> {
  const ignored: ScanOptions['ignored'] = session.settings.checkpoints.ignored ? 'all' : 'small';
  const scan = {ignored, env: session.env, own: place.own, maxEntries: limits.maxEntries, maxReadMs: limits.maxReadMs};
  const capture = {folder: place.root, maxFileBytes: limits.maxFileBytes};
  await recoverCheckpoints({place, isActive, scan, capture}, new AbortController().signal);
}

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;

function isRunning(stateDir: string, session: string): boolean {
  try {
    return isLocked(`${findSession(stateDir, session).file}.lock`);
  } catch {
    return false; // deleted
  }
}
