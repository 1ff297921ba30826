import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {activeEditor, EDITOR_KEY} from './editor-action.ts';

const args = z.object({
  line: z.number(),
  column: z.optional(z.number()),
});

/** The action as a front end receives it (zblade tool calls › goto_line). */
const result = z.object({
  action: z.literal('goto_line'),
  line: z.number(),
  column: z.optional(z.number()),
});

export type EditorGoToArgs = z.infer<typeof args>;
export type EditorGoToResult = z.infer<typeof result>;

/** Moves the cursor in the active file of the editor; BAD_ARGS beyond its end. */
export const editorGoTo = plainOperation<EditorGoToArgs, EditorGoToResult>({
  id: 'editor.go-to',
  permission: 'editor',
  args,
  result,
  sideEffect: 'pure',
  subjects: async () => [],
  serialKey: () => EDITOR_KEY,
  async *run({line, column}, ctx) {
    await activeEditor(ctx).editor.goTo({line, column: column ?? 1}, ctx.signal);
    const done: EditorGoToResult = {action: 'goto_line', line, ...(column === undefined ? {} : {column})};
    yield {type: 'item', item: {type: 'editor_action', ...done}};
    return done;
  },
});
