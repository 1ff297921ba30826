import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {newIdAfter} from '../../base/ids.ts';
import type {GitEnvironment} from '../ignore/git-settings.ts';
import {isGitInternal, isWithin, pathText, type BytePath} from './byte-path.ts';
import {captureBelow} from './capture-below.ts';
import {statsOf, type Capture} from './capture.ts';
import {isUncovered} from './entry-state.ts';
import {createGitWatch, type GitState, type GitWatch} from './git-watch.ts';
import {openJournal, OPEN, TREE, type Journal} from './journal.ts';
import {isUnfinished, netChanges, readCheckpoint} from './read-checkpoints.ts';
import {recordAfter, recordDelta} from './record-delta.ts';
import {removeIfThere} from './recover.ts';
import {scanTree, type Scan} from './scan-tree.ts';
import {openSessionStore, type SessionStore} from './session-store.ts';
import {STORE_FS, type StoreFs} from './store/store-fs.ts';
import {namesIn, type StorePlace} from './store/store-place.ts';
import type {TreeIndex} from './tree-index.ts';

export interface CheckpointerOptions {
  readonly place: StorePlace;
  /** The thread. */
  readonly session: string;
  readonly limits: CheckpointLimits;
  /** Also all that .gitignore files leave out; false: what of it is small. */
  readonly ignored: boolean;
  readonly env: GitEnvironment;
  /** Why the effects of commands are not covered in this folder; undefined: they are. */
  readonly commandsUncovered?: string | undefined;
  /** True while a command that was started earlier still runs: what changes between two looks is its work. */
  readonly isBusy: () => boolean;
  readonly fs?: StoreFs | undefined;
}

export interface CheckpointLimits {
  /** Of everything that is kept for the workspace. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxEntries: number;
  /** ms that one look at the tree may read contents. */
  readonly maxReadMs: number;
}

/** Keeps what the calls of one session change. */
export interface Checkpointer {
  /** The checkpoint that the next effects belong to; nothing is written before the first of them. */
  beginTurn(turn: {readonly id: string; readonly title: string}): void;
  /** Resolves when everything is kept that the effect may change. What the disk refuses is thrown as it is: nothing was changed then. */
  before(effect: Effect, signal: AbortSignal): Promise<PendingEffect>;
  /** Something that is not covered, for the person. */
  note(text: string): void;
  /** undefined: nothing was changed. */
  endTurn(): CheckpointSummary | undefined;
}

export interface Effect {
  /** What is written; 'tree': a program runs, that may write anything. */
  readonly paths: readonly BytePath[] | 'tree';
}

export interface PendingEffect {
  /** Looks at what was changed. Also for a call that failed: it may have come half way. */
  finish(): Promise<void>;
}

export interface CheckpointSummary {
  readonly id: string;
  readonly changed: readonly BytePath[];
  readonly notes: readonly string[];
}

export function createCheckpointer(options: CheckpointerOptions): Checkpointer {
  const {fs = STORE_FS} = options;
  const recorder: Recorder = {
    options,
    fs,
    turn: {id: '', title: ''},
    store: undefined,
    journal: undefined,
    notes: new Set(),
    wasBusy: false,
    git: createGitWatch(options.place.root, options.env),
  };
  let queue: Promise<unknown> = Promise.resolve();
  /** Looks at the tree one after another. */
  const inTurn = <T>(body: () => Promise<T>): Promise<T> => {
    const next = queue.then(body, body);
    queue = next.catch(() => undefined);
    return next;
  };
  return {
    beginTurn(turn) {
      if (turn.id !== recorder.turn.id) recorder.wasBusy = false;
      recorder.turn = turn;
    },
    async before({paths}, signal) {
      if (paths !== 'tree') return await beforePaths(recorder, paths);
      if (options.commandsUncovered !== undefined) {
        recorder.notes.add(`What commands change is not covered: ${options.commandsUncovered}.`);
        return NOTHING_TO_DO;
      }
      const git = await inTurn(() => beforeTree(recorder, signal));
      return {finish: () => inTurn(() => afterTree(recorder, git))};
    },
    note: (text) => void recorder.notes.add(text),
    endTurn() {
      const {journal, notes} = recorder;
      try {
        if (journal !== undefined) return closeTurn(journal, recorder);
        return notes.size === 0 ? undefined : {id: '', changed: [], notes: [...notes]};
      } finally {
        recorder.journal = undefined;
        recorder.notes = new Set();
      }
    },
  };
}

