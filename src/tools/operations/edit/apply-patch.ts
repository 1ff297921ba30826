import * as z from 'zod/mini';
import type {Operation} from '../../operation.ts';
import {applyEnvelope} from './apply-envelope.ts';
import {editText} from './edit-text.ts';
import {fileChanges} from '../fs/file-changes.ts';
import {ended} from '../exec/exit-result.ts';
import {semanticPatch} from './semantic-patch.ts';

const args = z.union([
  z.object({form: z.literal('text'), of: editText.args}),
  z.object({form: z.literal('envelope'), of: applyEnvelope.args}),
  z.object({form: z.literal('semantic'), of: semanticPatch.args}),
]);

const result = z.object({
  /** Each changed file, as models name it. */
  paths: z.array(z.string()),
  /** Patches, or sections of an envelope. */
  applied: z.number(),
  changes: fileChanges,
});

export type ApplyPatchArgs = z.infer<typeof args>;
export type ApplyPatchResult = z.infer<typeof result>;

/**
 * Applies a patch in any of the forms that agents write: exact replacements in one file, a `*** Begin Patch`
 * text for several, and a change of a symbol. All or nothing.
 */
export const applyPatch: Operation<ApplyPatchArgs, ApplyPatchResult> = {
  id: 'edit.patch',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  async subjects(asked, ctx) {
    if (asked.form === 'semantic') return await semanticPatch.subjects(asked.of, ctx);
    return asked.form === 'text' ? await editText.subjects(asked.of, ctx) : await applyEnvelope.subjects(asked.of, ctx);
  },
  async preview(asked, ctx) {
    if (asked.form === 'semantic') return [];
    return (await (asked.form === 'text' ? editText.preview?.(asked.of, ctx) : applyEnvelope.preview?.(asked.of, ctx))) ?? [];
  },
  async run(asked, ctx) {
    if (asked.form === 'semantic') {
      const {files, changes} = await ended(semanticPatch.run(asked.of, ctx));
      return {paths: files.map(({path}) => path), applied: files.length, changes};
    }
    if (asked.form === 'text') {
      const {path, file, applied} = await ended(editText.run(asked.of, ctx));
      return {paths: [path], applied, changes: [{path: file, kind: 'update'}]};
    }
    const {files, changes} = await ended(applyEnvelope.run(asked.of, ctx));
    return {paths: files.map(({path, movedTo}) => movedTo ?? path), applied: files.length, changes};
  },
};
