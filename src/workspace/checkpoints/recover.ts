import {readFileSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import {removeLeftovers} from '../temporary-file.ts';
import {parentOf, pathText} from './byte-path.ts';
import type {Capture} from './capture.ts';
import type {Checkpoint} from './checkpoint.ts';
import {CLOSED, openJournal, OPEN, TREE} from './journal.ts';
import {checkpointFrom, netChanges} from './read-checkpoints.ts';
import {recordAfter, recordDelta} from './record-delta.ts';
import {scanTree, type ScanOptions} from './scan-tree.ts';
import {STORE_FS} from './store-fs.ts';
import {namesIn, type StorePlace} from './store-place.ts';
import {readIndex} from './tree-index.ts';

export interface RecoverOptions {
  readonly place: StorePlace;
  /** A session that some process writes: its records are its own. */
  readonly isActive: (session: string) => boolean;
  readonly scan: Omit<ScanOptions, 'capture'>;
  readonly capture: Capture;
}

/**
 * Finishes the records of writers that were killed. What stands now where a change was under way counts as changed by it: nobody else can
 * tell. Without contents: a later change is found by its hash.
 */
export async function recoverCheckpoints(options: RecoverOptions, signal: AbortSignal): Promise<void> {
  const {turns} = options.place;
  for (const name of namesIn(turns).filter((file) => file.endsWith(OPEN))) {
    const found = checkpointFrom(readFileSync(join(turns, name), 'utf8'), false);
    if (found === undefined) unlinkSync(join(turns, name)); // killed before its first line: before anything was changed
    else if (!options.isActive(found.session)) await recover(found, options, signal);
  }
}

async function recover(found: Checkpoint, options: RecoverOptions, signal: AbortSignal): Promise<void> {
  const {place, capture} = options;
  const journal = openJournal({turns: place.turns, header: found, fs: STORE_FS, known: found.changes.keys()});
  const tree = join(place.turns, `${found.id}${TREE}`);
  if (found.openScan) {
    const last = readIndex(tree);
    const scan = await scanTree(last, {...options.scan, capture: {...capture, keep: undefined}}, signal);
    // Without an index nothing is known of before: everything would count as new.
    if (last.scannedAt > 0) await recordDelta(journal, {last, scan, folder: place.root});
    journal.add({t: 'scanned'});
  }
  const folders = new Set([...found.changes.keys()].map(parentOf));
  for (const folder of folders) await removeLeftovers(join(place.root, pathText(folder)));
  const cutOff = [...found.changes].filter(([, {after}]) => after === undefined).map(([path]) => path);
  await recordAfter(journal, cutOff, capture);
  journal.close();
  removeIfThere(tree);
  const closed = join(place.turns, `${found.id}${CLOSED}`);
  const whole = checkpointFrom(readFileSync(closed, 'utf8'), true);
  if (whole !== undefined && netChanges(whole).length === 0 && whole.notes.length === 0 && whole.kind === 'turn') unlinkSync(closed);
}

export function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // There is none.
  }
}
