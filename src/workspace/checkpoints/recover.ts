import {lstatSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import {removeLeftovers} from '../temporary-file.ts';
import {below, parentOf, pathText} from './byte-path.ts';
import {isReached, type Capture} from './capture.ts';
import type {Checkpoint} from './checkpoint.ts';
import {CLOSED, openJournal, OPEN, TREE} from './journal.ts';
import {netChanges, readCheckpoint} from './read-checkpoints.ts';
import {recordAfter, recordDelta} from './record-delta.ts';
import {scanTree, type ScanOptions} from './scan-tree.ts';
import {STORE_FS} from './store/store-fs.ts';
import {namesIn, type StorePlace} from './store/store-place.ts';
import {assertOwnFolder} from './store/stored-file.ts';
import {readIndex} from './tree-index.ts';

export interface RecoverOptions {
  readonly place: StorePlace;
  /** True for a session that a running process writes: its records are left to it. */
  readonly isActive: (session: string) => boolean;
  readonly scan: Omit<ScanOptions, 'capture'>;
  readonly capture: Capture;
}

/**
 * Finishes the records of writers that were killed. The current state of a path that was being changed counts as the result of that change:
 * nothing else is known. Contents are not saved: a later change is found by its hash.
 */
export async function recoverCheckpoints(options: RecoverOptions, signal: AbortSignal): Promise<void> {
  const {turns} = options.place;
  assertOwnFolder(turns);
  for (const name of namesIn(turns).filter((file) => file.endsWith(OPEN))) {
    const found = readCheckpoint(turns, name);
    if (found === undefined) removeIfOld(join(turns, name)); // killed before its first line: before anything was changed
    else if (!found.isDamaged && !options.isActive(found.session)) await recover(found, options, signal);
  }
}

/** A writer that lives may be about to write its first line. */
function removeIfOld(file: string): void {
  const stats = lstatSync(file, {throwIfNoEntry: false});
  if (stats !== undefined && Date.now() - stats.mtimeMs > HOUR_MS) removeIfThere(file);
}

const HOUR_MS = 3_600_000;

async function recover(found: Checkpoint, options: RecoverOptions, signal: AbortSignal): Promise<void> {
  const {place, capture} = options;
  const journal = openJournal({turns: place.turns, header: found, fs: STORE_FS, known: found.changes.keys()});
  const tree = join(place.turns, `${found.id}${TREE}`);
  if (found.openScan) {
    const last = readIndex(tree);
    const scan = await scanTree(last, {...options.scan, capture: {...capture, keep: undefined}}, signal);
    // Without an index, the earlier state is unknown: everything would count as new.
    if (last.scannedAt > 0) await recordDelta(journal, {last, scan, folder: place.root});
    journal.add({t: 'scanned'});
  }
  // A restore puts contents into the root before it moves them to their places.
  const folders = new Set(['', ...found.changes.keys().map(parentOf)]);
  for (const folder of folders) {
    if (isReached(below(folder, 'entry'), place.root)) await removeLeftovers(join(place.root, pathText(folder)));
  }
  const cutOff = [...found.changes].filter(([, {after}]) => after === undefined).map(([path]) => path);
  await recordAfter(journal, cutOff, capture);
  if (found.kind === 'restore') journal.add({t: 'interrupted'});
  journal.close();
  removeIfThere(tree);
  const whole = readCheckpoint(place.turns, `${found.id}${CLOSED}`);
  if (whole !== undefined && netChanges(whole).length === 0 && whole.notes.length === 0)
    removeIfThere(join(place.turns, `${found.id}${CLOSED}`));
}

export function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // There is none.
  }
}
