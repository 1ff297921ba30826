import {closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync} from 'node:fs';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';
import {temporaryName} from '../../temporary-file.ts';
import type {BlobStore} from '../store/blob-store.ts';
import {systemPath, type BytePath} from '../byte-path.ts';
import type {EntryState, OwnerRights} from '../entry-state.ts';
import {inPinnedFolder} from '../pinned-folder.ts';
import type {RestoreStep} from './restore-plan.ts';

/** Contents that are on the disk already, under temporary names in the root. */
export interface StagedContents {
  /** Moves one content to its place in one step, after `check`; false if it is not staged, or if that place is on another disk. */
  moveTo(path: BytePath, move: {readonly target: string | Buffer; readonly check: () => Promise<void>}): Promise<boolean>;
}

interface StageOptions {
  readonly root: string;
  readonly blobs: BlobStore;
}

/**
 * Writes the contents of all files, then runs `body`; files that it does not move are removed. A damaged content is left out and reported when
 * its file is put in place. A root that may not be written stages nothing.
 * @throws FettleError IO if the disk cannot take them all: `body` was not run.
 */
export async function withStagedContents<T>(
  steps: readonly RestoreStep[],
  {root, blobs}: StageOptions,
  body: (staged: StagedContents) => Promise<T>,
): Promise<T> {
  return await inPinnedFolder(root, '', async (place) => {
    const names = new Map<BytePath, string | Buffer>();
    try {
      stage(steps, {blobs, place, names});
      return await body({
        async moveTo(path, {target, check}) {
          const staged = names.get(path);
          if (staged === undefined) return false;
          await check();
          if (!moved(staged, target)) return false;
          names.delete(path);
          return true;
        },
      });
    } finally {
      for (const left of names.values()) removeQuietly(left);
    }
  });
}

/** Writes the new content to a new file. */
export function writeContent(path: string | Buffer, to: EntryState, blobs: BlobStore): void {
  if (to?.kind !== 'file') return;
  const bytes = blobs.get(to.hash ?? '', to.size);
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    fchmodSync(fd, to.mode | (ownedAgain(fd, to.rights) ? to.rights.bits : 0));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Returns true if the file has the owner that its setuid and setgid bits are meant for. */
function ownedAgain(fd: number, rights: OwnerRights | undefined): rights is OwnerRights {
  if (rights === undefined) return false;
  try {
    fchownSync(fd, rights.uid, rights.gid);
    return true;
  } catch {
    return false; // only root may give files away
  }
}

interface Stage {
  readonly blobs: BlobStore;
  readonly place: string;
  readonly names: Map<BytePath, string | Buffer>;
}

function stage(steps: readonly RestoreStep[], {blobs, place, names}: Stage): void {
  for (const {path, to} of steps) {
    const name = systemPath(place, temporaryName());
    names.set(path, name);
    try {
      writeContent(name, to, blobs);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code !== undefined && NO_ROOM.has(code)) throw noRoom(error);
      removeQuietly(name);
      names.delete(path);
    }
  }
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']);

function moved(staged: string | Buffer, target: string | Buffer): boolean {
  try {
    renameSync(staged, target);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    return false;
  }
}

function removeQuietly(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not made.
  }
}

function noRoom(cause: unknown): FettleError {
  return new FettleError({
    code: 'IO',
    message: `Nothing was restored: the disk rejects the saved content (${toFettleError(cause).message}).`,
    hint: 'Free some space on the disk of the folder, then restore again.',
    cause,
  });
}
