import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {Operation} from '../../operation.ts';
import {editSymbol, type EditSymbolResult} from '../symbols/edit-symbol.ts';
import type {EditSymbolArgs} from '../symbols/plan-symbol-edit.ts';

const args = z.object({
  path: z.string(),
  operation: z.string(),
  /** The symbol that is changed. */
  target: z.object({name: z.optional(z.string()), type: z.optional(z.string())}),
  content: z.optional(z.string()),
  confidence: z.optional(z.number()),
});

export type SemanticPatchArgs = z.infer<typeof args>;

/**
 * Applies a change that names a symbol instead of its text (zblade › apply_patch, `semantic_patch`): the change
 * of `editSymbol` with other arguments.
 */
export const semanticPatch: Operation<SemanticPatchArgs, EditSymbolResult> = {
  id: 'edit.semantic',
  permission: 'edit',
  args,
  result: editSymbol.result,
  sideEffect: 'write',
  resolve: async (asked, ctx) => await editSymbol.resolve(editOf(asked), ctx),
};

function editOf({path, operation, target: {name = ''}, content, confidence}: SemanticPatchArgs): EditSymbolArgs {
  const word = operation.trim().toLowerCase();
  if (word === '') throw wrong('operation is empty');
  if (name.trim() === '') throw wrong('target names no symbol');
  if (confidence !== undefined && (confidence < 0 || confidence > 1)) throw wrong('confidence is not from 0 to 1');
  const action = ACTIONS[word];
  if (action === undefined) throw wrong(`operation ${word} is none of ${Object.keys(ACTIONS).join(', ')}`);
  return {action, symbol: name, path, preview: false, ...(action === 'rename' ? {newName: content} : {text: content})};
}

const ACTIONS: Readonly<Record<string, EditSymbolArgs['action']>> = {
  rename: 'rename',
  replace: 'replace',
  replace_body: 'replace',
  update: 'replace',
  modify: 'replace',
  insert_before: 'insert_before',
  insert_after: 'insert_after',
};

function wrong(what: string): FettleError {
  const hint = 'semantic_patch: {file_path, operation, target: {name, type}, content, confidence}.';
  return new FettleError({code: 'BAD_ARGS', message: `semantic_patch: ${what}.`, hint});
}
