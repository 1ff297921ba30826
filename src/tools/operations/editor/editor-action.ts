import {FettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import type {EditorHost} from '../../ports/editor-host.ts';

/** Returns the editor of a call. Throws UNAVAILABLE if there is none: results are never made up (zblade tool calls › get_editor_state). */
export function editorOf(ctx: ToolContext): EditorHost {
  if (ctx.editor !== undefined) return ctx.editor;
  throw new FettleError({code: 'UNAVAILABLE', message: 'No editor is available.', hint: 'Use the file tools.'});
}

/** Returns the active file of the editor, with its path. Throws UNAVAILABLE if no file is open. */
export function activeEditor(ctx: ToolContext): {readonly editor: EditorHost; readonly path: string} {
  const editor = editorOf(ctx);
  const {activeFile} = editor.state();
  if (activeFile !== null) return {editor, path: activeFile};
  throw new FettleError({code: 'UNAVAILABLE', message: 'No file is open in the editor.', hint: 'Open one first.'});
}

/** Serial key of editor operations: they happen in the order of the calls. */
export const EDITOR_KEY = 'editor';
