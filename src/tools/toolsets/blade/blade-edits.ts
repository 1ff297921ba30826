import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {applyPatch, type ApplyPatchArgs} from '../../operations/edit/apply-patch.ts';
import {editText} from '../../operations/edit/edit-text.ts';
import {defineTool, type Tool} from '../../toolset.ts';
import {alsoNamed, described, wholeNumber} from './blade-parameters.ts';
import * as alias from '../../compat/parameter-aliases.ts';

const ALIASES = {path: alias.FILE};

const editFile = defineTool({
  name: 'edit_file',
  description: 'Replace text in a file once; the old text must match exactly and be unique. apply_patch does more.',
  input: z.object({path: described('File path'), old_content: described('text to find'), new_content: described('replacement')}),
  aliases: alias.aliasesOf({
    ...ALIASES,
    old_content: ['old', 'from', 'old_text', 'old_string', 'old_str'],
    new_content: ['new', 'to', 'new_text', 'new_string', 'new_str'],
  }),
  operation: editText,
  toArgs: ({path, old_content: oldText, new_content: newText}) => ({
    path,
    edit: {form: 'exact' as const, oldText, newText, replaceAll: false},
  }),
  render: ({path, file}) => ({text: `Edited ${path}`, summary: `edited ${path}`, changes: [{path: file, kind: 'update'}]}),
});

const patchInput = z.object({
  path: z.optional(described('File path')),
  old_text: z.optional(described('exact text to replace; must be unique')),
  new_text: z.optional(described('replacement')),
  patches: z.optional(
    z
      .array(
        z.object({
          old_text: z.string(),
          new_text: z.string(),
          start_line: wholeNumber('hint: which of several equal texts', 0),
          end_line: wholeNumber('hint', 0),
          replace_all: z.optional(z.boolean().check(z.describe('every place, not one'))),
        }),
      )
      .check(z.describe('several replacements in one file, all or none; instead of old_text and new_text')),
  ),
  semantic_patch: z.optional(
    z.object({
      id: z.optional(z.string()),
      description: z.optional(z.string()),
      file_path: z.string(),
      operation: z.string(),
      target: z.looseObject({name: z.optional(z.string()), type: z.optional(z.string())}),
      content: z.optional(z.string()),
      confidence: z.optional(z.number()),
    }),
  ),
  patch: z.optional(described('a *** Begin Patch … *** End Patch text, instead of everything else')),
});

type PatchInput = z.infer<typeof patchInput>;

const patchTool = defineTool({
  name: 'apply_patch',
  description: 'Replace exact text in a file: one replacement, or several at once with patches (all or none).',
  input: patchInput,
  aliases: alias.aliasesOf({
    ...ALIASES,
    old_text: ['old_content', 'old', 'from', 'old_string', 'old_str', 'target_content'],
    new_text: ['new_content', 'new', 'to', 'new_string', 'new_str', 'replacement_content'],
    patches: ['edits', 'replacements', 'replacement_chunks'],
    patch: ['input', 'patch_text'],
  }),
  unlisted: ['semantic_patch'],
  operation: applyPatch,
  toArgs: patchArgs,
  render({paths, applied, changes}, {patches, patch}) {
    const files = paths.join(', ');
    const single = patches === undefined && patch === undefined;
    const text = single ? `Applied edit to ${files}` : `Applied ${applied} patch(es) atomically to ${files}`;
    return {text, summary: `edited ${files}`, changes};
  },
});

/** `patches` is stronger than the single fields; a single replacement is a patch that is alone. */
function patchArgs({path, old_text: oldText, new_text: newText, patches, patch, semantic_patch: semantic}: PatchInput): ApplyPatchArgs {
  if (semantic !== undefined) {
    const {file_path: file, operation, target, content, confidence} = semantic;
    const symbol = target['symbol'] ?? target['symbol_name'];
    const name = target.name ?? (typeof symbol === 'string' ? symbol : undefined);
    return {form: 'semantic', of: {path: file, operation, target: {name, type: target.type}, content, confidence}};
  }
  if (patch !== undefined && patches === undefined) return {form: 'envelope', of: {patch}};
  if (path === undefined) throw missing('path (or file_path, filepath, filename)');
  if (patches === undefined) {
    if (oldText === undefined) throw missing('old_text (or old_content, old, from), or patches');
    if (newText === undefined) throw missing('new_text (or new_content, new, to)');
    return {form: 'text', of: {path, edit: {form: 'patches', patches: [{oldText, newText}]}}};
  }
  const placed = patches.map((one) => ({
    oldText: one.old_text,
    newText: one.new_text,
    startLine: one.start_line,
    endLine: one.end_line,
    replaceAll: one.replace_all,
  }));
  return {form: 'text', of: {path, edit: {form: 'patches', patches: placed}}};
}

function missing(what: string): FettleError {
  const hint = 'Parameters: path with old_text and new_text, or path with patches.';
  return new FettleError({code: 'BAD_ARGS', message: `missing required arg: ${what}`, hint});
}

/** The edits among the "File Tools" of "zblade tool calls". */
export const EDIT_TOOLS: readonly Tool[] = [editFile, patchTool, alsoNamed('apply_edit', patchTool)];
