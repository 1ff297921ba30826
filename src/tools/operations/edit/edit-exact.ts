import * as z from 'zod/mini';
import {FettleError, isFettleError} from '../../../base/errors.ts';
import {applyExactEdit} from '../../../text/edit/exact-edit.ts';
import {editTextFile} from '../../../workspace/edit-file.ts';
import type {Operation} from '../../operation.ts';
import {existingPath} from '../fs/existing-path.ts';
import {resolvePath, shownPath, writeSubjects} from '../fs/path-subjects.ts';
import {previewChange} from '../fs/preview-change.ts';

const args = z.object({
  path: z.string(),
  oldText: z.string(),
  newText: z.string(),
  /** False: the old text must stand in the file exactly once. */
  replaceAll: z.boolean(),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  replacements: z.number(),
  /** The text before and after: for hosts that show a difference. */
  before: z.string(),
  after: z.string(),
});

export type EditExactArgs = z.infer<typeof args>;
export type EditExactResult = z.infer<typeof result>;

/**
 * Replaces exact text and nothing else: encoding, byte order mark, line endings and mode bits of the file stay.
 * STALE where the file changed on disk since this thread has seen it, NOT_FOUND (with the nearest text) and NOT_UNIQUE for the old text.
 */
export const editExact: Operation<EditExactArgs, EditExactResult> = {
  id: 'edit.exact',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  subjects: ({path}, ctx) => writeSubjects(path, ctx),
  serialKey: async ({path}, ctx) => (await resolvePath(path, ctx, 'write')).path,
  async preview({path, ...edit}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path), signal: ctx.signal};
    return await previewChange(resolved, async (text) => applyExactEdit(text, edit), limits);
  },
  async run({path, oldText, newText, replaceAll}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path)};
    try {
      const edited = await editTextFile(resolved.path, {oldText, newText, replaceAll}, limits, ctx.signal);
      ctx.files.note(resolved.path, edited.state);
      const {replacements, before, after} = edited;
      return {path: shownPath(resolved), file: resolved.path, replacements, before, after};
    } catch (error) {
      throw hasLineNumbers(oldText) ? withLineNumberHint(error) : error;
    }
  },
};

/** Larger files are no text that a model edits. */
export const MAX_EDITED_BYTES = 20_000_000;

/** Every line begins like the output of a read tool: the model copied its line numbers into the text to replace. */
function hasLineNumbers(oldText: string): boolean {
  return oldText.split('\n').every((line) => line === '' || /^\s*\d+(?:\t|→)/.test(line)) && oldText !== '';
}

function withLineNumberHint(error: unknown): unknown {
  if (!isFettleError(error) || error.code !== 'NOT_FOUND') return error;
  const hint = 'The text to replace begins with the line numbers of the read output; leave out each number and the tab after it.';
  return new FettleError({code: error.code, message: error.message, hint, cause: error});
}
