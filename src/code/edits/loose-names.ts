import type {FileFacts, SymbolFact} from '../file-facts.ts';
import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol, SymbolKind} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';

export interface MemberRename {
  readonly symbol: CodeSymbol;
  /** Where the index knows that it is meant, as `placeText` writes it. */
  readonly known: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/**
 * Places that may name a member though nothing says so: the key of an object that has the type without being told, a pattern that takes it
 * out, the label of an argument, a member of the same name where types are equal when their members are. Empty for what is no member.
 */
export async function looseNames({symbol, known, signal}: MemberRename, {graph, read}: EditSources): Promise<readonly string[]> {
  if (symbol.parentId === undefined) return [];
  const files = await graph.files(signal);
  const own = files.find(({path}) => path === symbol.path)?.language ?? '';
  const found: string[] = [];
  for (const {path, language} of files) {
    if (familyOf(language) !== familyOf(own)) continue;
    const text = await read(path, signal);
    if (!text.includes(symbol.name)) continue;
    const facts = await graph.factsOf(path, text, signal);
    const names = await graph.namesIn(path, {text, name: symbol.name}, signal);
    const places = [...names.map(({range}) => range), ...(facts === undefined ? [] : alikes(facts, symbol, STRUCTURAL.has(familyOf(own))))];
    for (const {start} of places) {
      const place = `${path}:${start.line + 1}:${start.character + 1}`;
      if (!known.has(place)) found.push(place);
    }
  }
  return [...new Set(found)];
}

/** Languages in which a type has what it needs without naming the other. */
const STRUCTURAL: ReadonlySet<string> = new Set(['typescript', 'go']);

/** Members of the same name of what may be the same type: what has no class of its own. */
function alikes({symbols}: FileFacts, {name, parentId}: CodeSymbol, isStructural: boolean): SymbolFact['nameRange'][] {
  if (!isStructural) return [];
  const mayBeAny = !parentId?.endsWith('#class');
  return symbols
    .filter((member) => {
      const around = symbols[member.parent]?.kind;
      return member.name === name && around !== undefined && (FREE.has(around) || (mayBeAny && around === 'class'));
    })
    .map(({nameRange}) => nameRange);
}

const FREE: ReadonlySet<SymbolKind> = new Set(['interface', 'type', 'constant', 'variable', 'function', 'method', 'property']);
