import type {ScopeKind} from '../languages/language.ts';
import type {Draft, DraftScope} from './draft.ts';

/** The scope that the walk is in; the outermost one where there is none. */
export function scopeHere({scopes, scope}: Draft): DraftScope | undefined {
  return scopes[scope] ?? scopes[0];
}

/** Whether what is declared here is local to a function or block. */
export function isInner(draft: Draft): boolean {
  return scopeHere(draft)?.inner === true;
}

/** The number of the scope around the present one; the outermost one where there is none. */
export function outerScope(draft: Draft): number {
  return scopeHere(draft)?.parent ?? 0;
}

/** The number of the nearest scope of these kinds, from the present one outwards; -1 for none. */
export function nearestScope(draft: Draft, ...kinds: readonly ScopeKind[]): number {
  let at = draft.scope;
  for (let scope = draft.scopes[at]; scope !== undefined; scope = draft.scopes[at]) {
    if (kinds.includes(scope.kind)) return at;
    at = scope.parent;
  }
  return -1;
}

/** Whether a scope declares the name itself. */
export function declares(draft: Draft, scope: number, name: string): boolean {
  return draft.scopes[scope]?.names.has(name) === true;
}

/** Whether the present scope or one around it declares the name. */
export function isDeclared(draft: Draft, name: string): boolean {
  for (let at = draft.scope; at >= 0; at = draft.scopes[at]?.parent ?? -1) if (declares(draft, at, name)) return true;
  return false;
}

/** Makes a binding known under its name in another scope, too, unless something else has the name there. */
export function alsoIn(draft: Draft, scope: number, node: number): void {
  const number = (draft.marks[node] ?? 0) - 1;
  const binding = draft.bindings[number];
  const names = draft.scopes[scope]?.names;
  if (binding !== undefined && names?.has(binding.name) === false) names.set(binding.name, [number]);
}
