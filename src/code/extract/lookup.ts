import {SPACE} from '../languages/language.ts';
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
  const {membersInScope, membersInBody, headNames} = draft.language;
  let isInBody = membersInBody === true;
  let isInMethod = false;
  for (let home = draft.scopes[scope]; home !== undefined; home = draft.scopes[home.parent]) {
    const isType = home.kind === 'type' || home.kind === 'literal';
    const members = !isType || membersInScope === true || isInBody;
    const found = choose({draft, space, at, members}, home.names.get(name));
    if (found !== undefined && !(isInMethod && isHeadName(home, found))) return found;
    if (headNames === true && home.kind === 'function') isInMethod = true;
    isInBody = isInBody && !isType && isBefore(draft, home, at);
  }
  return undefined;
}

/** A parameter of a class, and no member of it or type. */
function isHeadName({kind}: DraftScope, {symbol, space}: Binding): boolean {
  return kind === 'type' && symbol < 0 && (space & SPACE.value) !== 0;
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

function choose({draft, space, at, members}: Choice, numbers: readonly number[] | undefined): Binding | undefined {
  if (numbers === undefined) return undefined;
  const sequential = draft.language.sequential === true;
  let found: Binding | undefined;
  for (const number of numbers) {
    const binding = draft.bindings[number];
    if (binding === undefined || (!members && binding.symbol >= 0) || (binding.space & space) === 0) continue;
    if (sequential && isLater(draft, binding, at)) continue;
    if (found === undefined) found = binding;
    else if (binding.symbol < 0) found = binding;
    if (!sequential) return found;
  }
  return found;
}

/** A local name that is declared behind the place is not known there. */
function isLater({syntax}: Draft, {symbol, import: from, node}: Binding, at: number): boolean {
  return symbol < 0 && from < 0 && startOf(syntax, node) > at;
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
