import * as z from 'zod/mini';
import {FettleError} from '../../base/errors.ts';
import type {Operation} from '../operation.ts';
import {writeSubjects} from './path-subjects.ts';

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
 * A change that names a symbol in the place of its text (zblade › apply_patch, `semantic_patch`). The arguments are judged as they would be
 * with an index; UNAVAILABLE is the truth as long as this machine has none.
 */
export const semanticPatch: Operation<SemanticPatchArgs, never> = {
  id: 'edit.semantic',
  permission: 'edit',
  args,
  result: z.never(),
  sideEffect: 'write',
  subjects: ({path}, ctx) => writeSubjects(path, ctx),
  async run({operation, target, confidence}) {
    if (operation.trim() === '') throw wrong('operation is empty');
    if (target.name === undefined || target.name.trim() === '') throw wrong('target names no symbol');
    if (confidence !== undefined && (confidence < 0 || confidence > 1)) throw wrong('confidence is not from 0 to 1');
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: 'language service unavailable: there is no index of symbols here.',
      hint: 'Change the text instead: old_text and new_text, or patches.',
    });
  },
};

function wrong(what: string): FettleError {
  const hint = 'semantic_patch: {file_path, operation, target: {name, type}, content, confidence}.';
  return new FettleError({code: 'BAD_ARGS', message: `semantic_patch: ${what}.`, hint});
}
