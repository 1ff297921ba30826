import {SPACE} from '../languages/language.ts';
import {nameText} from './declare.ts';
import type {Draft, TypeSource} from './draft.ts';
import {functionAround} from './context.ts';
import {lookup} from './lookup.ts';
import {pick} from './pick.ts';
import {childIn, childrenOf, fieldOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import {scopeAround} from './scope-around.ts';

/**
 * The node that names a member of a literal without a name of its own: `x` in `const point = {x: 1}` within a function, or in the type of a
 * parameter. -1 where the expression has no such literal, or that no such member.
 */
export function literalMember(draft: Draft, of: number, name: string): number {
  for (const literal of literalsOf(draft, of, 0)) {
    const member = memberOf(draft, literal, name);
    if (member >= 0) return keyOf(draft, member);
  }
  return -1;
}

/** The member of the type without a name of its own that the key of an object means: `unit` in `const a: {unit: string} = {unit: 'kg'}`. */
export function literalKey(draft: Draft, key: number): number {
  const {syntax} = draft;
  const parent = parentOf(syntax, key);
  const object = HOLDERS.has(typeOf(syntax, parent)) ? parent : parentOf(syntax, parent);
  const matched = draft.matched.get(object);
  for (const literal of matched === undefined ? contextLiterals(draft, object, 0) : sourceLiterals(draft, matched, 0)) {
    const member = memberOf(draft, literal, nameText(syntax, key));
    if (member >= 0) return keyOf(draft, member);
  }
  return -1;
}

const HOLDERS: ReadonlySet<string> = new Set(['object', 'object_pattern']);

/** The types of objects that the place of an expression asks for. */
function contextLiterals(draft: Draft, node: number, depth: number): readonly number[] {
  const {syntax, language} = draft;
  const parent = parentOf(syntax, node);
  if (parent < 0 || depth > DEEPEST) return [];
  switch (language.contexts?.[`${typeOf(syntax, parent)}.${fieldOf(syntax, node)}`]) {
    case 'declared':
      return literalsOf(draft, childIn(syntax, parent, 'type'), depth + 1);
    case 'cast':
      return castLiterals(draft, node, depth);
    case 'key': {
      const name = nameText(syntax, childIn(syntax, parent, 'key'));
      return contextLiterals(draft, parentOf(syntax, parent), depth + 1).flatMap((literal) => valueIn(draft, literal, {name, depth}));
    }
    case 'argument':
      return literalsOf(draft, argumentType(draft, node), depth + 1);
    case 'returned':
      return literalsOf(draft, childIn(syntax, functionAround(syntax, node), 'return_type'), depth + 1);
    case 'element':
    case 'same':
      return contextLiterals(draft, parent, depth + 1);
    default:
      return [];
  }
}

/** `as const` asks for nothing itself. */
function castLiterals(draft: Draft, node: number, depth: number): readonly number[] {
  const parent = parentOf(draft.syntax, node);
  const type = childrenOf(draft.syntax, parent).at(-1) ?? -1;
  return type === node ? contextLiterals(draft, parent, depth + 1) : literalsOf(draft, type, depth + 1);
}

/** Of a list that is added to its own type, which is looked through as its elements; else that of the parameter. */
function argumentType(draft: Draft, node: number): number {
  const {syntax} = draft;
  const callee = childIn(syntax, parentOf(syntax, parentOf(syntax, node)), 'function');
  const isAdded = typeOf(syntax, callee) === 'member_expression' && textOf(syntax, childIn(syntax, callee, 'property')) === 'push';
  return isAdded ? childIn(syntax, callee, 'object') : parameterType(draft, node);
}

/** The type of the parameter that an argument is for, where the function that is called is declared in this text; -1 where it is not. */
function parameterType(draft: Draft, node: number): number {
  const {syntax, language} = draft;
  const list = parentOf(syntax, node);
  const callee = childIn(syntax, parentOf(syntax, list), 'function');
  if (typeOf(syntax, callee) !== 'identifier') return -1;
  const place = childrenOf(syntax, list)
    .filter((child) => !language.comments.includes(typeOf(syntax, child)))
    .indexOf(node);
  const query = {name: textOf(syntax, callee), scope: scopeAround(draft, callee), space: SPACE.value, at: startOf(syntax, callee)};
  const declaration = parentOf(syntax, lookup(draft, query)?.node ?? 0);
  const value = childIn(syntax, declaration, 'value');
  const parameters = childIn(syntax, value < 0 ? declaration : value, 'parameters');
  return childIn(syntax, childrenOf(syntax, parameters)[place] ?? -1, 'type');
}

/** No honest chain of literals is longer. */
const DEEPEST = 12;

/** The objects and types of objects that an expression or a type stands for, as far as the text itself says. */
function literalsOf(draft: Draft, node: number, depth: number): readonly number[] {
  const type = node < 0 || depth > DEEPEST ? '' : typeOf(draft.syntax, node);
  if (type === 'object' || type === 'object_type') return [node];
  if (type === 'generic_type') return genericLiterals(draft, node, depth);
  if (THROUGH.has(type)) return childrenOf(draft.syntax, node).flatMap((child) => literalsOf(draft, child, depth + 1));
  if (NAMES.has(type)) return namedLiterals(draft, node, depth);
  return expressionLiterals(draft, node, depth);
}

function expressionLiterals(draft: Draft, node: number, depth: number): readonly number[] {
  const rule = node < 0 || depth > DEEPEST ? undefined : draft.language.expressions[typeOf(draft.syntax, node)];
  if (rule?.is === 'member') {
    const name = nameText(draft.syntax, pick(draft.syntax, node, rule.name));
    return literalsOf(draft, pick(draft.syntax, node, rule.of), depth + 1).flatMap((literal) => valueIn(draft, literal, {name, depth}));
  }
  // Lists are looked through as their elements.
  if (rule?.is === 'index')
    return literalsOf(draft, pick(draft.syntax, node, rule.of), depth + 1).flatMap((literal) => elementIn(draft, literal, depth));
  // A function is declared with the type that it gives.
  if (rule?.is === 'call') return literalsOf(draft, pick(draft.syntax, node, rule.callee), depth + 1);
  if (rule?.is === 'either') return rule.fields.flatMap((field) => literalsOf(draft, childIn(draft.syntax, node, field), depth + 1));
  return [];
}

/** The type of all members of `Record<string, T>`; a list is looked through as its elements. */
function elementIn(draft: Draft, literal: number, depth: number): readonly number[] {
  if (typeOf(draft.syntax, literal) !== 'generic_type') return [literal];
  return literalsOf(draft, childrenOf(draft.syntax, childIn(draft.syntax, literal, 'type_arguments')).at(-1) ?? -1, depth + 1);
}

function genericLiterals(draft: Draft, node: number, depth: number): readonly number[] {
  const name = textOf(draft.syntax, childIn(draft.syntax, node, 'name'));
  if (name === 'Record') return [node];
  return SAME.has(name) ? elementIn(draft, node, depth) : [];
}

const SAME: ReadonlySet<string> = new Set(['Array', 'ReadonlyArray', 'Readonly', 'Partial', 'Required', 'Promise']);

const THROUGH: ReadonlySet<string> = new Set([
  'type_annotation',
  'parenthesized_type',
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'intersection_type',
  'union_type',
  'readonly_type',
  'array_type',
  'array',
]);
const NAMES: ReadonlySet<string> = new Set(['identifier', 'type_identifier', 'shorthand_property_identifier']);

function namedLiterals(draft: Draft, node: number, depth: number): readonly number[] {
  const space = typeOf(draft.syntax, node) === 'type_identifier' ? SPACE.type : SPACE.value;
  const query = {name: textOf(draft.syntax, node), scope: scopeAround(draft, node), space, at: startOf(draft.syntax, node)};
  const binding = lookup(draft, query);
  return binding === undefined ? [] : sourceLiterals(draft, binding.source, depth);
}

function sourceLiterals(draft: Draft, {type, value, steps}: TypeSource, depth: number): readonly number[] {
  const declared = literalsOf(draft, type, depth + 1);
  let found = declared.length > 0 ? declared : literalsOf(draft, value, depth + 1);
  for (const step of steps.match(/\.[^.[(!^]+|\[\]|[(!^].*/gu) ?? []) {
    if (step.startsWith('.')) found = found.flatMap((literal) => valueIn(draft, literal, {name: step.slice(1), depth}));
    else if (step !== '[]') return [];
  }
  return found;
}

interface Wanted {
  readonly name: string;
  readonly depth: number;
}

function valueIn(draft: Draft, literal: number, {name, depth}: Wanted): readonly number[] {
  if (typeOf(draft.syntax, literal) === 'generic_type') return elementIn(draft, literal, depth);
  const member = memberOf(draft, literal, name);
  if (member < 0) return [];
  const value = childIn(draft.syntax, member, 'value');
  return literalsOf(draft, value < 0 ? childIn(draft.syntax, member, 'type') : value, depth + 1);
}

function memberOf(draft: Draft, literal: number, name: string): number {
  if (typeOf(draft.syntax, literal) === 'generic_type') return -1;
  return childrenOf(draft.syntax, literal).find((child) => nameText(draft.syntax, keyOf(draft, child)) === name) ?? -1;
}

function keyOf({syntax}: Draft, member: number): number {
  const key = childIn(syntax, member, 'key');
  if (key >= 0) return key;
  const name = childIn(syntax, member, 'name');
  return name < 0 && typeOf(syntax, member) === 'shorthand_property_identifier' ? member : name;
}
