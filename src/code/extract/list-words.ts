import {nameText} from './declare.ts';
import type {Draft} from './draft.ts';
import {alternatives, arrayOf, further} from './join-words.ts';
import {childIn, childrenOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** A list is one of all its elements, in languages whose types have alternatives; in others of the first. */
export function listWords({syntax, language}: Draft, list: number, read: (element: number) => string | undefined): string | undefined {
  const elements = childrenOf(syntax, list).filter((child) => !language.comments.includes(typeOf(syntax, child)));
  if (language.contexts === undefined) return arrayOf(read(elements[0] ?? -1));
  const words = elements.slice(0, MOST_ELEMENTS).map((element) => {
    const isSpread = typeOf(syntax, element) === 'spread_element';
    return isSpread ? further(read(childrenOf(syntax, element)[0] ?? -1), '[]') : read(element);
  });
  const all = alternatives(words, '|');
  return all?.startsWith('typeof ') === true ? `(${all})[]` : arrayOf(all);
}

/** Long lists are of one kind. */
const MOST_ELEMENTS = 6;

/** `a['name']` is a member, any other index an element. */
export function indexStep({syntax, language}: Draft, node: number): string {
  const index = language.contexts === undefined ? -1 : childIn(syntax, node, 'index');
  const name = index >= 0 && typeOf(syntax, index) === 'string' ? nameText(syntax, index) : '';
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `.${name}` : '[]';
}

/** `'a'|'b'`: the names of members that a type is given. */
export function keyWords({syntax, language}: Pick<Draft, 'syntax' | 'language'>, type: number): string | undefined {
  if (language.contexts === undefined) return undefined;
  const parts = typeOf(syntax, type) === 'union_type' ? childrenOf(syntax, type) : [type];
  const names = parts.map((part) => (typeOf(syntax, part) === 'union_type' ? keyWords({syntax, language}, part) : keyWord(syntax, part)));
  return names.every((name) => name !== undefined) ? names.join('|') : undefined;
}

function keyWord(syntax: Syntax, type: number): string | undefined {
  const text = typeOf(syntax, type) === 'literal_type' ? nameText(syntax, type) : '';
  return /^[\w$]+$/u.test(text) && typeOf(syntax, childrenOf(syntax, type)[0] ?? -1) === 'string' ? `'${text}'` : undefined;
}
