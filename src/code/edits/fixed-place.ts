import {FettleError} from '../../base/errors.ts';
import type {CodeGraph} from '../code-graph.ts';
import type {CodeSymbol, Range} from '../symbol.ts';

/**
 * Throws BAD_ARGS where one of these symbols has its place for a reason, and nothing else can stand beside it: the clause that says which package
 * a file belongs to begins it, and a property that a constructor declares with a parameter is an argument.
 */
export async function checkPlaces(
  symbols: readonly CodeSymbol[],
  text: string,
  {graph, signal}: {readonly graph: Pick<CodeGraph, 'factsOf'>; readonly signal: AbortSignal},
): Promise<void> {
  for (const symbol of symbols) {
    if (/^package\b/u.test(symbol.signature)) throw fixed(`${symbol.name} is the package of its file, which stands at its beginning`);
    if (symbol.kind !== 'property') continue;
    const facts = await graph.factsOf(symbol.path, text, signal);
    const isParameter = facts?.symbols.some(
      ({name, kind, range}) => name === 'constructor' && kind === 'method' && isWithin(symbol.range, range),
    );
    if (isParameter === true) throw fixed(`${symbol.name} is a parameter of its constructor`);
  }
}

function isWithin(inner: Range, outer: Range): boolean {
  return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

function isBefore(a: Range['start'], b: Range['start']): boolean {
  return a.line < b.line || (a.line === b.line && a.character <= b.character);
}

function fixed(problem: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `Not changed: ${problem}.`, hint: 'Name another symbol, or use text edits.'});
}
