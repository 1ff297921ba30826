import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {activeEditor} from './editor-action.ts';
import {resolvePath, writeSubjects} from '../fs/path-subjects.ts';

const args = z.object({content: z.string()});

/** The action as a front end receives it (zblade tool calls › replace_selection), with the file that was written. */
const result = z.object({
  action: z.literal('replace_selection'),
  content: z.string(),
  path: z.string(),
  /** Absolute. */
  file: z.string(),
});

export type EditorReplaceArgs = z.infer<typeof args>;
export type EditorReplaceResult = z.infer<typeof result>;

/**
 * Replaces the selection in the active file of the editor, or inserts at the cursor if nothing is selected, and
 * writes the file. Throws STALE if the file changed on disk since it was opened.
 */
export const editorReplace: Operation<EditorReplaceArgs, EditorReplaceResult> = {
  id: 'editor.replace',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  subjects: async (_, ctx) => writeSubjects(activeEditor(ctx).path, ctx),
  // No key: the file to write is known only after the earlier calls.
  async *run({content}, ctx) {
    const {editor, path} = activeEditor(ctx);
    const file = await resolvePath(path, ctx, 'write');
    await editor.replaceSelection(content, ctx.signal);
    yield {type: 'item', item: {type: 'editor_action', action: 'replace_selection', path, content}};
    return {action: 'replace_selection', content, path, file: file.path};
  },
};
