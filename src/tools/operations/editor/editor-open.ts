import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {EDITOR_KEY, editorOf} from './editor-action.ts';
import {existingPath} from '../fs/existing-path.ts';
import {readSubjects, shownPath} from '../fs/path-subjects.ts';

const args = z.object({
  path: z.string(),
  line: z.optional(z.number()),
});

/** The action as a front end receives it (zblade tool calls › open_file). */
const result = z.object({
  action: z.literal('open_file'),
  path: z.string(),
  line: z.optional(z.number()),
});

export type EditorOpenArgs = z.infer<typeof args>;
export type EditorOpenResult = z.infer<typeof result>;

/** Opens a file in the editor, at a line where one is named. */
export const editorOpen = plainOperation<EditorOpenArgs, EditorOpenResult>({
  id: 'editor.open',
  permission: 'read',
  args,
  result,
  sideEffect: 'pure',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  serialKey: () => EDITOR_KEY,
  async *run({path, line}, ctx) {
    const editor = editorOf(ctx);
    const resolved = await existingPath(path, ctx, 'read');
    await editor.openFile(resolved.path, line, ctx.signal);
    const done: EditorOpenResult = {action: 'open_file', path: shownPath(resolved), ...(line === undefined ? {} : {line})};
    yield {type: 'item', item: {type: 'editor_action', ...done}};
    return done;
  },
});
