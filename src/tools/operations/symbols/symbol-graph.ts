import * as z from 'zod/mini';
import {RELATION_KINDS, type Relation} from '../../../code/relation.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {indexedCode, shownOnly} from './indexed-code.ts';
import {oneOf, requireSelector, selectedSymbol, selectorFields, selectorSubjects} from './symbol-selector.ts';
import {building, edgeView, symbolView, viewOfEdge, viewOfSymbol} from './symbol-view.ts';

const args = z.object({
  ...selectorFields,
  /** Absent: every kind. */
  relation: z.optional(z.string()),
  limit: z.number(),
});

const result = z.object({
  symbol: symbolView,
  incoming: z.array(edgeView),
  outgoing: z.array(edgeView),
  relationship_type: z.optional(z.string()),
  truncated: z.boolean(),
  building,
});

export type SymbolGraphArgs = z.infer<typeof args>;
export type SymbolGraphResult = z.infer<typeof result>;

/** "Return incoming and outgoing graph edges for a symbol" (zblade tool calls › symbol_graph). `limit` holds for each direction. */
export const symbolGraph = plainOperation<SymbolGraphArgs, SymbolGraphResult>({
  id: 'sym.graph',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: selectorSubjects,
  async run({relation, limit, ...selector}, ctx) {
    requireSelector(selector);
    const kind = relation === undefined ? undefined : oneOf('relationship type', relation, RELATION_KINDS);
    const code = await indexedCode(ctx);
    const chosen = await selectedSymbol(code.graph, selector, ctx);
    const {symbol, incoming, outgoing, truncated} = await code.graph.graph(chosen.id, {limit, kind}, ctx.signal);
    return {
      symbol: viewOfSymbol(symbol),
      incoming: await shownEdges(incoming, ctx),
      outgoing: await shownEdges(outgoing, ctx),
      relationship_type: kind,
      truncated,
      building: code.building,
    };
  },
});

/** Both ends are shown, so both files must be readable without a question. */
async function shownEdges(edges: readonly Relation[], ctx: ToolContext): Promise<z.infer<typeof edgeView>[]> {
  const sorted = edges.toSorted((a, b) => order(a.path, b.path) || order(a.range.start.line, b.range.start.line));
  const written = await shownOnly(sorted, ({path}) => path, ctx);
  return (await shownOnly(written, ({target, path}) => target?.path ?? path, ctx)).map(viewOfEdge);
}

function order<Key extends string | number>(a: Key, b: Key): number {
  return a < b ? -1 : Number(a > b);
}
