import * as z from 'zod/mini';
import type {CodeGraph, PlaceReferences} from '../../../code/code-graph.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';
import {plainOperation} from '../../operation.ts';
import {indexedCode, shownOnly} from './indexed-code.ts';
import {
  filePath,
  findSelected,
  namePlace,
  nothingNamed,
  onlyOne,
  requireSelector,
  selectorFields,
  selectorSubjects,
} from './symbol-selector.ts';
import {building, edgeView, symbolView, viewOfEdge, viewOfSymbol} from './symbol-view.ts';

const args = z.object({...selectorFields, limit: z.number()});

const result = z.object({
  /** Absent for a local variable. */
  symbol: z.optional(symbolView),
  /** All symbols that a place means: the members of a union, or a property and the variable it is taken from. */
  symbols: z.optional(z.array(symbolView)),
  /** References by path and position. */
  references: z.array(edgeView),
  /** Uses of the same name that are not proved to mean this symbol. */
  unproven: z.array(edgeView),
  truncated: z.boolean(),
  building,
});

export type SymbolReferencesArgs = z.infer<typeof args>;
export type SymbolReferencesResult = z.infer<typeof result>;

/** Finds the references of a selected symbol; its path is as in the index. Throws NOT_FOUND, and NOT_UNIQUE if a name could be several. */
export async function findReferences(
  graph: CodeGraph,
  {limit, ...selector}: SymbolReferencesArgs,
  signal: AbortSignal,
): Promise<PlaceReferences> {
  const place = namePlace(selector);
  if (place === undefined) {
    const {symbol, ...found} = await graph.references(onlyOne(await findSelected(graph, selector, signal)).id, {limit}, signal);
    return {symbols: [symbol], ...found};
  }
  const found = await graph.referencesAt(place, {limit}, signal);
  if (found.places.length === 0) throw nothingNamed(place);
  return found;
}

export function viewOfMeant(symbols: readonly CodeSymbol[]): Pick<SymbolReferencesResult, 'symbol' | 'symbols'> {
  const [first, ...others] = symbols.map(viewOfSymbol);
  return {
    ...(first === undefined ? {} : {symbol: first}),
    ...(first === undefined || others.length === 0 ? {} : {symbols: [first, ...others]}),
  };
}

/** Every place that names a symbol (zblade tool calls › symbol_references, there a schema without an answer). */
export const symbolReferences = plainOperation<SymbolReferencesArgs, SymbolReferencesResult>({
  id: 'sym.references',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: selectorSubjects,
  async run({limit, ...selector}, ctx) {
    requireSelector(selector);
    const code = await indexedCode(ctx);
    const path = selector.path === undefined ? undefined : await filePath(selector.path, ctx);
    const {symbols, places, unproven, truncated} = await findReferences(code.graph, {...selector, path, limit}, ctx.signal);
    return {
      ...viewOfMeant(symbols),
      references: (await shownOnly(places, ({path}) => path, ctx)).map(viewOfEdge),
      unproven: (await shownOnly(unproven, ({path}) => path, ctx)).map(viewOfEdge),
      truncated,
      building: code.building,
    };
  },
});
