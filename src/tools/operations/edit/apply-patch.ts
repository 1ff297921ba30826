import * as z from 'zod/mini';
import type {Operation, ResolvedOperation} from '../../operation.ts';
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
  async resolve(asked, resolving) {
    if (asked.form === 'semantic') {
      const resolved = await semanticPatch.resolve(asked.of, resolving);
      return carried(resolved, ({files, changes}) => ({paths: files.map(({path}) => path), applied: files.length, changes}));
    }
    if (asked.form === 'text') {
      const resolved = await editText.resolve(asked.of, resolving);
      return carried(resolved, ({path, file, applied}) => ({paths: [path], applied, changes: [{path: file, kind: 'update'}]}));
    }
    const resolved = await applyEnvelope.resolve(asked.of, resolving);
    return carried(resolved, ({files, changes}) => {
      return {paths: files.map(({path, movedTo}) => movedTo ?? path), applied: files.length, changes};
    });
  },
};

/** The same call, with another result; alone among all mutations, whatever it turns out to be. */
function carried<Result>(
  {subjects, preview, run}: ResolvedOperation<Result>,
  resultOf: (done: Result) => ApplyPatchResult,
): ResolvedOperation<ApplyPatchResult> {
  return {subjects, preview: async (ctx) => (await preview?.(ctx)) ?? [], run: async (ctx) => resultOf(await ended(run(ctx)))};
}
