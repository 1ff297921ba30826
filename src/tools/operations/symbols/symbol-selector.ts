import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import type {CodeGraph, NamePlace, OutlineNode} from '../../../code/code-graph.ts';
import {SYMBOL_KINDS, type CodeSymbol, type SymbolKind} from '../../../code/symbol.ts';
import type {Subject} from '../../../policy/decision.ts';
import type {ToolContext} from '../../context.ts';
import {existingPath} from '../fs/existing-path.ts';
import {readSubjects, shownPath} from '../fs/path-subjects.ts';

/** One symbol: by its id, by a name (in a file, if one is given), by the line that contains it, or by a place where it is named. */
export const selectorFields = {
  symbolId: z.optional(z.string()),
  path: z.optional(z.string()),
  qualifiedName: z.optional(z.string()),
  name: z.optional(z.string()),
  /** From 1. */
  line: z.optional(z.number()),
  /** 1-based: the symbol that the name at this position means, not the one around it. */
  column: z.optional(z.number()),
};

const selectorArgs = z.object(selectorFields);
export type SelectorArgs = z.infer<typeof selectorArgs>;

/** "Rule: provide either symbol_id, or a path with a symbol name selector" (zblade tool calls › symbol_resolve); a name alone is accepted, too. */
export function requireSelector({symbolId, path, qualifiedName, name, line}: SelectorArgs): void {
  if (symbolId !== undefined || (qualifiedName ?? name) !== undefined || (path !== undefined && line !== undefined)) return;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: 'No symbol was named.',
    hint: 'Give symbol_id, or path with qualified_name or name.',
  });
}

/**
 * a.ts:12`), a place that names it/Parses a symbol selector: an id (`path::qualified#kind`), a line inside it (`src/a.ts:12`), a place that
 * names it/a.ts:12`), a place that names it (`src/a.ts:12:5`), `Server.start`, or a bare name.
 */
export function parseSelector(symbol: string, path: string | undefined): SelectorArgs {
  if (symbol.includes('::') && symbol.includes('#')) return {symbolId: symbol};
  const place = /^(?<file>.+?):(?<line>\d+)(?::(?<column>\d+))?$/.exec(symbol)?.groups;
  if (place !== undefined) {
    const column = place['column'];
    return {path: place['file'], line: Number(place['line']), ...(column === undefined ? {} : {column: Number(column)})};
  }
  return /[.:]/.test(symbol) ? {path, qualifiedName: symbol.replaceAll('::', '.')} : {path, name: symbol};
}

/** Returns the file that a selector names, for permission rules. */
export async function selectorSubjects({symbolId, path}: SelectorArgs, ctx: ToolContext): Promise<readonly Subject[]> {
  const named = path ?? symbolId?.split('::', 1)[0];
  return named === undefined || named === '' ? [] : await readSubjects(named, ctx);
}

/** Returns the symbols that match a selector, best first. Throws NOT_FOUND if there is none. */
export async function selectedSymbols(graph: CodeGraph, args: SelectorArgs, ctx: ToolContext): Promise<readonly CodeSymbol[]> {
  requireSelector(args);
  const path = args.path === undefined ? undefined : await filePath(args.path, ctx);
  return await findSelected(graph, {...args, path}, ctx.signal);
}

/** The same for a path that is already as in the index. */
export async function findSelected(graph: CodeGraph, args: SelectorArgs, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const {symbolId: id, path, qualifiedName, name, line} = args;
  const named = namePlace(args);
  if (named !== undefined) return await namedAt(graph, named, signal);
  if (path !== undefined && line !== undefined) return [innermost(await graph.outline(path, signal), line - 1) ?? nothingAt(path, line)];
  const found = await graph.resolve({id, path, qualifiedName, name}, signal);
  if (found.length > 0) return found;
  const words = [id, qualifiedName, name].find((word) => word !== undefined);
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `symbol not found: ${words}${path === undefined ? '' : ` in ${path}`}.`,
    hint: 'Search for it by a part of its name.',
  });
}

