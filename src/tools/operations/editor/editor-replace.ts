import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
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

/** Replaces what is selected in the active file of the editor, with nothing selected inserts at the cursor, and writes the file. STALE where it changed on disk since it was opened. */
export const editorReplace = plainOperation<EditorReplaceArgs, EditorReplaceResult>({
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
});
