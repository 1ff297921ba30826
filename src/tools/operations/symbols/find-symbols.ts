import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {ToolContext} from '../../context.ts';
import {plainOperation} from '../../operation.ts';
import {ended} from '../exec/exit-result.ts';
import {readSubjects} from '../fs/path-subjects.ts';
import {symbolGraph} from './symbol-graph.ts';
import {symbolOutline} from './symbol-outline.ts';
import {symbolReferences} from './symbol-references.ts';
import {parseSelector, selectorSubjects, type SelectorArgs} from './symbol-selector.ts';
import {symbolSearch} from './symbol-search.ts';

const args = z.object({
  action: z.enum(['search', 'outline', 'show', 'references']),
  /** A name, a qualified name, an id, `path:line`, or `path:line:column`. */
  symbol: z.optional(z.string()),
  path: z.optional(z.string()),
  kind: z.optional(z.string()),
  limit: z.number(),
});

const result = z.discriminatedUnion('action', [
  z.object({action: z.literal('search'), found: symbolSearch.result}),
  z.object({action: z.literal('outline'), found: symbolOutline.result}),
  z.object({action: z.literal('show'), found: symbolGraph.result}),
  z.object({action: z.literal('references'), found: symbolReferences.result}),
]);

export type FindSymbolsArgs = z.infer<typeof args>;
export type SymbolsResult = z.infer<typeof result>;

/** The four questions to the index under one name. BAD_ARGS where what the question is about is not said. */
export const findSymbols = plainOperation<FindSymbolsArgs, SymbolsResult>({
  id: 'sym.find',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  async subjects({action, symbol, path}, ctx) {
    if (action === 'search' || action === 'outline') return path === undefined ? [] : await readSubjects(path, ctx);
    return await selectorSubjects(selectorOf(symbol, path), ctx);
  },
  async run({action, symbol, path, kind, limit}, ctx) {
    if (action === 'outline') return {action, found: await outline(path ?? symbol, ctx)};
    if (action === 'search') return {action, found: await ended(symbolSearch.run({query: said(symbol), path, kind, limit}, ctx))};
    const selector = selectorOf(said(symbol), path);
    if (action === 'show') return {action, found: await ended(symbolGraph.run({...selector, limit}, ctx))};
    return {action, found: await ended(symbolReferences.run({...selector, limit}, ctx))};
  },
});

async function outline(path: string | undefined, ctx: ToolContext): Promise<z.infer<typeof symbolOutline.result>> {
  if (path === undefined) throw new FettleError({code: 'BAD_ARGS', message: 'outline needs path.', hint: 'Give the file.'});
  return await ended(symbolOutline.run({path}, ctx));
}

function said(symbol: string | undefined): string {
  if (symbol !== undefined && symbol.trim() !== '') return symbol.trim();
  throw new FettleError({code: 'BAD_ARGS', message: 'symbol is missing.', hint: 'Give a name, an id, or path:line.'});
}

function selectorOf(symbol: string | undefined, path: string | undefined): SelectorArgs {
  return symbol === undefined ? {path} : parseSelector(symbol, path);
}
