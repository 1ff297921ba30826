import * as z from 'zod/mini';
import {editorGoTo} from '../../operations/editor/editor-go-to.ts';
import {editorInsert} from '../../operations/editor/editor-insert.ts';
import {editorOpen} from '../../operations/editor/editor-open.ts';
import {editorReplace} from '../../operations/editor/editor-replace.ts';
import {editorSelection} from '../../operations/editor/editor-selection.ts';
import {editorState} from '../../operations/editor/editor-state.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {described, FILE_PARAMETER, wholeNumber} from './blade-parameters.ts';

/** "Return the current local editor context" as JSON. */
const getEditorState = defineTool({
  name: 'get_editor_state',
  description: 'Return the editor context as JSON: active file, open files, cursor, selection.',
  input: z.object({}),
  operation: editorState,
  toArgs: () => ({}),
  render: (state) => ({text: JSON.stringify(state), isJson: true, summary: state.active_file ?? 'no file is open'}),
});

const openFile = defineTool({
  name: 'open_file',
  description: 'Open a file in the editor, optionally at a line.',
  input: z.object({path: described('File to open'), line: wholeNumber('line to jump to')}),
  aliases: FILE_PARAMETER,
  operation: editorOpen,
  toArgs: ({path, line}) => ({path, line}),
  render: (action) => ({text: JSON.stringify(action), isJson: true, summary: `opened ${action.path}`}),
});

const gotoLine = defineTool({
  name: 'goto_line',
  description: 'Move the cursor in the active file of the editor.',
  input: z.object({line: z.int().check(z.minimum(1), z.describe('target line')), column: wholeNumber('target column')}),
  operation: editorGoTo,
  toArgs: ({line, column}) => ({line, column}),
  render: (action) => ({text: JSON.stringify(action), isJson: true, summary: `line ${action.line}`}),
});

const getSelection = defineTool({
  name: 'get_selection',
  description: 'Return the text that is selected in the editor.',
  input: z.object({}),
  operation: editorSelection,
  toArgs: () => ({}),
  render: (action) => ({
    text: JSON.stringify(action),
    isJson: true,
    summary: action.selection === '' ? 'nothing is selected' : 'selection',
  }),
});

const CONTENT = {text: 'content'};

const replaceSelection = defineTool({
  name: 'replace_selection',
  description: 'Replace the selection in the editor, and write the file.',
  input: z.object({content: described('replacement')}),
  aliases: CONTENT,
  operation: editorReplace,
  toArgs: ({content}) => ({content}),
  render: ({action, content, path, file}) => ({
    text: JSON.stringify({action, content}),
    isJson: true,
    summary: `edited ${path}`,
    changes: [{path: file, kind: 'update'}],
  }),
});

const insertAtCursor = defineTool({
  name: 'insert_at_cursor',
  description: 'Insert text at the cursor of the editor, and write the file.',
  input: z.object({content: described('text to insert')}),
  aliases: CONTENT,
  operation: editorInsert,
  toArgs: ({content}) => ({content}),
  render: ({action, content, path, file}) => ({
    text: JSON.stringify({action, content}),
    isJson: true,
    summary: `edited ${path}`,
    changes: [{path: file, kind: 'update'}],
  }),
});

/** "Editor and UI Interaction Tools" of "zblade tool calls". */
export const EDITOR_TOOLS: readonly Tool[] = [getEditorState, openFile, gotoLine, getSelection, replaceSelection, insertAtCursor];
