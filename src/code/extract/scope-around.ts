import type {Draft} from './draft.ts';
import {parentOf} from './syntax.ts';

/** The innermost scope that a node stands in. */
export function scopeAround(draft: Draft, node: number): number {
  for (let at = parentOf(draft.syntax, node); at >= 0; at = parentOf(draft.syntax, at)) {
    const scope = draft.scopeOf.get(at);
    if (scope !== undefined) return scope;
  }
  return 0;
}

/** The type that a method belongs to which stands outside of it. */
export function outerOwner(draft: Draft, scope: number): string | undefined {
  for (let at = scope; at >= 0; at = draft.scopes[at]?.parent ?? -1) {
    const owner = draft.symbols[draft.symbolOf.get(draft.scopes[at]?.node ?? -1) ?? -1]?.owner;
    if (owner !== undefined) return owner.replaceAll('::', '.');
  }
  return undefined;
}