interface Recorder {
  readonly options: CheckpointerOptions;
  readonly fs: StoreFs;
  turn: {readonly id: string; readonly title: string};
  store: SessionStore | undefined;
  journal: Journal | undefined;
  notes: Set<string>;
  wasBusy: boolean;
  readonly git: GitWatch;
}

const NOTHING_TO_DO: PendingEffect = {finish: async () => undefined};

function opened(recorder: Recorder): {store: SessionStore; journal: Journal} {
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

async function beforePaths(recorder: Recorder, paths: readonly BytePath[]): Promise<PendingEffect> {
  const {options, notes} = recorder;
  const covered = paths.filter((path) => {
    const reason = whyUncovered(path, options.place.own);
    if (reason !== undefined) notes.add(`${pathText(path)} ${reason}: a change of it is not undone.`);
    return reason === undefined;
  });
  if (covered.length === 0) return NOTHING_TO_DO;
  const {store, journal} = opened(recorder);
  for (const path of covered) {
    // One file is kept for itself; many together.
    const isFolder = statsOf(path, options.place.root)?.isDirectory() === true;
    const capture = captureOf(options, {blobs: store.blobs, durable: !isFolder});
    const {states, known} = await captureBelow(path, capture, journal.knows);
    for (const [at, state] of states) if (isUncovered(state)) notes.add(notKept(at));
    for (const at of known) journal.touch(at);
    await store.blobs.flush();
    await journal.before(states);
  }
  return {finish: () => recordAfter(journal, covered, captureOf(options))};
}

function whyUncovered(path: BytePath, own: BytePath | undefined): string | undefined {
  if (isGitInternal(path)) return 'belongs to git';
  return own !== undefined && isWithin(own, path) ? 'belongs to Fettle' : undefined;
}

async function beforeTree(recorder: Recorder, signal: AbortSignal): Promise<GitState | undefined> {
  const {store, journal} = opened(recorder);
  const git = await recorder.git.look();
  const last = store.index();
  const scan = await look(recorder, store, signal);
  if (scan.isTooLarge) return git;
  if (recorder.wasBusy) await recordDelta(journal, {last, scan, folder: store.place.root});
  store.setIndex(scan.index, isDifferent(last, scan) || last.scannedAt === 0);
  removeIfThere(treeOf(store, journal));
  store.copyIndex(treeOf(store, journal));
  journal.add({t: 'scan'});
  await journal.sync();
  return git;
}

/** Not cancelled: what a command did has to be known even when the turn is given up. */
async function afterTree(recorder: Recorder, git: GitState | undefined): Promise<void> {
  const {store, journal} = opened(recorder);
  for (const text of git === undefined ? [] : await recorder.git.losses(git)) recorder.notes.add(text);
  const last = store.index();
  // Where this look fails, the next one finds what the command did.
  recorder.wasBusy = true;
  const scan = await look(recorder, store, new AbortController().signal);
  if (scan.isTooLarge) return;
  await recordDelta(journal, {last, scan, folder: store.place.root});
  journal.add({t: 'scanned'});
  store.setIndex(scan.index, isDifferent(last, scan));
  removeIfThere(treeOf(store, journal));
  recorder.wasBusy = recorder.options.isBusy();
}

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
  if (scan.isTooLarge) notes.add(`What commands change is not covered: the folder holds more than ${limits.maxEntries} entries.`);
  return scan;
}

function captureOf({place, limits}: CheckpointerOptions, keep?: Capture['keep']): Capture {
  return {folder: place.root, maxFileBytes: limits.maxFileBytes, keep};
}

function treeOf({place}: SessionStore, journal: Journal): string {
  return join(place.turns, `${journal.id}${TREE}`);
}

function notKept(path: BytePath): string {
  return `${pathText(path)} cannot be brought back: too large, unreadable, or no room.`;
}

function closeTurn(journal: Journal, {options, store, notes}: Recorder): CheckpointSummary | undefined {
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
