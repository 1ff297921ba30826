import type {Draft} from './draft.ts';
import {plainOr} from './join-words.ts';
import {childIn, childrenOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

interface Written {
  readonly result: string | undefined;
  /** Longer words say only what it gives. */
  readonly longest: number;
  ofType(node: number): string | undefined;
}

/** `(A,?):R`, `(A,...B[]):R` of a function, a method or the type of one; undefined where it says nothing. */
export function writtenFunction({syntax}: Draft, node: number, {result = '?', longest, ofType}: Written): string | undefined {
  const given = childrenOf(syntax, childIn(syntax, node, 'parameters')).flatMap((parameter) => {
    const words = plainOr(ofType(childIn(syntax, parameter, 'type')));
    const isList = words !== '?' && typeOf(syntax, childIn(syntax, parameter, 'pattern')) === 'rest_pattern';
    return isThisParameter(syntax, parameter) ? [] : [isList ? `...${words}` : words];
  });
  while (given.at(-1) === '?') given.pop();
  const words = `(${given.join(',')}):${result}`;
  if (words.length > longest) return `():${result}`;
  return words === '():?' ? undefined : words;
}

export function isThisParameter(syntax: Syntax, node: number): boolean {
  return node >= 0 && typeOf(syntax, childIn(syntax, node, 'pattern')) === 'this';
}
