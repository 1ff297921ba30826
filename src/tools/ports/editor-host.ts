/**
 * An editor with open files, a cursor and a selection: that of a front end, or one in memory. Lines and columns
 * count from 1; columns count characters (code points). A function that throws has changed nothing.
 */
export interface EditorHost {
  state(): EditorState;
  /** Opens a file in a tab, or goes to its tab. Throws NOT_FOUND, the errors of reading a file, and BAD_ARGS for a line beyond its end. */
  openFile(path: string, line: number | undefined, signal: AbortSignal): Promise<void>;
  /** Moves the cursor of the active file, as it is on disk now. Throws UNAVAILABLE without an active file, BAD_ARGS beyond its end. */
  goTo(position: EditorPosition, signal: AbortSignal): Promise<void>;
  /** Returns the exact selected text; '' if nothing is selected. Throws UNAVAILABLE without an active file, STALE if it changed on disk. */
  selection(signal: AbortSignal): Promise<string>;
  /**
   * Replaces the selection (with none: inserts at the cursor), writes the file and puts the cursor after the new text.
   * Throws the errors of `selection` and of writing a file.
   */
  replaceSelection(content: string, signal: AbortSignal): Promise<void>;
  /** Inserts at the cursor; a selection is removed, but its text stays. Throws the errors of `replaceSelection`. */
  insertAtCursor(content: string, signal: AbortSignal): Promise<void>;
}

export interface EditorPosition {
  readonly line: number;
  readonly column: number;
}

export interface EditorState {
  /** Relative to the workspace, absolute outside of it; null: no file is open. */
  readonly activeFile: string | null;
  /** In the order of the tabs. */
  readonly openFiles: readonly string[];
  readonly activeTabIndex: number | null;
  readonly cursorLine: number | null;
  readonly cursorColumn: number | null;
  /** null: nothing is selected. */
  readonly selectionStartLine: number | null;
  readonly selectionEndLine: number | null;
}
