import {FettleError} from '../../../base/errors.ts';
import type {CodeGraph, IndexProgress} from '../../../code/code-graph.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';
import type {ToolContext} from '../../context.ts';

export interface IndexedCode {
  readonly graph: CodeGraph;
  /** True while the first build of a large repository goes on: answers cover the files indexed so far. */
  readonly building?: IndexProgress | undefined;
}

/**
 * Returns the index, updated (`upTo`: as far as needed), or in its current state if a build takes too long for a call. Throws UNAVAILABLE
 * without an index in this session.
 */
export async function indexedCode({code, signal}: ToolContext, upTo?: 'symbols'): Promise<IndexedCode> {
  if (code === undefined) {
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: 'language service unavailable: this folder has no symbol index.',
      hint: 'Search the text instead, with the name of the symbol.',
    });
  }
  const graph = await code.open(signal);
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  try {
    await graph.fresh(AbortSignal.any([signal, deadline]), undefined, upTo);
    return {graph};
  } catch (error) {
    if (signal.aborted || !deadline.aborted) throw error;
    const {progress} = await graph.status(signal);
    return {graph, building: progress ?? {done: 0, total: 0}};
  }
}

const TIMEOUT_MS = 20_000;

/** Keeps the symbols whose file may be shown without a question, like the lines that a search finds. */
export async function shownOnly<Item>(items: readonly Item[], pathOf: (item: Item) => string, {mayShow}: ToolContext): Promise<Item[]> {
  if (mayShow === undefined) return [...items];
  const allowed = new Map<string, boolean>();
  for (const path of new Set(items.map(pathOf))) allowed.set(path, await mayShow(path));
  return items.filter((item) => allowed.get(pathOf(item)) === true);
}

export function pathOfSymbol({path}: CodeSymbol): string {
  return path;
}
