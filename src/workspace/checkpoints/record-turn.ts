import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {newIdAfter} from '../../base/ids.ts';
import type {BytePath} from './byte-path.ts';
import type {Capture} from './capture.ts';
import type {CheckpointerOptions} from './checkpointer-options.ts';
import type {GitState, GitWatch} from './git-watch.ts';
import {type Journal, OPEN, openJournal, TREE} from './journal.ts';
import {isUnfinished, netChanges, readCheckpoint} from './read-checkpoints.ts';
import {recordDelta} from './record-delta.ts';
import {removeIfThere} from './recover.ts';
import {type Scan, scanTree} from './scan-tree.ts';
import {openSessionStore, type SessionStore} from './session-store.ts';
import type {StoreFs} from './store/store-fs.ts';
import {namesIn} from './store/store-place.ts';
import type {TreeIndex} from './tree-index.ts';

/** A checkpoint of a turn that has ended. */
export interface CheckpointSummary {
  readonly id: string;
  readonly changed: readonly BytePath[];
  readonly notes: readonly string[];
}

/** The record of the running turn. */
export interface Recorder {
  readonly options: CheckpointerOptions;
  readonly fs: StoreFs;
  turn: {readonly id: string; readonly title: string};
  store: SessionStore | undefined;
  journal: Journal | undefined;
  notes: Set<string>;
  wasBusy: boolean;
  /** When the tree was found too large, and how long that took; ms of `performance.now()`. */
  tooLarge: {readonly at: number; readonly tookMs: number} | undefined;
  readonly git: GitWatch;
}

/** Opens the store and the journal of the turn with its first effect. */
export function opened(recorder: Recorder): {store: SessionStore; journal: Journal} {
  const {options, fs, turn} = recorder;
  const store = (recorder.store ??= openSessionStore(options.place, fs, options.limits.maxBytes));
  const header = {
    id: recorder.journal?.id ?? newIdAfter('chk', namesIn(options.place.turns)),
    session: options.session,
    kind: 'turn' as const,
    target: turn.id,
    scope: 'files' as const,
    title: turn.title,
    startedAt: new Date().toISOString(),
  };
  return {store, journal: (recorder.journal ??= openJournal({turns: options.place.turns, header, fs}))};
}

/** A look before a command. */
export interface SeenBefore {
  readonly git: GitState | undefined;
  /** False: the tree is too large, so nothing can be said of it afterwards. */
  readonly tree: boolean;
}

/** Scans the whole tree before a command runs, and saves what is not saved yet. */
export async function beforeTree(recorder: Recorder, signal: AbortSignal): Promise<SeenBefore> {
  const {store, journal} = opened(recorder);
  const git = await recorder.git.look();
  const last = store.index();
  const scan = await lookUnlessTooLarge(recorder, store, signal);
  if (scan === undefined) {
    recorder.wasBusy = false;
    return {git, tree: false};
  }
  if (recorder.wasBusy) await recordDelta(journal, {last, scan, folder: store.place.root});
  store.setIndex(scan.index, isDifferent(last, scan) || last.scannedAt === 0);
  removeIfThere(treeOf(store, journal));
  store.copyIndex(treeOf(store, journal));
  journal.add({t: 'scan'});
  await journal.sync();
  return {git, tree: true};
}

/** Not cancelled: the changes of a command have to be known even if the turn is cancelled. */
export async function afterTree(recorder: Recorder, {git, tree}: SeenBefore): Promise<void> {
  const {store, journal} = opened(recorder);
  for (const text of git === undefined ? [] : await recorder.git.losses(git)) recorder.notes.add(text);
  // What was not seen before would count as made by the command, and undo would delete it.
  if (!tree) return;
  const last = store.index();
  // If this look fails, the next one finds the changes of the command.
  recorder.wasBusy = true;
  const scan = await look(recorder, store, new AbortController().signal);
  if (scan.isTooLarge) return;
  await recordDelta(journal, {last, scan, folder: store.place.root});
  journal.add({t: 'scanned'});
  store.setIndex(scan.index, isDifferent(last, scan));
  removeIfThere(treeOf(store, journal));
  recorder.wasBusy = recorder.options.isBusy();
}

/**
 * Looks at the tree; undefined: it is too large. One that was is looked at again after a minute at the earliest, and when a hundred times as long
 * has gone by as it took to find that out: commands in a huge repository do not wait for it.
 */
async function lookUnlessTooLarge(recorder: Recorder, store: SessionStore, signal: AbortSignal): Promise<Scan | undefined> {
  const {tooLarge, notes, options} = recorder;
  const began = performance.now();
  if (tooLarge !== undefined && began - tooLarge.at < Math.max(MINUTE_MS, 100 * tooLarge.tookMs)) {
    notes.add(notCovered(options));
    return undefined;
  }
  const scan = await look(recorder, store, signal);
  recorder.tooLarge = scan.isTooLarge ? {at: began, tookMs: performance.now() - began} : undefined;
  return scan.isTooLarge ? undefined : scan;
}

const MINUTE_MS = 60_000;

function isDifferent({unkept}: TreeIndex, {changed, index}: Scan): boolean {
  return changed.length > 0 || JSON.stringify([...(unkept ?? [])]) !== JSON.stringify([...(index.unkept ?? [])]);
}

async function look({options, notes}: Recorder, store: SessionStore, signal: AbortSignal): Promise<Scan> {
  const {limits, ignored, env, place} = options;
  const capture = captureOf(options, {blobs: store.blobs, durable: false});
  const scan = await scanTree(
    store.index(),
    {capture, ignored: ignored ? 'all' : 'small', env, own: place.own, maxEntries: limits.maxEntries, maxReadMs: limits.maxReadMs},
    signal,
  );
  await store.blobs.flush();
  if (scan.isTooLarge) notes.add(notCovered(options));
  return scan;
}

function notCovered({limits}: CheckpointerOptions): string {
  return `What commands change is not covered: the folder holds more than ${limits.maxEntries} entries.`;
}

/** Returns how entries of the workspace are captured; with `keep` their contents are saved. */
export function captureOf({place, limits}: CheckpointerOptions, keep?: Capture['keep']): Capture {
  return {folder: place.root, maxFileBytes: limits.maxFileBytes, keep};
}

function treeOf({place}: SessionStore, journal: Journal): string {
  return join(place.turns, `${journal.id}${TREE}`);
}

/** Closes the record of a turn; undefined if nothing was changed. */
export function closeTurn(journal: Journal, {options, store, notes}: Recorder): CheckpointSummary | undefined {
  journal.add(...[...notes].map((text) => ({t: 'note', text}) as const));
  store?.countAdded();
  const record = readCheckpoint(options.place.turns, `${journal.id}${OPEN}`);
  if (record === undefined) throw new FettleError({code: 'IO', message: `The record ${journal.id} cannot be read again.`});
  const changed = netChanges(record).map(([path]) => path);
  if (isUnfinished(record)) journal.leave();
  else if (changed.length > 0 || record.notes.length > 0) journal.close();
  else {
    journal.discard();
    return undefined;
  }
  return {id: journal.id, changed, notes: record.notes};
}
