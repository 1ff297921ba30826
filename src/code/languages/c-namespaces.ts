import {declareName} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {childIn, childrenOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';

/** `namespace a::b {…}` declares `a`, and `b` in it, each over the whole text. */
export function namespaces(draft: Draft, node: number): void {
  let scope = draft.scope;
  const bodyNode = childIn(draft.syntax, node, 'body');
  for (const nameNode of namesOf(draft.syntax, childIn(draft.syntax, node, 'name'))) {
    const owner = declareName(draft, {kind: 'namespace', nameNode, node, bodyNode, scope});
    // The scope that the walk opens next belongs to the last one.
    if (owner >= 0) draft.symbolOf.set(node, owner);
    scope = draft.scopes.push({kind: 'namespace', parent: scope, node: nameNode, owner, inner: false, names: new Map()}) - 1;
  }
}

function namesOf(syntax: Syntax, name: number): number[] {
  if (name < 0) return [];
  return typeOf(syntax, name) === 'nested_namespace_specifier' ? childrenOf(syntax, name).flatMap((part) => namesOf(syntax, part)) : [name];
}
