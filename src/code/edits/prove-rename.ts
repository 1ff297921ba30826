import type {FileFacts, SymbolFact, UseFact} from '../file-facts.ts';
import type {FactsChange} from './edit-plan.ts';

/**
 * Why the renamed text of a file does not say the same as before under another name; undefined where it does. A name that is taken, hidden
 * by a local variable, or that captures another use shows here: the file is parsed again, and every name must mean what it meant.
 */
export function renameProblem(
  {path, before, after}: FactsChange,
  {from, to}: {readonly from: string; readonly to: string},
): string | undefined {
  if (after.broken && !before.broken) return `${path} would not parse any more`;
  const renamed = (name: string): boolean => name === from || name === to;
  const sameName = (a: string, b: string): boolean => a === b || (renamed(a) && b === to);
  const sameSymbol = (a: SymbolFact, b: SymbolFact): boolean =>
    (sameName(a.name, b.name) || isComputedSame(a.name, b.name, {from, to})) && sameKind(a, b) && a.parent === b.parent;
  const sameUse = (a: UseFact, b: UseFact): boolean =>
    sameName(a.name, b.name) && a.kind === b.kind && a.target === b.target && a.within === b.within;
  if (!sameList(before.symbols, after.symbols, sameSymbol)) return `in ${path} other symbols would be declared`;
  if (!sameList(before.uses, after.uses, sameUse)) return `in ${path} the name ${to} already means something else`;
  const isLeft = after.exports.some(
    ({name, original}, index) => name === from && original === to && before.exports[index]?.original === from,
  );
  if (isLeft) return `${path} still exports it as ${from}`;
  if (doubles(after, to) > doubles(before, to) && doubles(before, from) === 0) return `${path} already has the name ${to} there`;
  return undefined;
}

/** `[Kind.A]`: the words in it are uses, which are compared for themselves. */
function isComputedSame(a: string, b: string, {from, to}: {readonly from: string; readonly to: string}): boolean {
  return a.startsWith('[') && a.replaceAll(/[\p{ID_Continue}$]+/gu, (word) => (word === from ? to : word)) === b;
}

/** Where capitals alone tell a constant, another name makes it a variable. */
function sameKind(a: SymbolFact, b: SymbolFact): boolean {
  return a.kind === b.kind || (a.name !== b.name && [a, b].every(({kind}) => kind === 'constant' || kind === 'variable'));
}

function sameList<Item>(before: readonly Item[], after: readonly Item[], same: (a: Item, b: Item) => boolean): boolean {
  return (
    before.length === after.length &&
    before.every((item, index) => {
      const other = after[index];
      return other !== undefined && same(item, other);
    })
  );
}

/** How often a name is declared a second time in the same place; what is imported counts as declared at the top. */
function doubles({symbols, imports}: FileFacts, name: string): number {
  const places = [
    // Methods that stand outside of their types meet only those of the same one.
    ...symbols.filter((symbol) => symbol.name === name).map(({parent, owner = ''}) => `${parent} ${owner}`),
    ...imports.filter(({local}) => local === name).map(() => '-1 '),
  ];
  return places.length - new Set(places).size;
}
