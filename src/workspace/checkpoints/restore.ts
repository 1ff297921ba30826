import {newId} from '../../base/ids.ts';
import {applyRestore} from './apply-restore.ts';
import {bytePath, pathText, type BytePath} from './byte-path.ts';
import {captureEntry, type Capture} from './capture.ts';
import type {Checkpoint, RestoreScope} from './checkpoint.ts';
import type {CheckpointLimits} from './checkpointer.ts';
import {isUncovered, type EntryState} from './entry-state.ts';
import {openJournal} from './journal.ts';
import {readCheckpoints} from './read-checkpoints.ts';
import {planRestore, type Refusal, type RestoreStep} from './restore-plan.ts';
import {openSessionStore} from './session-store.ts';
import {STORE_FS, type StoreFs} from './store-fs.ts';
import type {StorePlace} from './store-place.ts';

export interface RestoreOptions {
  readonly place: StorePlace;
  readonly target: Checkpoint;
  readonly limits: CheckpointLimits;
  readonly scope: RestoreScope;
  /** Paths from the root, UTF-8; none: all. */
  readonly files: readonly string[];
  /** Also what somebody changed since. */
  readonly force: boolean;
  /** Only says what would be done. */
  readonly dryRun: boolean;
  readonly fs?: StoreFs | undefined;
}

export interface Restored {
  /** Of the checkpoint that this restore is; undefined: nothing was to be done. */
  readonly id: string | undefined;
  readonly restored: readonly BytePath[];
  readonly refused: readonly Refusal[];
  readonly notes: readonly string[];
}

/**
 * Brings back how everything was when a checkpoint began: undoes it and every later one of its session. A restore is a checkpoint itself,
 * so it can be undone. What somebody else changed since stays, and is named. Nothing is changed before what is there now is kept.
 */
export async function restoreCheckpoint(options: RestoreOptions): Promise<Restored> {
  const {place, target, limits, scope, dryRun, fs = STORE_FS} = options;
  const look: Capture = {folder: place.root, maxFileBytes: limits.maxFileBytes};
  const {steps, refused} = await planned(options, look);
  if (dryRun) return {id: undefined, restored: steps.map(({path}) => path), refused, notes: []};
  if (steps.length === 0 && scope === 'files') return {id: undefined, restored: [], refused, notes: []};
  const store = openSessionStore(place, fs, limits.maxBytes);
  const header = {
    id: newId('chk'),
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
    const notes = notesOn(steps, now);
    const after = new Map<BytePath, EntryState>();
    for (const {path} of steps) after.set(path, await captureEntry(path, look));
    journal.after(after);
    for (const text of notes) journal.add({t: 'note', text});
    const failedPaths = new Set(failed.map(({path}) => path));
    return {
      id: header.id,
      restored: steps.map(({path}) => path).filter((path) => !failedPaths.has(path)),
      refused: [...refused, ...failed],
      notes,
    };
  } finally {
    journal.close();
    store.countAdded();
  }
}

async function planned(options: RestoreOptions, look: Capture): Promise<{steps: readonly RestoreStep[]; refused: readonly Refusal[]}> {
  const {place, target, scope, files, force} = options;
  if (scope === 'conversation') return {steps: [], refused: []};
  const chain = readCheckpoints(place).filter(({session, id}) => session === target.session && id >= target.id);
  return await planRestore({
    chain,
    only: files.map(bytePath),
    current: (path) => captureEntry(path, look),
    own: place.own,
    force,
  });
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
      return [`${pathText(path)}: what was there now was not kept (too large, unreadable, or no room): this cannot be redone.`];
    if (state?.kind === 'file' && state.linked === true)
      return [`${pathText(path)} had further names (hard links): only this one was restored.`];
    return [];
  });
}
