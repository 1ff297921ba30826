import {isGitInternal, isWithin, pathText, type BytePath} from './byte-path.ts';
import {captureBelow} from './capture-below.ts';
import {statsOf} from './capture.ts';
import type {CheckpointerOptions} from './checkpointer-options.ts';
import {isUncovered} from './entry-state.ts';
import {createGitWatch} from './git-watch.ts';
import {recordAfter} from './record-delta.ts';
import {afterTree, beforeTree, captureOf, type CheckpointSummary, closeTurn, opened, type Recorder} from './record-turn.ts';
import {STORE_FS} from './store/store-fs.ts';

/** Saves the state before the changes of one session. */
export interface Checkpointer {
  /** Begins the checkpoint that the next effects belong to; nothing is written before the first of them. */
  beginTurn(turn: {readonly id: string; readonly title: string}): void;
  /** Resolves when everything that the effect may change is saved. Errors of the disk are thrown unchanged: nothing was changed then. */
  before(effect: Effect, signal: AbortSignal): Promise<PendingEffect>;
  /** True while the tree may hold changes of commands that no look has recorded: the next call is to look at it, whatever it does. */
  isBehind(): boolean;
  /** Something that is not covered, for the person. */
  note(text: string): void;
  /** Ends the checkpoint; undefined: nothing was changed. */
  endTurn(): CheckpointSummary | undefined;
}

export interface Effect {
  /** The paths to be written; 'tree': a program that may write anything. */
  readonly paths: readonly BytePath[] | 'tree';
}

export interface PendingEffect {
  /** Records the changes, even of a failed call, which may have made some. */
  finish(): Promise<void>;
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
    tooLarge: undefined,
    git: createGitWatch(options.place.root, options.env),
  };
  let queue: Promise<unknown> = Promise.resolve();
  /** Runs looks at the tree one after another. */
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
      const seen = await inTurn(() => beforeTree(recorder, signal));
      return {finish: () => inTurn(() => afterTree(recorder, seen))};
    },
    isBehind: () => recorder.wasBusy,
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

const NOTHING_TO_DO: PendingEffect = {finish: async () => undefined};

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
    // A single file is stored by itself, many are packed together.
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

function notKept(path: BytePath): string {
  return `${pathText(path)} cannot be brought back: too large, unreadable, or no room.`;
}
