/** An editor with open files, a cursor and a selection: of a front end, or the one in memory. Lines and columns are 1-based. */
export interface EditorHost {
  state(): EditorState;
  /** Opens a file in a tab, or goes to its tab; throws NOT_FOUND and what reading a file throws. */
  openFile(path: string, line: number | undefined, signal: AbortSignal): Promise<void>;
  /** Moves the cursor of the active file; throws UNAVAILABLE without one, BAD_ARGS beyond its end. */
  goToLine(line: number, column: number | undefined): void;
  /** The selected text, exactly; '' where nothing is selected. Throws UNAVAILABLE without an active file. */
  selection(): string;
  /** Replaces the selection (with none: inserts at the cursor) and writes the file. */
  replaceSelection(content: string, signal: AbortSignal): Promise<void>;
  insertAtCursor(content: string, signal: AbortSignal): Promise<void>;
}

export interface EditorState {
  /** Relative to the workspace; null: no file is open. */
  readonly activeFile: string | null;
  readonly openFiles: readonly string[];
  readonly activeTabIndex: number | null;
  readonly cursorLine: number | null;
  readonly cursorColumn: number | null;
  readonly selectionStartLine: number | null;
  readonly selectionEndLine: number | null;
}
