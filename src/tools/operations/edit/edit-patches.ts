import * as z from 'zod/mini';
import {applyPatchSet} from '../../../text/edit/patch-set.ts';
import {changeTextFile} from '../../../workspace/change-file.ts';
import type {Operation} from '../../operation.ts';
import {MAX_EDITED_BYTES} from './edit-exact.ts';
import {existingPath} from '../fs/existing-path.ts';
import {resolvePath, shownPath, writeSubjects} from '../fs/path-subjects.ts';
import {previewChange} from '../fs/preview-change.ts';

const args = z.object({
  path: z.string(),
  patches: z.array(
    z.object({
      oldText: z.string(),
      newText: z.string(),
      /** 1-based, both included: which of several equal texts is meant. */
      startLine: z.optional(z.number()),
      endLine: z.optional(z.number()),
      replaceAll: z.optional(z.boolean()),
    }),
  ),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  applied: z.number(),
  /** The text before and after: for hosts that show a difference. */
  before: z.string(),
  after: z.string(),
});

export type EditPatchesArgs = z.infer<typeof args>;
export type EditPatchesResult = z.infer<typeof result>;

/**
 * Replaces several exact texts of one file at once ("zblade tool calls › apply_patch"): all are found in the file as it is, and all are
 * applied or none. STALE where the file changed on disk since this thread has seen it.
 */
export const editPatches: Operation<EditPatchesArgs, EditPatchesResult> = {
  id: 'edit.patches',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  subjects: ({path}, ctx) => writeSubjects(path, ctx),
  serialKey: async ({path}, ctx) => (await resolvePath(path, ctx, 'write')).path,
  async preview({path, patches}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path), signal: ctx.signal};
    return await previewChange(resolved, async (text) => applyPatchSet(text, patches), limits);
  },
  async run({path, patches}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path)};
    const {before, after, state} = await changeTextFile(resolved.path, async (text) => applyPatchSet(text, patches), {
      ...limits,
      signal: ctx.signal,
    });
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), file: resolved.path, applied: patches.length, before, after};
  },
};
