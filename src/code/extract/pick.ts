import type {Pick} from '../languages/language.ts';
import {childIn, childrenOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** The node that a table names: by a field, by a function, or the first child. */
export function pick(syntax: Syntax, node: number, how: Pick | undefined): number {
  if (typeof how === 'function') return how(syntax, node);
  return how === undefined || how === '' ? (childrenOf(syntax, node)[0] ?? -1) : childIn(syntax, node, how);
}
