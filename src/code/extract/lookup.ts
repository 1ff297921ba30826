import type {Binding, Draft, DraftScope} from './draft.ts';
import {childIn, startOf} from './syntax.ts';

/** What a bare name is looked up as. */
export interface NameQuery {
  readonly name: string;
  /** The scope that it stands in. */
  readonly scope: number;
  /** Bits of `SPACE`. */
  readonly space: number;
  /** Its offset: in languages where a declaration hides an earlier one. */
  readonly at: number;
}

/** The binding that a bare name means, from the inside to the outside; undefined where no scope of the text has it. */
export function lookup(draft: Draft, {name, scope, space, at}: NameQuery): Binding | undefined {
  const {membersInScope, membersInBody} = draft.language;
  let isInBody = membersInBody === true;
  for (let home = draft.scopes[scope]; home !== undefined; home = draft.scopes[home.parent]) {
    const isType = home.kind === 'type' || home.kind === 'literal';
    const numbers = home.names.get(name);
    const members = !isType || membersInScope === true || isInBody;
    const found = numbers === undefined ? undefined : choose({draft, space, at, members}, numbers);
    if (found !== undefined) return found;
    isInBody = isInBody && !isType && isBefore(draft, home, at);
  }
  return undefined;
}

/** What stands in the head of a function (defaults, types) is read where the function stands. */
function isBefore({syntax}: Draft, {node}: DraftScope, at: number): boolean {
  const body = childIn(syntax, node, 'body');
  return body >= 0 && at < startOf(syntax, body);
}

interface Choice {
  readonly draft: Draft;
  readonly space: number;
  readonly at: number;
  /** Whether members count: what a class declares is seen without `this` in some languages only. */
  readonly members: boolean;
}

function choose({draft, space, at, members}: Choice, numbers: readonly number[]): Binding | undefined {
  let found: Binding | undefined;
  for (const number of numbers) {
    const binding = draft.bindings[number];
    if (binding === undefined || (!members && binding.symbol >= 0) || (binding.space & space) === 0) continue;
    if (found === undefined) found = binding;
    else if (draft.language.sequential === true && binding.symbol < 0 && (draft.syntax.start[binding.node] ?? 0) <= at) found = binding;
    if (draft.language.sequential !== true) return found;
  }
  return found;
}

/** The class whose `this` is meant in a scope: its symbol, -1 for none. */
export function classAround(draft: Draft, scope: number): number {
  for (let at = scope; at >= 0;) {
    const home = draft.scopes[at];
    if (home === undefined) return -1;
    if (home.kind === 'type' || home.kind === 'literal') return home.owner;
    const parent = draft.scopes[home.parent];
    if (home.kind === 'function' && parent?.kind !== 'type' && parent?.kind !== 'literal') {
      // A plain function has a `this` of its own, except where languages have none.
      if (draft.language.membersInScope !== true && draft.language.self === undefined) return -1;
    }
    at = home.parent;
  }
  return -1;
}

/** The name with those of what it is in: `Server.Options`. */
export function qualified(draft: Draft, symbol: number): string {
  const names: string[] = [];
  for (let at = symbol; at >= 0; at = draft.symbols[at]?.parent ?? -1) names.unshift(draft.symbols[at]?.name ?? '');
  return names.join('.');
}
