import {functionAround} from './context.ts';
import type {Draft} from './draft.ts';
import {isFree, isFreeCall, isFreeResult} from './free-words.ts';
import {childIn, childrenOf, fieldOf, parentOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/**
 * Whether the keys of an object declare its members themselves: nothing asks for a type where it stands, or for one that has any key. False
 * where a type is asked for that may declare them elsewhere, and for patterns, whose keys mean members of what they are matched with.
 */
export function declaresItself(draft: Draft, object: number, words: string | undefined): boolean {
  if (typeOf(draft.syntax, object) !== 'object') return false;
  return (words !== undefined && isFree(words)) || asksNothing(draft, object, 0);
}

/** No honest object is deeper. */
const DEEPEST = 24;

function asksNothing(draft: Draft, node: number, depth: number): boolean {
  const {syntax, language} = draft;
  const parent = parentOf(syntax, node);
  if (depth > DEEPEST) return false;
  switch (language.contexts?.[`${typeOf(syntax, parent)}.${fieldOf(syntax, node)}`]) {
    case 'declared':
      return isFreeType(syntax, childIn(syntax, parent, 'type'));
    case 'cast':
      return castsFreely(draft, node, depth + 1);
    case 'returned':
      return returnsAnything(draft, functionAround(syntax, node), depth + 1);
    case 'key':
      return asksNothing(draft, parentOf(syntax, parent), depth + 1);
    case 'method':
    case 'element':
    case 'same':
      return asksNothing(draft, parent, depth + 1);
    case 'argument':
      return isFreeCall(calleeOf(syntax, node));
    case 'beside':
      return false;
    default:
      return true;
  }
}

/** `as const` leaves what is asked for as it is. */
function castsFreely(draft: Draft, node: number, depth: number): boolean {
  const parent = parentOf(draft.syntax, node);
  const type = childrenOf(draft.syntax, parent).at(-1) ?? -1;
  return type === node ? asksNothing(draft, parent, depth) : isFreeType(draft.syntax, type);
}

function returnsAnything(draft: Draft, node: number, depth: number): boolean {
  const {syntax, language} = draft;
  const declared = node < 0 ? -1 : childIn(syntax, node, 'return_type');
  if (node < 0 || declared >= 0) return isFreeType(syntax, declared);
  const parent = parentOf(syntax, node);
  const rule = language.contexts?.[`${typeOf(syntax, parent)}.${fieldOf(syntax, node)}`];
  return rule === 'argument' ? isFreeResult(calleeOf(syntax, node)) : asksNothing(draft, node, depth);
}

/** What is called with an argument, without blanks and what it is given itself. */
function calleeOf(syntax: Syntax, argument: number): string {
  const call = parentOf(syntax, parentOf(syntax, argument));
  const callee = childIn(syntax, call, 'function');
  return callee < 0 ? '' : textOf(syntax, callee).slice(-200).replaceAll(/\s/gu, '');
}

/** No type at all, one that says nothing, or one whose keys are not named. */
function isFreeType(syntax: Syntax, type: number): boolean {
  if (type < 0) return true;
  const inner = typeOf(syntax, type) === 'type_annotation' ? (childrenOf(syntax, type)[0] ?? type) : type;
  if (typeOf(syntax, inner) === 'object_type')
    return childrenOf(syntax, inner).every((child) => typeOf(syntax, child) === 'index_signature');
  const words = textOf(syntax, inner).replaceAll(/\s/gu, '');
  return ANYTHING.has(words) || isFree(words);
}

const ANYTHING: ReadonlySet<string> = new Set(['any', 'unknown', 'object', '{}']);
