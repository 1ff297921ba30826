import {isQuietName, QUIET} from '../quiet-name.ts';
import type {Draft} from './draft.ts';
import {NO_SOURCE} from './draft.ts';
import {qualified} from './lookup.ts';
import {childrenOf, typeOf} from './syntax.ts';

/**
 * The symbol of a type of objects without a name of its own, in a symbol: `{a: string}` in `function f(given: {a: string})` is `f.#1`. Others
 * can so name its members; outlines and searches leave it out. -1 for other nodes.
 */
export function quietType(draft: Draft, node: number, parent: number): number {
  const {syntax, symbols} = draft;
  const around = symbols[parent];
  if (around === undefined || typeOf(syntax, node) !== 'object_type') return -1;
  if (!childrenOf(syntax, node).some((child) => MEMBERS.has(typeOf(syntax, child)))) return -1;
  // Overloads have one name and share the numbers.
  const path = qualified(draft, parent);
  const number = (draft.quiet.get(path) ?? 0) + 1;
  draft.quiet.set(path, number);
  const name = `${QUIET}${number}`;
  return (
    symbols.push({
      name,
      kind: 'type',
      parent,
      node,
      outer: node,
      nameNode: node,
      bodyNode: -1,
      source: NO_SOURCE,
      exported: around.exported,
    }) - 1
  );
}

/** The words for such a type; undefined for a type of objects that is named by what is declared with it. */
export function quietWords(draft: Draft, node: number): string | undefined {
  const owner = draft.scopes[draft.scopeOf.get(node) ?? -1]?.owner ?? -1;
  return isQuietName(draft.symbols[owner]?.name ?? '') && draft.symbols[owner]?.node === node ? qualified(draft, owner) : undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(['property_signature', 'method_signature']);
