import {nameText} from './declare.ts';
import type {Draft} from './draft.ts';
import {childIn, childrenOf, endOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/** What a condition says: of a member that tells alternatives apart, in steps; which function has found it to be something; of which class it is. */
export type Narrowed = {readonly tag: string} | {readonly guard: number} | {readonly type: number};

/**
 * What the conditions around a name, or a chain of names, say of its type: `?kind='circle'` in `if (shape.kind === 'circle') shape.radius` and in
 * a `case`, a guard in `isCircle(shape) && shape.radius`, a class behind `instanceof`; undefined where they say nothing.
 */
export function narrowedBy({syntax}: Draft, node: number): Narrowed | undefined {
  if (!CHAINS.has(typeOf(syntax, node)) || endOf(syntax, node) - startOf(syntax, node) > LONGEST) return undefined;
  const name = textOf(syntax, node);
  let at = node;
  for (let up = 0; up < FARTHEST; up++) {
    const parent = parentOf(syntax, at);
    if (parent < 0) return undefined;
    const found = inPlace(syntax, {name, at, parent});
    if (found !== undefined) return found;
    at = parent;
  }
  return undefined;
}

const CHAINS: ReadonlySet<string> = new Set(['identifier', 'member_expression']);
const LONGEST = 80;

/** The members of an object that tell the alternatives of its type apart: `?kind='circle'` of `{kind: 'circle', radius: 1}`. */
export function tagsOf({syntax}: Draft, object: number): string {
  for (const pair of childrenOf(syntax, object)) {
    const value = typeOf(syntax, pair) === 'pair' ? childIn(syntax, pair, 'value') : -1;
    const said = value < 0 ? '' : tag(syntax, childIn(syntax, pair, 'key'), value);
    if (said !== '') return said;
  }
  return '';
}

/** The words of a type that is one text, `'circle'`, or one member of an enumeration; undefined for others. */
export function tagWords(syntax: Syntax, type: number): string | undefined {
  const [inner = -1] = childrenOf(syntax, type);
  if (typeOf(syntax, inner) !== 'literal_type') return undefined;
  return literal(syntax, childrenOf(syntax, inner)[0] ?? -1);
}

/** Conditions further out are not looked for. */
const FARTHEST = 24;

interface Climb {
  readonly name: string;
  readonly at: number;
  readonly parent: number;
}

function inPlace(syntax: Syntax, {name, at, parent}: Climb): Narrowed | undefined {
  switch (typeOf(syntax, parent)) {
    case 'switch_case':
      return at === childIn(syntax, parent, 'value') ? undefined : inCase(syntax, parent, name);
    case 'if_statement':
    case 'ternary_expression':
      return at === childIn(syntax, parent, 'consequence') ? inCondition(syntax, childIn(syntax, parent, 'condition'), name) : undefined;
    case 'binary_expression':
      return at === childIn(syntax, parent, 'right') && operator(syntax, parent) === '&&'
        ? inCondition(syntax, childIn(syntax, parent, 'left'), name)
        : undefined;
    default:
      return undefined;
  }
}

/** Of several cases before one block the last: what the others say is declared as well. */
function inCase(syntax: Syntax, node: number, name: string): Narrowed | undefined {
  const [subject = -1] = childrenOf(syntax, childIn(syntax, parentOf(syntax, parentOf(syntax, node)), 'value'));
  return memberTag(syntax, {subject, value: childIn(syntax, node, 'value'), name});
}

function inCondition(syntax: Syntax, node: number, name: string): Narrowed | undefined {
  if (typeOf(syntax, node) === 'parenthesized_expression') return inCondition(syntax, childrenOf(syntax, node)[0] ?? -1, name);
  if (typeOf(syntax, node) === 'call_expression') return inCall(syntax, node, name);
  if (typeOf(syntax, node) !== 'binary_expression') return undefined;
  const [subject, value] = [childIn(syntax, node, 'left'), childIn(syntax, node, 'right')];
  const sign = operator(syntax, node);
  if (sign === '&&') return inCondition(syntax, subject, name) ?? inCondition(syntax, value, name);
  if (sign === 'instanceof') return textOf(syntax, subject) === name ? {type: value} : undefined;
  return sign === '===' || sign === '==' ? memberTag(syntax, {subject, value, name}) : undefined;
}

/** `isCircle(shape)`. */
function inCall(syntax: Syntax, node: number, name: string): Narrowed | undefined {
  const [first = -1] = childrenOf(syntax, childIn(syntax, node, 'arguments'));
  return first >= 0 && textOf(syntax, first) === name ? {guard: childIn(syntax, node, 'function')} : undefined;
}

function memberTag(
  syntax: Syntax,
  {subject, value, name}: {readonly subject: number; readonly value: number; readonly name: string},
): Narrowed | undefined {
  if (subject < 0 || typeOf(syntax, subject) !== 'member_expression') return undefined;
  if (textOf(syntax, childIn(syntax, subject, 'object')) !== name) return undefined;
  const said = tag(syntax, childIn(syntax, subject, 'property'), value);
  return said === '' ? undefined : {tag: said};
}

function tag(syntax: Syntax, key: number, value: number): string {
  const said = literal(syntax, value);
  return said === undefined || !/^[\w$]+$/u.test(nameText(syntax, key)) ? '' : `?${nameText(syntax, key)}=${said}`;
}

function literal(syntax: Syntax, node: number): string | undefined {
  if (node < 0 || typeOf(syntax, node) !== 'string') return undefined;
  const text = nameText(syntax, node);
  return /^[\w$./: -]{1,60}$/u.test(text) ? `'${text}'` : undefined;
}

function operator(syntax: Syntax, node: number): string {
  const [left, right] = [childIn(syntax, node, 'left'), childIn(syntax, node, 'right')];
  return syntax.text.slice(endOf(syntax, left), startOf(syntax, right)).trim();
}
