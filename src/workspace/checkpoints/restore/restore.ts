import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import {FettleError, isFettleError, toFettleError} from '../../../base/errors.ts';
import {newIdAfter} from '../../../base/ids.ts';
import {applyRestore} from './apply-restore.ts';
import {type BytePath, pathText} from '../byte-path.ts';
import {captureEntry, type Capture} from '../capture.ts';
import type {Checkpoint} from '../checkpoint.ts';
import {isUncovered, type EntryState} from '../entry-state.ts';
import {CLOSED, openJournal, type Journal} from '../journal.ts';
import {readCheckpoints} from '../read-checkpoints.ts';
import type {Refusal, RestoreStep} from './restore-plan.ts';
import {openSessionStore, type SessionStore} from '../session-store.ts';
import {STORE_FS} from '../store/store-fs.ts';
import {namesIn, type StorePlace} from '../store/store-place.ts';
import {planned, type RestoreOptions} from './restore-options.ts';

export interface Restored {
  /** The id of the checkpoint for this restore; undefined if there was nothing to do. */
  readonly id: string | undefined;
  readonly restored: readonly BytePath[];
  readonly refused: readonly Refusal[];
  readonly notes: readonly string[];
  /** Changes that happened while a command ran. They count as the command's, whoever made them. `at`: when they were noticed, ISO 8601. */
  readonly seen: readonly {readonly path: BytePath; readonly at: string}[];
}

/**
 * Restores the state at the beginning of a checkpoint: undoes it and every later one of its session. A restore is a checkpoint itself, so it can
 * be undone. Later changes by others stay, and are named. Nothing is changed before the current state is saved.
 * @throws FettleError IO if a record or a saved content is damaged (`force` does without it), or the disk is full; DENIED if the store belongs
 * to another user. Nothing was changed then.
 */
export async function restoreCheckpoint(options: RestoreOptions): Promise<Restored> {
  const {place, target, limits, scope, dryRun, fs = STORE_FS} = options;
  const look: Capture = {folder: place.root, maxFileBytes: limits.maxFileBytes};
  // A record without a session may belong to this one.
  const all = readCheckpoints(place);
  const chain = all.filter(({session, id}) => id >= target.id && (session === target.session || session === ''));
  const {steps, refused} = await planned({chain, meanwhile: writtenMeanwhile(all, chain, place)}, options, look);
  if (dryRun) return {id: undefined, restored: steps.map(({path}) => path), refused, notes: [], seen: seenIn(steps)};
  // A restore that was interrupted after its last change is completed by an empty record.
  if (steps.length === 0 && scope === 'files' && !chain.some(({isInterrupted}) => isInterrupted))
    return {id: undefined, restored: [], refused, notes: [], seen: []};
  const store = openSessionStore(place, fs, limits.maxBytes);
  const header = {
    id: newIdAfter('chk', namesIn(place.turns)),
    session: target.session,
    kind: 'restore' as const,
    target: target.id,
    scope,
    title: `${target.kind === 'turn' ? 'undo' : 'redo'}: ${target.title}`,
    startedAt: new Date().toISOString(),
  };
  const journal = openJournal({turns: place.turns, header, fs});
  try {
    const now = await keepNow(steps, {...look, keep: {blobs: store.blobs, durable: false}});
    await store.blobs.flush();
    await journal.before(now);
    const failed = await applyRestore(steps, {root: place.root, blobs: store.blobs, maxFileBytes: limits.maxFileBytes});
    const notes = [...notesOn(steps, now), ...(await finished({journal, store, steps, look, notes: notesOn(steps, now)}))];
    const failedPaths = new Set(failed.map(({path}) => path));
    const restored = steps.map(({path}) => path).filter((path) => !failedPaths.has(path));
    return {id: header.id, restored, refused: [...refused, ...failed], notes, seen: seenIn(steps)};
  } catch (error) {
    // Up to here nothing was changed.
    journal.discard();
    throw isFettleError(error) ? error : notRestored(error);
  }
}

interface Finishing {
  readonly journal: Journal;
  readonly store: SessionStore;
  readonly steps: readonly RestoreStep[];
  readonly look: Capture;
  readonly notes: readonly string[];
}

/** Writes the current state. If the disk refuses that, the next recovery does it. */
async function finished({journal, store, steps, look, notes}: Finishing): Promise<string[]> {
  try {
    const after = new Map<BytePath, EntryState>();
    for (const {path} of steps) after.set(path, await captureEntry(path, look));
    journal.after(after);
    for (const text of notes) journal.add({t: 'note', text});
    journal.close();
    store.countAdded();
    return [];
  } catch (error) {
    journal.leave();
    return [`The record of this restore is not complete: ${toFettleError(error).message}`];
  }
}

function seenIn(steps: readonly RestoreStep[]): Restored['seen'] {
  return steps.flatMap(({path, seenAt}) => (seenAt === undefined ? [] : [{path, at: seenAt}]));
}

/** Turns and restores of other sessions that were under way between the beginning and the end of a chain. */
function writtenMeanwhile(all: readonly Checkpoint[], chain: readonly Checkpoint[], {turns}: StorePlace): Checkpoint[] {
  const [first] = chain;
  const end = Math.max(...chain.map((one) => lastWritten(turns, one)));
  if (first === undefined) return [];
  return all.filter((one) => {
    if (one.session === '' || one.session === first.session) return false;
    return Date.parse(one.startedAt) <= end && lastWritten(turns, one) >= Date.parse(first.startedAt);
  });
}

/** Milliseconds; infinite for a record that is being written. */
function lastWritten(turns: string, {id, isClosed}: Checkpoint): number {
  if (!isClosed) return Infinity;
  return lstatSync(join(turns, `${id}${CLOSED}`), {throwIfNoEntry: false})?.mtimeMs ?? Infinity;
}

async function keepNow(steps: readonly RestoreStep[], capture: Capture): Promise<Map<BytePath, EntryState>> {
  const now = new Map<BytePath, EntryState>();
  for (const {path} of steps) now.set(path, await captureEntry(path, capture));
  return now;
}

function notesOn(steps: readonly RestoreStep[], now: ReadonlyMap<BytePath, EntryState>): string[] {
  return steps.flatMap(({path}) => {
    const state = now.get(path) ?? null;
    if (isUncovered(state))
      return [`${pathText(path)}: its current content was not saved (too large, unreadable, or no space left): this cannot be redone.`];
    if (state?.kind === 'file' && state.linked === true)
      return [`${pathText(path)} had further names (hard links): only this one was restored.`];
    return [];
  });
}

function notRestored(cause: unknown): FettleError {
  return new FettleError({
    code: 'IO',
    message: `Nothing was restored: the current content could not be saved (${toFettleError(cause).message}).`,
    hint: 'Free some disk space, then restore again.',
    cause,
  });
}
