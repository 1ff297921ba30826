import * as z from 'zod/mini';
import {FettleError, isFettleError} from '../../../base/errors.ts';
import {applyExactEdit} from '../../../text/edit/exact-edit.ts';
import {changeTextFile, MAX_EDITED_BYTES} from '../../../workspace/change-file.ts';
import type {ResolvedPath} from '../../../workspace/workspace.ts';
import type {ToolContext} from '../../context.ts';
import type {Operation} from '../../operation.ts';
import {requireExisting} from '../fs/existing-path.ts';
import {resolvePath, shownPath, writeSubject} from '../fs/path-subjects.ts';
import {previewChange} from '../fs/preview-change.ts';

const exact = z.object({
  form: z.literal('exact'),
  oldText: z.string(),
  newText: z.string(),
  /** False: the old text must occur in the file exactly once. */
  replaceAll: z.boolean(),
});

/** Several exact replacements, all found in the file as it is ("zblade tool calls › apply_patch"). */
const patches = z.object({
  form: z.literal('patches'),
  patches: z.array(
    z.object({
      oldText: z.string(),
      newText: z.string(),
      /** 1-based, inclusive: selects one of several equal texts. */
      startLine: z.optional(z.number()),
      endLine: z.optional(z.number()),
      replaceAll: z.optional(z.boolean()),
    }),
  ),
});

/** SEARCH/REPLACE blocks, applied one after another ("vibe tool system › Search Replace Tool"); text around them is skipped. */
const blocks = z.object({
  form: z.literal('blocks'),
  content: z.string().check(z.maxLength(100_000)),
  /** True: a block without an exact match is applied to the only place that is at least 90 % similar. */
  fuzzy: z.boolean(),
  /** For a SEARCH text that occurs in several places: an error, or the first place with a warning. */
  onMultiple: z.enum(['refuse', 'first']),
  /** JSON and YAML are formatted afterwards, in the style of the file. Default: no. */
  reformat: z.optional(z.boolean()),
});

const args = z.object({path: z.string(), edit: z.union([exact, patches, blocks])});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  /** Replacements, patches or blocks that were applied. */
  applied: z.number(),
  /** Number of changed lines: the larger of removed and added ones. Set for blocks only. */
  linesChanged: z.optional(z.number()),
  warnings: z.array(z.string()),
  /** The text before and after: for hosts that show a diff. */
  before: z.string(),
  after: z.string(),
});

export type EditTextArgs = z.infer<typeof args>;
export type EditTextResult = z.infer<typeof result>;

/**
 * Replaces text of one file and nothing else: encoding, byte order mark, line endings and mode bits stay. All of
 * the edit is applied or none. A JSON or YAML file that could be parsed before blocks were applied must still be
 * valid afterwards. Throws STALE if the file changed on disk since this thread read it, NOT_FOUND (with the
 * nearest text) and NOT_UNIQUE for the old text.
 */
export const editText: Operation<EditTextArgs, EditTextResult> = {
  id: 'edit.text',
  permission: 'edit',
  args,
  result,
  sideEffect: 'write',
  isKeyed: true,
  async resolve({path, edit}, resolving) {
    const resolved = await resolvePath(path, resolving, 'write');
    return {
      subjects: [writeSubject(resolved)],
      serialKey: resolved.path,
      async preview(ctx) {
        await requireExisting(resolved);
        return await previewChange(resolved, (text) => edited(text, edit, resolved), limitsOf(resolved, ctx));
      },
      run: async (ctx) => await change(resolved, edit, ctx),
    };
  },
};

async function change(resolved: ResolvedPath, edit: EditTextArgs['edit'], ctx: ToolContext): Promise<EditTextResult> {
  await requireExisting(resolved);
  try {
    const changed = await changeTextFile(resolved.path, (text) => edited(text, edit, resolved), limitsOf(resolved, ctx));
    const {state, before, after, applied, linesChanged, warnings} = changed;
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), file: resolved.path, applied, linesChanged, warnings, before, after};
  } catch (error) {
    throw edit.form === 'exact' && hasLineNumbers(edit.oldText) ? withLineNumberHint(error) : error;
  }
}

function limitsOf({path}: ResolvedPath, {files, signal}: ToolContext) {
  return {maxBytes: MAX_EDITED_BYTES, expect: files.known(path), signal};
}

interface EditedText extends Pick<EditTextResult, 'applied' | 'linesChanged' | 'warnings'> {
  readonly text: string;
}

async function edited(text: string, edit: EditTextArgs['edit'], {path}: ResolvedPath): Promise<EditedText> {
  if (edit.form === 'exact') {
    const {text: after, replacements} = applyExactEdit(text, edit);
    return {text: after, applied: replacements, warnings: []};
  }
  if (edit.form === 'patches') {
    const {applyPatchSet} = await import('../../../text/edit/patch-set.ts');
    const {text: after} = applyPatchSet(text, edit.patches);
    return {text: after, applied: edit.patches.length, warnings: []};
  }
  const [{applySearchReplaceBlocks}, {keepParsable}] = await Promise.all([
    import('../../../text/edit/search-replace-blocks.ts'),
    import('../../../text/data/data-file.ts'),
  ]);
  const {blocksApplied, linesChanged, warnings, text: replaced} = applySearchReplaceBlocks(text, edit.content, edit);
  const kept = await keepParsable({path, before: text, after: replaced, reformat: edit.reformat ?? false});
  return {text: kept.text, applied: blocksApplied, linesChanged, warnings: [...warnings, ...kept.warnings]};
}

/** True if every line begins like the output of a read tool: the model copied its line numbers into the text to replace. */
function hasLineNumbers(oldText: string): boolean {
  return oldText.split('\n').every((line) => line === '' || /^\s*\d+(?:\t|→)/.test(line)) && oldText !== '';
}

function withLineNumberHint(error: unknown): unknown {
  if (!isFettleError(error) || error.code !== 'NOT_FOUND') return error;
  const hint = 'The text to replace begins with the line numbers of the read output; leave out each number and the tab after it.';
  return new FettleError({code: error.code, message: error.message, hint, cause: error});
}
