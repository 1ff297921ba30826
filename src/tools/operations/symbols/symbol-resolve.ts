import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {indexedCode, pathOfSymbol, shownOnly} from './indexed-code.ts';
import {requireSelector, selectedSymbols, selectorFields, selectorSubjects} from './symbol-selector.ts';
import {building, symbolView, viewOfSymbol} from './symbol-view.ts';
import {FettleError} from '../../../base/errors.ts';

const args = z.object(selectorFields);

const result = z.object({
  symbol: symbolView,
  /** Other symbols that the name could mean: overloads, and the same name elsewhere. */
  duplicates: z.array(symbolView),
  building,
});

export type SymbolResolveArgs = z.infer<typeof args>;
export type SymbolResolveResult = z.infer<typeof result>;

/** "Resolve one symbol by ID, or by file plus name" (zblade tool calls › symbol_resolve). NOT_FOUND, BAD_ARGS without a selector. */
export const symbolResolve = plainOperation<SymbolResolveArgs, SymbolResolveResult>({
  id: 'sym.resolve',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: selectorSubjects,
  async run(asked, ctx) {
    requireSelector(asked);
    const code = await indexedCode(ctx, 'symbols');
    const [symbol, ...duplicates] = await shownOnly(await selectedSymbols(code.graph, asked, ctx), pathOfSymbol, ctx);
    if (symbol === undefined) {
      throw new FettleError({
        code: 'DENIED',
        message: 'Showing the file of this symbol needs permission.',
        hint: 'Name the file: give path together with the name.',
      });
    }
    return {symbol: viewOfSymbol(symbol), duplicates: duplicates.map(viewOfSymbol), building: code.building};
  },
});