/** Returns the position of the name that a selector points at; undefined for other selectors. */
export function namePlace({path, line, column}: SelectorArgs): NamePlace | undefined {
  if (path === undefined || line === undefined || column === undefined) return undefined;
  return {path, position: {line: line - 1, character: column - 1}};
}

async function namedAt(graph: CodeGraph, {path, position}: NamePlace, signal: AbortSignal): Promise<readonly CodeSymbol[]> {
  const definitions = await graph.definitionAt(path, position, signal);
  const symbols = definitions.flatMap(({symbol}) => symbol ?? []);
  if (symbols.length > 0) return symbols;
  const [local] = definitions;
  if (local === undefined) throw nothingNamed({path, position});
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `The name at ${placeText({path, position})} is not a symbol: it is declared at ${placeText({path: local.path, position: local.range.start})}.`,
    hint: 'Ask for its references, or read that line.',
  });
}

export function nothingNamed(place: NamePlace): FettleError {
  const hint = 'Without the column it means the symbol around the line.';
  return new FettleError({code: 'NOT_FOUND', message: `Nothing is known about a name at ${placeText(place)}.`, hint});
}

function placeText({path, position: {line, character}}: NamePlace): string {
  return `${path}:${line + 1}:${character + 1}`;
}

/** Returns the one symbol that a selector means. Throws NOT_UNIQUE if several could be meant, with their ids. */
export async function selectedSymbol(graph: CodeGraph, args: SelectorArgs, ctx: ToolContext): Promise<CodeSymbol> {
  return onlyOne(await selectedSymbols(graph, args, ctx));
}

/** Picks the only symbol that is not inside another one: a bare name rarely means a member. Throws NOT_UNIQUE, with all ids. */
export function onlyOne(symbols: readonly CodeSymbol[]): CodeSymbol {
  const outer = symbols.filter(({parentId}) => parentId === undefined);
  const [only, ...others] = outer.length > 0 ? outer : symbols;
  if (only !== undefined && others.length === 0) return only;
  const ids = symbols.map(({id}) => id);
  throw new FettleError({
    code: 'NOT_UNIQUE',
    message: `${ids.length} symbols have this name.`,
    hint: `Give the id of the one you mean: ${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ' …' : ''}.`,
  });
}

const MOST_NAMED = 10;

/** Converts a path from a model to the form of the index. Throws NOT_FOUND, and OUTSIDE_SCOPE outside the workspace, where nothing is indexed. */
export async function filePath(path: string, ctx: ToolContext): Promise<string> {
  const resolved = await existingPath(path, ctx, 'read');
  if (resolved.inside) return shownPath(resolved);
  throw new FettleError({
    code: 'OUTSIDE_SCOPE',
    message: `${path} is outside of the workspace: nothing is indexed there.`,
    hint: 'Read the file, or search its text.',
  });
}

/** Parses the kind of a symbol. Throws BAD_ARGS for an unknown word ("unknown symbol kind"). */
export function symbolKind(kind: string | undefined): SymbolKind | undefined {
  return kind === undefined ? undefined : oneOf('symbol kind', kind, SYMBOL_KINDS);
}

/** Parses one of several words. Throws BAD_ARGS with the known ones. */
export function oneOf<Known extends string>(what: string, value: string, known: readonly Known[]): Known {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new FettleError({code: 'BAD_ARGS', message: `unknown ${what}: ${value}`, hint: `Known: ${known.join(', ')}.`});
}

function innermost(nodes: readonly OutlineNode[], line: number): CodeSymbol | undefined {
  const around = nodes.find(({symbol: {range}}) => range.start.line <= line && line <= range.end.line);
  return around === undefined ? undefined : (innermost(around.children, line) ?? around.symbol);
}

function nothingAt(path: string, line: number): never {
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `No symbol in line ${line} of ${path}.`,
    hint: 'Look at the outline of the file.',
  });
}
