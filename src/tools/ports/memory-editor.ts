import {FettleError} from '../../base/errors.ts';
import {encodeText} from '../../text/encoding.ts';
import {sameState, type FileState} from '../../workspace/file-state.ts';
import {readTextFile, type TextFile} from '../../workspace/read-file.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import {staleFile, writeFileAtomic} from '../../workspace/write-file.ts';
import type {EditorHost, EditorPosition, EditorState} from './editor-host.ts';
import {editorText, spliceText, type EditorText} from './editor-text.ts';
import type {FileMemory} from '../file-memory.ts';
import {createOneAtATime} from '../mutex.ts';

/** The editor of a thread without a front end: tabs, cursor and selection in memory, the texts in the files. */
export interface MemoryEditor extends EditorHost {
  /** Selects from one place to another in the active file; the cursor is at the second. Throws the errors of `goTo`. */
  select(from: EditorPosition, to: EditorPosition, signal: AbortSignal): Promise<void>;
}

export function createMemoryEditor(options: {readonly workspace: Workspace; readonly files: FileMemory}): MemoryEditor {
  const tabs: Tab[] = [];
  const inOrder = createOneAtATime();
  let active = -1;

  const show = (tab: Tab, at: Pick<Tab, 'state' | 'anchor' | 'cursor'>): void => {
    const index = tabs.findIndex(({path}) => path === tab.path);
    active = index < 0 ? tabs.length : index;
    tabs[active] = {...tab, ...at};
  };
  const activeTab = (): Tab => {
    const tab = tabs[active];
    if (tab !== undefined) return tab;
    throw new FettleError({code: 'UNAVAILABLE', message: 'No file is open in the editor.', hint: 'Open one first.'});
  };
  const place = (from: EditorPosition | undefined, to: EditorPosition, signal: AbortSignal): Promise<void> =>
    inOrder(async () => {
      const tab = activeTab();
      const {file, text} = await load(tab, signal);
      for (const position of [from ?? to, to]) offsetOf(text, tab, position);
      show(tab, {state: file.state, anchor: from ?? to, cursor: to});
    });
  const write = (part: 'selection' | 'cursor', content: string, signal: AbortSignal): Promise<void> =>
    inOrder(async () => {
      const tab = activeTab();
      const {file, text} = await loadUnchanged(tab, signal);
      const {start, end} = part === 'selection' ? selected(text, tab) : selected(text, {...tab, anchor: tab.cursor});
      const next = spliceText(text.text, {start, end}, content);
      const {state} = await writeFileAtomic(tab.path, encodeText(next.text, file.encoding), {expect: file.state});
      options.files.note(tab.path, state);
      const cursor = editorText(next.text).positionOf(next.end);
      show(tab, {state, anchor: cursor, cursor});
    });

  return {
    state: () => stateOf(tabs, active),
    openFile: (path, line, signal) =>
      inOrder(async () => {
        const {path: real, relative, inside} = await options.workspace.resolve(path, {scope: 'any', forWrite: false});
        const known = tabs.find((tab) => tab.path === real);
        const file = await readTextFile(real, {maxBytes: MAX_BYTES}, signal);
        const top = {line: line ?? 1, column: 1};
        const tab: Tab = known ?? {path: real, shown: inside ? relative : real, state: file.state, anchor: top, cursor: top};
        const asLeft = line === undefined && sameState(tab.state, file.state);
        if (line !== undefined) offsetOf(editorText(file.text), tab, top);
        show(tab, {state: file.state, anchor: asLeft ? tab.anchor : top, cursor: asLeft ? tab.cursor : top});
      }),
    goTo: (position, signal) => place(undefined, position, signal),
    select: (from, to, signal) => place(from, to, signal),
    selection: (signal) =>
      inOrder(async () => {
        const tab = activeTab();
        const {text} = await loadUnchanged(tab, signal);
        const {start, end} = selected(text, tab);
        return text.text.slice(start, end);
      }),
    replaceSelection: (content, signal) => write('selection', content, signal),
    insertAtCursor: (content, signal) => write('cursor', content, signal),
  };
}

/** Larger files are not edited by hand. */
const MAX_BYTES = 20_000_000;

interface Tab {
  /** Absolute and real. */
  readonly path: string;
  readonly shown: string;
  /** The state of the file to which the positions refer. */
  readonly state: FileState;
  /** The other end of the selection; the position of the cursor if nothing is selected. */
  readonly anchor: EditorPosition;
  readonly cursor: EditorPosition;
}

async function load(tab: Tab, signal: AbortSignal): Promise<{readonly file: TextFile; readonly text: EditorText}> {
  const file = await readTextFile(tab.path, {maxBytes: MAX_BYTES}, signal);
  return {file, text: editorText(file.text)};
}

/** Throws if the file has changed, since positions would no longer be valid. */
async function loadUnchanged(tab: Tab, signal: AbortSignal): Promise<{readonly file: TextFile; readonly text: EditorText}> {
  const loaded = await load(tab, signal);
  if (sameState(loaded.file.state, tab.state)) return loaded;
  const {message} = staleFile(tab.shown, 'changed on disk');
  throw new FettleError({code: 'STALE', message, hint: 'Open it again, and go to the right place.'});
}

function selected(text: EditorText, tab: Tab): {readonly start: number; readonly end: number} {
  const offsets = [offsetOf(text, tab, tab.anchor), offsetOf(text, tab, tab.cursor)];
  return {start: Math.min(...offsets), end: Math.max(...offsets)};
}

function offsetOf(text: EditorText, {shown}: Tab, position: EditorPosition): number {
  const offset = text.offsetOf(position);
  if (offset !== undefined) return offset;
  const {line, column} = position;
  const isLine = Number.isInteger(line) && line >= 1 && line <= text.lines;
  const message = isLine
    ? `Line ${line} of ${shown} has no column ${column}: its columns are 1 to ${text.columnsOf(line) + 1}.`
    : `${shown} has no line ${line}: its lines are 1 to ${text.lines}.`;
  throw new FettleError({code: 'BAD_ARGS', message, hint: 'Name a position in the file.'});
}

function stateOf(tabs: readonly Tab[], active: number): EditorState {
  const tab = tabs[active];
  const openFiles = tabs.map(({shown}) => shown);
  if (tab === undefined) return {...NOTHING_OPEN, openFiles};
  const {anchor, cursor} = tab;
  const isEmpty = anchor.line === cursor.line && anchor.column === cursor.column;
  return {
    activeFile: tab.shown,
    openFiles,
    activeTabIndex: active,
    cursorLine: cursor.line,
    cursorColumn: cursor.column,
    selectionStartLine: isEmpty ? null : Math.min(anchor.line, cursor.line),
    selectionEndLine: isEmpty ? null : Math.max(anchor.line, cursor.line),
  };
}

const NOTHING_OPEN: EditorState = {
  activeFile: null,
  openFiles: [],
  activeTabIndex: null,
  cursorLine: null,
  cursorColumn: null,
  selectionStartLine: null,
  selectionEndLine: null,
};
