import {nameText} from './declare.ts';
import type {Draft} from './draft.ts';
import {childIn, childrenOf, endOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/**
 * What the conditions around a name say of a member that tells the alternatives of its type apart: `?kind='circle'` in
 * `if (shape.kind === 'circle') shape.radius` and in a `case`; '' where they say nothing.
 */
export function narrowedBy({syntax}: Draft, node: number): string {
  if (typeOf(syntax, node) !== 'identifier') return '';
  const name = textOf(syntax, node);
  let at = node;
  for (let up = 0; up < FARTHEST; up++) {
    const parent = parentOf(syntax, at);
    if (parent < 0) return '';
    const found = inPlace(syntax, {name, at, parent});
    if (found !== '') return found;
    at = parent;
  }
  return '';
}

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
const FARTHEST = 14;

interface Climb {
  readonly name: string;
  readonly at: number;
  readonly parent: number;
}

function inPlace(syntax: Syntax, {name, at, parent}: Climb): string {
  switch (typeOf(syntax, parent)) {
    case 'switch_case':
      return at === childIn(syntax, parent, 'value') ? '' : inCase(syntax, parent, name);
    case 'if_statement':
    case 'ternary_expression':
      return at === childIn(syntax, parent, 'consequence') ? inCondition(syntax, childIn(syntax, parent, 'condition'), name) : '';
    case 'binary_expression':
      return at === childIn(syntax, parent, 'right') && operator(syntax, parent) === '&&'
        ? inCondition(syntax, childIn(syntax, parent, 'left'), name)
        : '';
    default:
      return '';
  }
}

/** Two cases before one block leave both open. */
function inCase(syntax: Syntax, node: number, name: string): string {
  const body = parentOf(syntax, node);
  const cases = childrenOf(syntax, body);
  const before = cases[cases.indexOf(node) - 1];
  if (before !== undefined && typeOf(syntax, before) === 'switch_case' && childrenOf(syntax, before).length < 2) return '';
  const [subject = -1] = childrenOf(syntax, childIn(syntax, parentOf(syntax, body), 'value'));
  return memberTag(syntax, {subject, value: childIn(syntax, node, 'value'), name});
}

function inCondition(syntax: Syntax, node: number, name: string): string {
  if (typeOf(syntax, node) === 'parenthesized_expression') return inCondition(syntax, childrenOf(syntax, node)[0] ?? -1, name);
  if (typeOf(syntax, node) !== 'binary_expression') return '';
  const [subject, value] = [childIn(syntax, node, 'left'), childIn(syntax, node, 'right')];
  const sign = operator(syntax, node);
  if (sign === '&&') return inCondition(syntax, subject, name) || inCondition(syntax, value, name);
  return sign === '===' || sign === '==' ? memberTag(syntax, {subject, value, name}) : '';
}

function memberTag(
  syntax: Syntax,
  {subject, value, name}: {readonly subject: number; readonly value: number; readonly name: string},
): string {
  if (subject < 0 || typeOf(syntax, subject) !== 'member_expression') return '';
  if (textOf(syntax, childIn(syntax, subject, 'object')) !== name) return '';
  return tag(syntax, childIn(syntax, subject, 'property'), value);
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
