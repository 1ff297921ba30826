import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {activeEditor, EDITOR_KEY} from './editor-action.ts';
import {readSubjects} from '../fs/path-subjects.ts';

const args = z.object({});

/** The action as a front end receives it (zblade tool calls › get_selection), with the actual text. */
const result = z.object({
  action: z.literal('get_selection'),
  /** '' if nothing is selected. */
  selection: z.string(),
});

export type EditorSelectionArgs = z.infer<typeof args>;
export type EditorSelectionResult = z.infer<typeof result>;

/** The selected text in the active file of the editor. */
export const editorSelection = plainOperation<EditorSelectionArgs, EditorSelectionResult>({
  id: 'editor.selection',
  permission: 'read',
  args,
  result,
  sideEffect: 'pure',
  subjects: async (_, ctx) => readSubjects(activeEditor(ctx).path, ctx),
  serialKey: () => EDITOR_KEY,
  async *run(_, ctx) {
    const selection = await activeEditor(ctx).editor.selection(ctx.signal);
    const done: EditorSelectionResult = {action: 'get_selection', selection};
    yield {type: 'item', item: {type: 'editor_action', ...done}};
    return done;
  },
});
