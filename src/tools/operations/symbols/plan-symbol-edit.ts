import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {EditPlan, EditSources} from '../../../code/edits/edit-plan.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';
import type {ToolContext} from '../../context.ts';
import {indexedCode} from './indexed-code.ts';
import {parseSelector, selectedSymbol} from './symbol-selector.ts';

/** A change that names a symbol. */
export const editSymbolArgs = z.object({
  action: z.enum(['rename', 'replace', 'insert_before', 'insert_after', 'move_before', 'move_after']),
  /** The symbol, in the form of `parseSelector`: the one to change, or the neighbour of an insertion. */
  symbol: z.string(),
  /** Its file, if the name alone is ambiguous. */
  path: z.optional(z.string()),
  newName: z.optional(z.string()),
  /** A whole declaration. */
  text: z.optional(z.string()),
  /** For a move: the symbol that it goes beside, or a file, at whose end it goes. */
  target: z.optional(z.string()),
  /** True to only show what would be done. */
  preview: z.boolean(),
});

export type EditSymbolArgs = z.infer<typeof editSymbolArgs>;

interface Planning {
  readonly sources: EditSources;
  readonly ctx: ToolContext;
}

/** Returns the file changes for an edit of a symbol. Throws BAD_ARGS, NOT_FOUND, NOT_UNIQUE. */
export async function planFor(
  {action, newName, text, target, path}: EditSymbolArgs,
  symbol: CodeSymbol,
  {sources, ctx}: Planning,
): Promise<EditPlan> {
  switch (action) {
    case 'rename': {
      const {renameSymbol} = await import('../../../code/edits/rename-symbol.ts');
      return await renameSymbol({symbol, newName: needed('new_name', newName)}, sources);
    }
    case 'replace': {
      const {replaceSymbol} = await import('../../../code/edits/replace-symbol.ts');
      return await replaceSymbol(symbol, needed('text', text), sources);
    }
    case 'insert_before':
    case 'insert_after': {
      const {insertSymbol} = await import('../../../code/edits/insert-symbol.ts');
      return await insertSymbol({beside: symbol, where: whereOf(action), text: needed('text', text)}, sources);
    }
    case 'move_before':
    case 'move_after': {
      return await moved({symbol, target: needed('target', target), where: whereOf(action), path}, {sources, ctx});
    }
  }
}

interface Moving {
  readonly symbol: CodeSymbol;
  /** A symbol, or a file. */
  readonly target: string;
  readonly where: 'before' | 'after';
  readonly path: string | undefined;
}

async function moved({symbol, target, where, path}: Moving, {sources, ctx}: Planning): Promise<EditPlan> {
  const {moveToFile} = await import('../../../code/edits/move-to-file.ts');
  if (A_FILE.test(target)) {
    const {relative} = await ctx.workspace.resolve(target, {scope: 'inside', forWrite: true});
    if (relative !== symbol.path) return await moveToFile({symbol, file: relative}, sources);
  }
  const {graph} = await indexedCode(ctx);
  const beside = await selectedSymbol(graph, parseSelector(target, path ?? symbol.path), ctx);
  if (beside.path !== symbol.path) return await moveToFile({symbol, file: beside.path, beside: {symbol: beside, where}}, sources);
  const {moveSymbol} = await import('../../../code/edits/move-symbol.ts');
  return await moveSymbol({symbol, beside, where}, sources);
}

/** Moves between files are only supported for scripts. */
const A_FILE = /^[^#]+\.[cm]?[jt]sx?$/;

function whereOf(action: string): 'before' | 'after' {
  return action.endsWith('_before') ? 'before' : 'after';
}

function needed(name: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== '') return value;
  throw new FettleError({code: 'BAD_ARGS', message: `${name} is missing.`, hint: `Give ${name}.`});
}
