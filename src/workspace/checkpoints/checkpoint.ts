import type {BytePath} from './byte-path.ts';
import type {EntryState} from './entry-state.ts';

/** The changes of one turn, or one restore, below the workspace. */
export interface Checkpoint {
  readonly id: string;
  /** The thread that it belongs to. */
  readonly session: string;
  readonly kind: 'turn' | 'restore';
  /** The turn; of a restore the checkpoint whose beginning was brought back. */
  readonly target: string;
  /** Scope of a restore: files, the conversation, or both. */
  readonly scope: RestoreScope;
  /** The task, or what the restore did. */
  readonly title: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** False: it is being written, or its writer was killed. */
  readonly isClosed: boolean;
  readonly changes: ReadonlyMap<BytePath, Change>;
  /** Changes that cannot be undone, one line each. */
  readonly notes: readonly string[];
  /** A command was cut off before it was known what it changed. */
  readonly openScan: boolean;
  /** True for a restore that was cut off and brought back a part only. */
  readonly isInterrupted: boolean;
  /** Its record is not what was written: what it says may be wrong, and something may be missing. */
  readonly isDamaged: boolean;
}

export interface Change {
  readonly before: EntryState;
  /** undefined: the writer was killed before it could look. */
  readonly after: EntryState | undefined;
  /** When it was noticed after a command, ISO 8601: it counts as that command's. undefined: a file tool named the path. */
  readonly seenAt?: string | undefined;
}

export type RestoreScope = 'files' | 'conversation' | 'both';

/** One line of a journal. */
export type JournalLine =
  | ({readonly t: 'begin'; readonly v: 1} & Pick<Checkpoint, 'id' | 'session' | 'kind' | 'target' | 'scope' | 'title' | 'startedAt'>)
  /**
   * `at`: noticed after a command; absent: a file tool names it. The state before; written, and on the disk, before anything is changed. The
   * first one of a path counts.
   */
  | {readonly t: 'before'; readonly p: BytePath; readonly s: EntryState; readonly at?: string | undefined}
  /** A path that has a `before` is about to be changed again. */
  | {readonly t: 'touch'; readonly p: BytePath}
  /** The state after. The last one of a path counts. */
  | {readonly t: 'after'; readonly p: BytePath; readonly s: EntryState}
  | {readonly t: 'scan'}
  | {readonly t: 'scanned'}
  | {readonly t: 'note'; readonly text: string}
  /** A restore that did not come to its end. */
  | {readonly t: 'interrupted'}
  /** `sum`: SHA-256 of everything before this line. */
  | {readonly t: 'end'; readonly sum?: string | undefined};
