import {parentOf, pathText, type BytePath} from './byte-path.ts';
import {captureBelow} from './capture-below.ts';
import {statsOf, type Capture} from './capture.ts';
import {isUncovered, type EntryState} from './entry-state.ts';
import {lostIgnored} from './ignored-entries.ts';
import type {Journal} from './journal.ts';
import type {Scan} from './scan-tree.ts';
import type {TreeIndex} from './tree-index.ts';

/** Writes the differences between two scans of a tree into a journal. The previous state was saved at the earlier scan. */
export async function recordDelta(journal: Journal, {last, scan, folder}: {last: TreeIndex; scan: Scan; folder: string}): Promise<void> {
  const before = new Map<BytePath, EntryState>();
  const after = new Map<BytePath, EntryState>();
  for (const path of scan.changed) {
    const was = last.entries.get(path)?.state ?? null;
    const is = scan.index.entries.get(path)?.state ?? null;
    // The entry may have existed all the time, and an undo would delete it.
    if (was === null && mayHaveBeenUnseen(path, last) && isOlder(path, last.scannedAt, folder)) continue;
    const gap = gapOf(was, is);
    if (gap !== undefined) journal.add({t: 'note', text: `${pathText(path)} ${gap}`});
    if (!journal.knows(path)) before.set(path, was);
    after.set(path, is);
  }
  for (const text of lostIgnored(folder, last)) journal.add({t: 'note', text});
  await journal.before(before, new Date().toISOString());
  journal.after(after);
}

/** Returns true for entries that the last scan did not see: ignored ones that were not saved, the content of an unreadable folder. */
function mayHaveBeenUnseen(path: BytePath, {unkept, entries}: TreeIndex): boolean {
  if (unkept === undefined) return true;
  for (let at = path; at !== ''; at = parentOf(at)) {
    if (unkept.has(at)) return true;
    const state = entries.get(at)?.state;
    if (state?.kind === 'folder' && (state.mode & 0o500) !== 0o500) return true;
  }
  return false;
}

function gapOf(was: EntryState, is: EntryState): string | undefined {
  if (was?.kind === 'other' || is?.kind === 'other') return 'is a pipe, socket or device: not undone.';
  return isUncovered(was) ? 'cannot be brought back: too large, unreadable, or no room.' : undefined;
}

/** Writes the current state of the paths, and of everything below them. */
export async function recordAfter(journal: Journal, paths: Iterable<BytePath>, capture: Capture): Promise<void> {
  const after = new Map<BytePath, EntryState>();
  for (const path of paths) {
    const {states} = await captureBelow(path, {...capture, keep: undefined}, (at) => after.has(at));
    for (const [at, state] of states) after.set(at, state);
  }
  for (const at of after.keys()) if (!journal.knows(at)) journal.created(at);
  journal.after(after);
}

function isOlder(path: BytePath, time: number, folder: string): boolean {
  const born = statsOf(path, folder)?.birthtimeMs ?? 0;
  return born < time;
}
