import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {activeEditor} from './editor-action.ts';
import {resolvePath, writeSubjects} from '../fs/path-subjects.ts';

const args = z.object({content: z.string()});

/** The action as a front end receives it (zblade tool calls › insert_at_cursor), with the file that was written. */
const result = z.object({
  action: z.literal('insert_at_cursor'),
  content: z.string(),
  path: z.string(),
  /** Absolute. */
  file: z.string(),
});

export type EditorInsertArgs = z.infer<typeof args>;
export type EditorInsertResult = z.infer<typeof result>;

/** Inserts text at the cursor of the active file of the editor, and writes the file. STALE if it changed on disk since it was opened. */
export const editorInsert = plainOperation<EditorInsertArgs, EditorInsertResult>({
  id: 'editor.insert',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  subjects: async (_, ctx) => writeSubjects(activeEditor(ctx).path, ctx),
  // No key: the file to write is known only after the earlier calls.
  async *run({content}, ctx) {
    const {editor, path} = activeEditor(ctx);
    const file = await resolvePath(path, ctx, 'write');
    await editor.insertAtCursor(content, ctx.signal);
    yield {type: 'item', item: {type: 'editor_action', action: 'insert_at_cursor', path, content}};
    return {action: 'insert_at_cursor', content, path, file: file.path};
  },
});
