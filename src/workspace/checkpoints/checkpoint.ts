import type {BytePath} from './byte-path.ts';
import type {EntryState} from './entry-state.ts';

/** The changes of one turn, or one restore, below the workspace. */
export interface Checkpoint {
  readonly id: string;
  /** The thread that it belongs to. */
  readonly session: string;
  readonly kind: 'turn' | 'restore';
  /** The turn; for a restore, the checkpoint whose beginning was restored. */
  readonly target: string;
  /** Scope of a restore: files, the conversation, or both. */
  readonly scope: RestoreScope;
  /** The task, or a description of the restore. */
  readonly title: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** False if the record is being written, or its writer was killed. */
  readonly isClosed: boolean;
  readonly changes: ReadonlyMap<BytePath, Change>;
  /** Changes that cannot be undone, one line each. */
  readonly notes: readonly string[];
  /** True if a command was interrupted before its changes were known. */
  readonly openScan: boolean;
  /** True for a restore that was interrupted and only restored a part. */
  readonly isInterrupted: boolean;
  /** True if the record was altered: it may be wrong or incomplete. */
  readonly isDamaged: boolean;
}

export interface Change {
  readonly before: EntryState;
  /** undefined: the writer was killed before it could look at the path. */
  readonly after: EntryState | undefined;
  /** The time at which the change was noticed after a command, ISO 8601: it counts as that command's. undefined: a file tool named the path. */
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
