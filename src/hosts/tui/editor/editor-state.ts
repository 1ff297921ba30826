/** The text that a person writes, and the state needed to edit it. All functions of this folder are pure. */
export interface InputState {
  readonly text: string;
  /** Offset into `text` in UTF-16 units, always between two graphemes. */
  readonly cursor: number;
  /** Column that moving up and down keeps to, in cells; undefined after any other action. */
  readonly column: number | undefined;
  /** Cut texts, newest last. */
  readonly killed: readonly string[];
  /** Earlier texts with their cursors, newest last. */
  readonly undo: readonly Snapshot[];
  readonly redo: readonly Snapshot[];
  /** Pasted texts that are shown as one marker each: `[paste 1: 32 lines]`. */
  readonly pastes: ReadonlyMap<string, string>;
  /** The kind of the last action: consecutive typing or deleting is one undo step, consecutive cuts one entry of `killed`. */
  readonly last: 'type' | 'delete' | 'cut' | 'yank' | 'other';
}

export interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

export const EMPTY_EDITOR: InputState = {
  text: '',
  cursor: 0,
  column: undefined,
  killed: [],
  undo: [],
  redo: [],
  pastes: new Map(),
  last: 'other',
};

export type EditAction =
  | {readonly type: 'insert'; readonly text: string}
  | {readonly type: 'paste'; readonly text: string}
  | {readonly type: 'move'; readonly to: 'left' | 'right' | 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd' | 'textStart' | 'textEnd'}
  /** `width`: columns of the text without its prompt ({@link textColumns}), because rows are wrapped. */
  | {readonly type: 'vertical'; readonly by: -1 | 1; readonly width: number}
  | {readonly type: 'delete'; readonly what: 'left' | 'right'}
  | {readonly type: 'cut'; readonly what: 'wordLeft' | 'wordRight' | 'lineStart' | 'lineEnd'}
  | {readonly type: 'yank'}
  | {readonly type: 'yankEarlier'}
  | {readonly type: 'undo'}
  | {readonly type: 'redo'}
  | {readonly type: 'set'; readonly text: string; readonly cursor?: number};
