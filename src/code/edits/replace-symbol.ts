import {FettleError} from '../../base/errors.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditPlan, EditSources} from './edit-plan.ts';
import {indentAs} from './indent-as.ts';
import {keptSymbols} from './kept-symbols.ts';
import {applyRangeEdits, textOfRange} from './range-edits.ts';

/**
 * Another declaration in the place of a symbol's: all of it but the comment above. Throws BAD_ARGS where the new text does not declare the
 * same name, or the file would lose a symbol that is not part of this one, or not parse any more.
 */
export async function replaceSymbol(symbol: CodeSymbol, text: string, {graph, read, signal}: EditSources): Promise<EditPlan> {
  const before = await read(symbol.path);
  const {range} = symbol;
  const indent = (before.split('\n')[range.start.line] ?? '').slice(0, range.start.character);
  // What follows the declaration on its last line, a separator or nothing, stays.
  const newText = indentAs(text.trim(), /^\s*$/.test(indent) ? indent : '');
  if (textOfRange(before, range) === newText) throw new FettleError({code: 'BAD_ARGS', message: `${symbol.name} reads so already.`});
  const after = applyRangeEdits(before, [{range, newText}]);
  await keptSymbols({path: symbol.path, before, after, mayGo: symbol, mustStay: symbol.name}, graph, signal);
  return {files: [{path: symbol.path, before, after}], provedBy: 'index'};
}
