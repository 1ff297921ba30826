import * as z from 'zod/mini';
import {applySearchReplaceBlocks} from '../../../text/edit/search-replace-blocks.ts';
import {changeTextFile} from '../../../workspace/change-file.ts';
import type {Operation} from '../../operation.ts';
import {MAX_EDITED_BYTES} from './edit-exact.ts';
import {existingPath} from '../fs/existing-path.ts';
import {resolvePath, shownPath, writeSubjects} from '../fs/path-subjects.ts';
import {previewChange} from '../fs/preview-change.ts';

const args = z.object({
  path: z.string(),
  /** SEARCH/REPLACE blocks; what stands around them is passed over. */
  content: z.string().check(z.maxLength(100_000)),
  /** Whether a block that is nowhere exactly goes to the one place that is at least 90 % like it. */
  fuzzy: z.boolean(),
  /** What a SEARCH text that stands in several places means: an error, or the first of them with a warning. */
  onMultiple: z.enum(['refuse', 'first']),
  /** JSON and YAML are laid out anew afterwards, in the style of the file. Default: no. */
  reformat: z.optional(z.boolean()),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  blocksApplied: z.number(),
  /** Lines that are not what they were: of removed and added ones the larger number. */
  linesChanged: z.number(),
  warnings: z.array(z.string()),
  /** The text before and after: for hosts that show a difference. */
  before: z.string(),
  after: z.string(),
});

export type EditBlocksArgs = z.infer<typeof args>;
export type EditBlocksResult = z.infer<typeof result>;

/**
 * Applies SEARCH/REPLACE blocks one after another ("vibe tool system › Search Replace Tool"), all or none. A JSON or YAML file that could
 * be parsed before must still be so afterwards. STALE where the file changed on disk since this thread has seen it.
 */
export const editBlocks: Operation<EditBlocksArgs, EditBlocksResult> = {
  id: 'edit.blocks',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  subjects: ({path}, ctx) => writeSubjects(path, ctx),
  serialKey: async ({path}, ctx) => (await resolvePath(path, ctx, 'write')).path,
  async preview({path, content, reformat, ...how}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path), signal: ctx.signal};
    return await previewChange(resolved, (text) => blocksApplied(text, {path: resolved.path, content, reformat, how}), limits);
  },
  async run({path, content, reformat, ...how}, ctx) {
    const resolved = await existingPath(path, ctx, 'write');
    const change = (text: string) => blocksApplied(text, {path: resolved.path, content, reformat, how});
    const limits = {maxBytes: MAX_EDITED_BYTES, expect: ctx.files.known(resolved.path), signal: ctx.signal};
    const {state, before, after, blocksApplied: applied, linesChanged, warnings} = await changeTextFile(resolved.path, change, limits);
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), file: resolved.path, blocksApplied: applied, linesChanged, warnings, before, after};
  },
};

interface Blocks extends Pick<EditBlocksArgs, 'path' | 'content' | 'reformat'> {
  readonly how: Pick<EditBlocksArgs, 'fuzzy' | 'onMultiple'>;
}

async function blocksApplied(text: string, {path, content, reformat, how}: Blocks) {
  const edited = applySearchReplaceBlocks(text, content, how);
  const {keepParsable} = await import('../../../text/data/data-file.ts');
  const kept = await keepParsable({path, before: text, after: edited.text, reformat: reformat ?? false});
  return {...edited, text: kept.text, warnings: [...edited.warnings, ...kept.warnings]};
}
