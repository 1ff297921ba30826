import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {indexedCode, shownOnly} from './indexed-code.ts';
import {readSubjects} from '../fs/path-subjects.ts';
import {filePath, symbolKind} from './symbol-selector.ts';
import {building, symbolView, viewOfSymbol} from './symbol-view.ts';

const args = z.object({
  query: z.string(),
  /** Limits the search to a file or folder. */
  path: z.optional(z.string()),
  kind: z.optional(z.string()),
  limit: z.number(),
});

const result = z.object({
  query: z.string(),
  /** Best first; `score` from 0 to 1. */
  results: z.array(z.object({symbol: symbolView, score: z.number()})),
  truncated: z.boolean(),
  building,
});

export type SymbolSearchArgs = z.infer<typeof args>;
export type SymbolSearchResult = z.infer<typeof result>;

/** "Search indexed symbols by name or qualified name" (zblade tool calls › symbol_search). BAD_ARGS for an unknown kind. */
export const symbolSearch = plainOperation<SymbolSearchArgs, SymbolSearchResult>({
  id: 'sym.search',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: async ({path}, ctx) => (path === undefined ? [] : await readSubjects(path, ctx)),
  async run({query, path, kind, limit}, ctx) {
    const wanted = symbolKind(kind);
    const below = path === undefined ? undefined : await filePath(path, ctx);
    const code = await indexedCode(ctx, 'symbols');
    const asked = {text: query, limit, path: below === '.' ? undefined : below, kind: wanted};
    const {symbols, truncated} = await code.graph.search(asked, ctx.signal);
    const shown = await shownOnly(symbols, ({symbol}) => symbol.path, ctx);
    return {
      query,
      results: shown.map(({symbol, score}) => ({symbol: viewOfSymbol(symbol), score})),
      truncated,
      building: code.building,
    };
  },
});
