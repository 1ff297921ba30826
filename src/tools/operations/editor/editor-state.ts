import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {EDITOR_KEY, editorOf} from './editor-action.ts';

const args = z.object({});

/** Named as models see it (zblade tool calls › get_editor_state). */
const result = z.object({
  active_file: z.nullable(z.string()),
  open_files: z.array(z.string()),
  active_tab_index: z.nullable(z.number()),
  cursor_line: z.nullable(z.number()),
  cursor_column: z.nullable(z.number()),
  selection_start_line: z.nullable(z.number()),
  selection_end_line: z.nullable(z.number()),
});

export type EditorStateArgs = z.infer<typeof args>;
export type EditorStateResult = z.infer<typeof result>;

/** Reports the open files, the cursor and the selection of the editor. */
export const editorState = plainOperation<EditorStateArgs, EditorStateResult>({
  id: 'editor.state',
  permission: 'editor',
  args,
  result,
  sideEffect: 'pure',
  subjects: async () => [],
  serialKey: () => EDITOR_KEY,
  async run(_, ctx) {
    const state = editorOf(ctx).state();
    return {
      active_file: state.activeFile,
      open_files: [...state.openFiles],
      active_tab_index: state.activeTabIndex,
      cursor_line: state.cursorLine,
      cursor_column: state.cursorColumn,
      selection_start_line: state.selectionStartLine,
      selection_end_line: state.selectionEndLine,
    };
  },
});
