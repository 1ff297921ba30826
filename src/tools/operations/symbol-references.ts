import * as z from 'zod/mini';
import type {Operation} from '../operation.ts';
import {indexedCode, shownOnly} from './indexed-code.ts';
import {requireSelector, selectedSymbol, selectorFields, selectorSubjects} from './symbol-selector.ts';
import {building, edgeView, symbolView, viewOfEdge, viewOfSymbol} from './symbol-view.ts';

const args = z.object({...selectorFields, limit: z.number()});

const result = z.object({
  symbol: symbolView,
  /** By path and position. */
  references: z.array(edgeView),
  /** Uses of the same name of which nothing proves what they mean. */
  unproven: z.array(edgeView),
  truncated: z.boolean(),
  building,
});

export type SymbolReferencesArgs = z.infer<typeof args>;
export type SymbolReferencesResult = z.infer<typeof result>;

/** Every place that names a symbol (zblade tool calls › symbol_references, there a schema without an answer). */
export const symbolReferences: Operation<SymbolReferencesArgs, SymbolReferencesResult> = {
  id: 'sym.references',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: selectorSubjects,
  async run({limit, ...selector}, ctx) {
    requireSelector(selector);
    const code = await indexedCode(ctx);
    const chosen = await selectedSymbol(code.graph, selector, ctx);
    const {symbol, places, unproven, truncated} = await code.graph.references(chosen.id, {limit}, ctx.signal);
    return {
      symbol: viewOfSymbol(symbol),
      references: (await shownOnly(places, ({path}) => path, ctx)).map(viewOfEdge),
      unproven: (await shownOnly(unproven, ({path}) => path, ctx)).map(viewOfEdge),
      truncated,
      building: code.building,
    };
  },
};
