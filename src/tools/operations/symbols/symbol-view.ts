import * as z from 'zod/mini';
import type {Relation} from '../../../code/relation.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';

const position = z.object({line: z.number(), character: z.number()});
const range = z.object({start: position, end: position});

/** A symbol for programs: positions from 0, `character` in UTF-16 units. */
export const symbolView = z.object({
  id: z.string(),
  name: z.string(),
  qualified_name: z.string(),
  symbol_type: z.string(),
  file_path: z.string(),
  range,
  /** The range of the name, if decorators or annotations are on lines before it. */
  name_range: z.optional(range),
  parent_id: z.optional(z.string()),
  docstring: z.optional(z.string()),
  signature: z.string(),
  exported: z.boolean(),
});

/** One edge; only `target_name` if the target is not known. */
export const edgeView = z.object({
  relationship_type: z.string(),
  source_symbol: z.optional(symbolView),
  target_name: z.string(),
  target_symbol_id: z.optional(z.string()),
  target_symbol: z.optional(symbolView),
  file_path: z.string(),
  /** From 0, as in the ranges. */
  line: z.number(),
  character: z.number(),
});

export const building = z.optional(z.object({done: z.number(), total: z.number()}));

export type SymbolView = z.infer<typeof symbolView>;
export type EdgeView = z.infer<typeof edgeView>;

export function viewOfSymbol(symbol: CodeSymbol): SymbolView {
  const {id, name, qualifiedName, kind, path, range: whole, nameRange, parentId, doc, signature, exported} = symbol;
  return {
    id,
    name,
    qualified_name: qualifiedName,
    symbol_type: kind,
    file_path: path,
    range: whole,
    ...(nameRange.start.line === whole.start.line ? {} : {name_range: nameRange}),
    ...(parentId === undefined ? {} : {parent_id: parentId}),
    ...(doc === undefined ? {} : {docstring: doc}),
    signature,
    exported,
  };
}

export function viewOfEdge({kind, source, target, targetName, path, range: place}: Relation): EdgeView {
  return {
    relationship_type: kind,
    ...(source === undefined ? {} : {source_symbol: viewOfSymbol(source)}),
    target_name: targetName,
    ...(target === undefined ? {} : {target_symbol_id: target.id, target_symbol: viewOfSymbol(target)}),
    file_path: path,
    ...place.start,
  };
}
