import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import {FettleError, systemErrorCode, toFettleError} from '../../../base/errors.ts';
import {temporaryName} from '../../temporary-file.ts';
import type {BlobStore} from '../store/blob-store.ts';
import {nameOf, parentOf, pathText, shallowFirst, systemPath, type BytePath} from '../byte-path.ts';
import {captureEntry} from '../capture.ts';
import {sameEntry, type EntryState, type OwnerRights} from '../entry-state.ts';
import {inPinnedFolder, lookOnly} from '../pinned-folder.ts';
import {needsContent, type Refusal, type RestoreStep} from './restore-plan.ts';
import {withStagedContents, writeContent, type StagedContents} from './staged-contents.ts';

export interface ApplyOptions {
  readonly root: string;
  readonly blobs: BlobStore;
  readonly maxFileBytes: number;
}

/**
 * Brings the paths into their states, each in one step: a file is the old or the new one at every instant. All
 * contents are written first, beside the tree: a full disk is noticed (and throws IO) before anything is
 * changed. Then entries that are in the way are removed, deepest first; then folders, files and links are
 * created, and last the modes of folders set. If one of these steps fails, the others go on.
 */
export async function applyRestore(steps: readonly RestoreStep[], options: ApplyOptions): Promise<Refusal[]> {
  return await withStagedContents(steps.filter(needsContent), options, async (staged) => await applyStaged(steps, {...options, staged}));
}

interface StagedOptions extends ApplyOptions {
  readonly staged: StagedContents;
}

async function applyStaged(steps: readonly RestoreStep[], options: StagedOptions): Promise<Refusal[]> {
  const refused = new Map<BytePath, Refusal>();
  const each = async (some: readonly RestoreStep[], act: (point: Point) => Promise<void> | void): Promise<void> => {
    for (const step of some) {
      if (refused.has(step.path)) continue;
      try {
        const point = {name: nameOf(step.path), step, options};
        await inPinnedFolder(options.root, parentOf(step.path), async (place) => await act({...point, place}));
      } catch (error) {
        refused.set(step.path, {path: step.path, reason: reasonOf(error), isConflict: false});
      }
    }
  };
  const ordered = [...steps].sort((a, b) => shallowFirst(a.path, b.path));
  const folders = ordered.filter(({to}) => to?.kind === 'folder');
  await each(
    folders.filter(({from}) => from?.kind === 'folder'),
    // Makes the folder writable for the work.
    (point) => setMode(point, modeOf(point.step.to) | 0o700),
  );
  await each(ordered.toReversed().filter(goesAway), remove);
  await each(
    ordered.filter(({to}) => to !== null),
    put,
  );
  await each(folders.toReversed(), (point) => setMode(point, modeOf(point.step.to)));
  return [...refused.values()];
}

/** One entry in its folder, which is held open. */
interface Point {
  readonly place: string;
  readonly name: string;
  readonly step: RestoreStep;
  readonly options: StagedOptions;
}

function goesAway({from, to}: RestoreStep): boolean {
  return from !== null && (to === null || (from.kind !== to.kind && (from.kind === 'folder' || to.kind === 'folder')));
}

async function remove(point: Point): Promise<void> {
  const {from} = point.step;
  await assertUntouched(point, from);
  if (from?.kind === 'folder') rmdirSync(systemPath(point.place, point.name));
  else unlinkSync(systemPath(point.place, point.name));
}

async function put(point: Point): Promise<void> {
  const {step, place, name} = point;
  const {to} = step;
  const from = goesAway(step) ? null : step.from;
  if (to?.kind === 'folder' && from === null) mkdirSync(systemPath(place, name), 0o700);
  if (to?.kind === 'link') await replace(point, from, (temporary) => symlinkSync(Buffer.from(to.target, 'latin1'), temporary));
  if (to?.kind !== 'file') return;
  if (!needsContent(step)) return setMode(point, to.mode, to.rights);
  const {staged, blobs} = point.options;
  if (await staged.moveTo(step.path, {target: systemPath(place, name), check: () => assertUntouched(point, from)})) return;
  await replace(point, from, (temporary) => writeContent(temporary, to, blobs));
}

async function replace(point: Point, from: EntryState, make: (temporary: string | Buffer) => void): Promise<void> {
  const temporary = systemPath(point.place, temporaryName());
  try {
    make(temporary);
    await assertUntouched(point, from);
    renameSync(temporary, systemPath(point.place, point.name));
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Replaces only the state that was checked: others may have changed it meanwhile. */
async function assertUntouched({place, name, step, options}: Point, from: EntryState): Promise<void> {
  const found = await captureEntry(name, {folder: place, maxFileBytes: options.maxFileBytes});
  // A folder was made writable to work in it.
  const isSame = from?.kind === 'folder' ? found?.kind === 'folder' : sameEntry(found, from);
  if (!isSame) throw new FettleError({code: 'STALE', message: `${pathText(step.path)} changed while it was restored.`});
}

function setMode({place, name}: Point, kept: number, rights?: OwnerRights): void {
  const fd = openSync(systemPath(place, name), lookOnly(place) | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const {uid, gid} = fstatSync(fd);
    const mode = kept | (rights !== undefined && uid === rights.uid && gid === rights.gid ? rights.bits : 0);
    // fchmod does not take a descriptor opened with O_PATH; its path can be changed, and a link at the end is refused.
    if (lookOnly(place) === constants.O_RDONLY) fchmodSync(fd, mode);
    else chmodSync(`/proc/self/fd/${fd}`, mode);
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not made.
  }
}

function modeOf(state: EntryState): number {
  return state?.kind === 'folder' || state?.kind === 'file' ? state.mode : 0o700;
}

function reasonOf(error: unknown): string {
  const code = systemErrorCode(error);
  if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'holds files that are not covered';
  return toFettleError(error).message;
}
