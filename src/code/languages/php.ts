import {declareImport, declareName, declarePattern, markHandled, nameText, sourceOf} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {nearestScope} from '../extract/scopes.ts';
import {noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, textOf, typeOf} from '../extract/syntax.ts';
import type {DeclareRule, Language} from './language.ts';
import {before, child, has, lastChild} from './shapes.ts';

const METHOD: DeclareRule = {kind: 'method'};
const PARAMETER: DeclareRule = {kind: 'local'};

export const php: Language = {
  name: 'php',
  grammar: 'php',
  extensions: ['.php', '.phtml', '.inc'],
  declares: {
    namespace_definition: {kind: 'module'},
    class_declaration: {kind: 'class'},
    interface_declaration: {kind: 'interface'},
    trait_declaration: {kind: 'trait'},
    enum_declaration: {kind: 'enum'},
    enum_case: {kind: 'enum_member'},
    function_definition: {kind: 'function'},
    method_declaration: METHOD,
    const_element: {kind: 'constant', name: child('name'), value: lastChild},
    simple_parameter: PARAMETER,
    variadic_parameter: PARAMETER,
    catch_clause: {kind: 'local'},
  },
  scopes: {
    class_declaration: 'type',
    interface_declaration: 'type',
    trait_declaration: 'type',
    enum_declaration: 'type',
    anonymous_class: 'type',
    function_definition: 'function',
    method_declaration: 'function',
    anonymous_function: 'function',
    arrow_function: 'lambda',
  },
  names: {name: {use: 'reference', space: 'both'}, variable_name: {use: 'reference', space: 'both'}},
  places: {
    'variable_name.': 'skip',
    'function_call_expression.function': 'call',
    'member_call_expression.name': {of: 'object', use: 'call'},
    'nullsafe_member_call_expression.name': {of: 'object', use: 'call'},
    'scoped_call_expression.name': {of: 'scope', use: 'call'},
    'member_access_expression.name': {of: 'object'},
    'nullsafe_member_access_expression.name': {of: 'object'},
    'class_constant_access_expression.': {of: before},
    'scoped_property_access_expression.name': {of: 'scope'},
    'object_creation_expression.': 'call',
    'base_clause.': 'extends',
    'class_interface_clause.': 'implements',
    'use_declaration.': 'extends',
    'named_type.': 'uses_type',
    'type_list.': 'uses_type',
    'qualified_name.': {of: 'prefix'},
    'namespace_name.': 'skip',
    'argument.name': 'skip',
    'attribute.': 'reference',
  },
  expressions: {
    name: {is: 'name'},
    namespace_name: {is: 'name'},
    qualified_name: {is: 'name'},
    variable_name: {is: 'name'},
    relative_scope: {is: 'this'},
    member_access_expression: {is: 'member', of: 'object', name: 'name'},
    nullsafe_member_access_expression: {is: 'member', of: 'object', name: 'name'},
    scoped_property_access_expression: {is: 'member', of: 'scope', name: 'name'},
    class_constant_access_expression: {is: 'member', of: '', name: lastChild},
    function_call_expression: {is: 'call', callee: 'function'},
    member_call_expression: {is: 'call', callee: 'name', of: 'object'},
    nullsafe_member_call_expression: {is: 'call', callee: 'name', of: 'object'},
    scoped_call_expression: {is: 'call', callee: 'name', of: 'scope'},
    object_creation_expression: {is: 'new', type: ''},
    subscript_expression: {is: 'index', of: ''},
    parenthesized_expression: {is: 'pass'},
    clone_expression: {is: 'pass'},
  },
  types: {
    name: {is: 'name'},
    qualified_name: {is: 'name'},
    named_type: {is: 'pass'},
    optional_type: {is: 'pass'},
    primitive_type: {is: 'name'},
    union_type: {is: 'either', by: '|'},
    type_list: {is: 'either', by: '|'},
  },
  patterns: {variable_name: {is: 'leaf'}, list_literal: {is: 'element'}, pair: {is: 'rest'}, by_ref: {is: 'through'}},
  self: ['$this'],
  // Static members are written with their `$`, declared without.
  memberName: (written) => written.replace(/^\$/u, ''),
  selfTypes: ['self', 'static'],
  comments: ['comment'],
  wrappers: ['const_declaration', 'property_declaration'],
  decorations: ['attribute_list'],
  exported: (syntax, node) =>
    !has(syntax, node, 'visibility_modifier:private') && !has(syntax, syntax.parent[node] ?? -1, 'visibility_modifier:private'),
  special: {
    namespace_use_declaration: useDeclaration,
    property_element: property,
    property_promotion_parameter: promotion,
    assignment_expression: assignment,
    foreach_statement: loop,
    require_once_expression: required,
    require_expression: required,
    include_expression: required,
    include_once_expression: required,
    function_call_expression: defined,
    return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

/** `use A\B`, `use A\{B, C as D}`, `use function A\b`. */
function useDeclaration(draft: Draft, node: number): void {
  const {syntax} = draft;
  const group = childIn(syntax, node, 'body');
  const prefix = group < 0 ? '' : textOf(syntax, childOf(syntax, node, 'namespace_name'));
  markHandled(draft, node);
  for (const clause of childrenOf(syntax, group < 0 ? node : group)) {
    if (typeOf(syntax, clause) !== 'namespace_use_clause') continue;
    const path = childrenOf(syntax, clause)[0] ?? -1;
    const alias = childIn(syntax, clause, 'alias');
    const last = typeOf(syntax, path) === 'qualified_name' ? (childrenOf(syntax, path).at(-1) ?? path) : path;
    const original = textOf(syntax, last);
    const text = textOf(syntax, path);
    const before = text.slice(0, Math.max(0, text.length - original.length - 1)).replace(/^\\/u, '');
    const module = [prefix, before].filter((part) => part !== '').join('\\');
    declareImport(draft, {
      node: last,
      ...(alias < 0 ? {} : {localNode: alias}),
      local: alias < 0 ? original : textOf(syntax, alias),
      original,
      module,
    });
  }
}

/** Members are named without their `$`: that is how they are used. */
function property(draft: Draft, node: number): void {
  const {syntax} = draft;
  const nameNode = childOf(syntax, childIn(syntax, node, 'name'), 'name');
  const type = childIn(syntax, syntax.parent[node] ?? -1, 'type');
  if (nameNode < 0) return;
  markHandled(draft, childIn(syntax, node, 'name'));
  declareName(draft, {kind: 'property', nameNode, node, source: sourceOf(draft, type, childIn(syntax, node, 'default_value'))});
}

function promotion(draft: Draft, node: number): void {
  const {syntax} = draft;
  const variable = childIn(syntax, node, 'name');
  const nameNode = childOf(syntax, variable, 'name');
  if (nameNode < 0) return;
  const source = sourceOf(draft, childIn(syntax, node, 'type'), -1);
  declareName(draft, {kind: 'property', nameNode, node, source, scope: draft.scopes[draft.scope]?.parent ?? 0});
  declareName(draft, {kind: 'local', nameNode: variable, node, source});
}

/** The first assignment in a function declares a local name; at the top it is one of the file. */
function assignment(draft: Draft, node: number): void {
  const {syntax} = draft;
  const left = childIn(syntax, node, 'left');
  const value = childIn(syntax, node, 'right');
  if (typeOf(syntax, left) === 'member_access_expression') learnType(draft, left, value);
  else assign(draft, left, {node, value, steps: ''});
}

/** A property that is declared without a type has that of the first value it is given. */
function learnType(draft: Draft, left: number, value: number): void {
  const {syntax} = draft;
  if (textOf(syntax, childIn(syntax, left, 'object')) !== '$this') return;
  const home = draft.scopes[nearestScope(draft, 'type')];
  const known = home?.names.get(textOf(syntax, childIn(syntax, left, 'name')))?.[0];
  const index = draft.bindings[known ?? -1]?.symbol ?? -1;
  const symbol = draft.symbols[index];
  if (symbol?.kind !== 'property' || symbol.source.type >= 0 || symbol.source.value >= 0) return;
  draft.symbols[index] = {...symbol, source: sourceOf(draft, -1, value)};
}

function assign(
  draft: Draft,
  left: number,
  {node, value, steps}: {readonly node: number; readonly value: number; readonly steps: string},
): void {
  const {syntax} = draft;
  const scope = draft.scopes[draft.scope];
  if (left < 0 || (typeOf(syntax, left) === 'variable_name' && scope?.names.has(textOf(syntax, left)) === true)) return;
  const kind = scope?.inner === true ? 'local' : 'variable';
  declarePattern(draft, left, {kind, node, source: {...sourceOf(draft, -1, value), steps}});
}

function loop(draft: Draft, node: number): void {
  const [list, target] = childrenOf(draft.syntax, node);
  const leaves = typeOf(draft.syntax, target ?? -1) === 'pair' ? childrenOf(draft.syntax, target ?? -1) : [target ?? -1];
  for (const leaf of leaves) assign(draft, leaf, {node, value: leaf === leaves.at(-1) ? (list ?? -1) : -1, steps: '[]'});
}

/** The last string of the path: what stands before it is the folder of the file in almost every case. */
function required(draft: Draft, node: number): void {
  const {syntax} = draft;
  const path = /['"]([^'"]+)['"]\)?$/u.exec(textOf(syntax, node))?.[1];
  if (path !== undefined) draft.imports.push({node, local: '*', original: '*', module: `./${path.replace(/^(?:\.?\/)+/u, '')}`});
}

function defined(draft: Draft, node: number): void {
  const {syntax} = draft;
  if (textOf(syntax, childIn(syntax, node, 'function')) !== 'define') return;
  const first = childrenOf(syntax, childrenOf(syntax, childIn(syntax, node, 'arguments'))[0] ?? -1)[0] ?? -1;
  if (first >= 0) declareName(draft, {kind: 'constant', name: nameText(syntax, first), nameNode: first, node, scope: 0});
}
