import {childIn, childOf, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {Find} from './language.ts';

/** The first child of one of these types. */
export function child(...types: readonly string[]): Find {
  return (syntax, node) => childOf(syntax, node, ...types);
}

/** What a node's parent has in a field. */
export function parentField(field: string): Find {
  return (syntax, node) => childIn(syntax, parentOf(syntax, node), field);
}

export function none(): number {
  return -1;
}

export function lastChild(syntax: Syntax, node: number): number {
  return childrenOf(syntax, node).at(-1) ?? -1;
}

/** The child before this one in the same parent; -1 for none. */
export function before(syntax: Syntax, node: number): number {
  const children = childrenOf(syntax, parentOf(syntax, node));
  return children[children.indexOf(node) - 1] ?? -1;
}

/** Whether a child of this type stands in the node: `modifier`; with one of these words: `modifier:private|fileprivate`. */
export function has(syntax: Syntax, node: number, wanted: string): boolean {
  const [type, words] = wanted.split(':');
  const word = new RegExp(words === undefined ? '' : `\\b(?:${words})\\b`, 'u');
  return childrenOf(syntax, node).some((at) => typeOf(syntax, at) === type && word.test(textOf(syntax, at)));
}

/** The types of the ancestors that are not of these types: the first one. */
export function around(syntax: Syntax, node: number, through: readonly string[]): string {
  let at = parentOf(syntax, node);
  while (at >= 0 && through.includes(typeOf(syntax, at))) at = parentOf(syntax, at);
  return at < 0 ? '' : typeOf(syntax, at);
}
