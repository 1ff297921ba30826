import {declareImport, declareName, markHandled, sourceOf} from '../extract/declare.ts';
import {NO_SOURCE} from '../extract/draft.ts';
import type {Draft} from '../extract/draft.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, fieldOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclaredKind, Language} from './language.ts';
import {around, before, child, has, lastChild, none} from './shapes.ts';
import {mendSwift} from './swift-mend.ts';

const TYPES = ['user_type', 'optional_type', 'array_type', 'dictionary_type', 'tuple_type', 'function_type'] as const;

const BINARY = [
  'additive',
  'multiplicative',
  'comparison',
  'equality',
  'conjunction',
  'disjunction',
  'nil_coalescing',
  'range',
  'infix',
  'bitwise_operation',
].map((word) => (word.endsWith('operation') ? word : `${word}_expression`));

export const swift: Language = {
  name: 'swift',
  grammar: 'swift',
  extensions: ['.swift'],
  mend: mendSwift,
  membersInScope: true,
  sequential: true,
  selfTypes: ['Self'],
  declares: {
    class_declaration: {kind: classKind, name: typeName, type: none},
    protocol_declaration: {kind: 'interface', type: none},
    associatedtype_declaration: {kind: 'type', type: none},
    typealias_declaration: {kind: 'type', type: secondName},
    enum_entry: {kind: 'enum_member', type: none, many: true},
    function_declaration: {kind: functionKind, name: child('simple_identifier'), type: secondName},
    protocol_function_declaration: {kind: 'method', name: child('simple_identifier'), type: secondName},
    property_declaration: {kind: propertyKind, name: patternName, type: annotated, body: 'computed_value'},
    protocol_property_declaration: {kind: 'property', name: patternName, type: annotated, body: child('protocol_property_requirements')},
    parameter: {kind: 'local', type: secondName},
    type_parameter: {kind: 'local', name: child('type_identifier'), type: none, space: 'type'},
    for_statement: {
      kind: 'local',
      name: (syntax, node) => boundName(syntax, childIn(syntax, node, 'item')),
      value: 'collection',
      element: true,
    },
  },
  scopes: {
    class_declaration: 'type',
    protocol_declaration: 'type',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    init_declaration: 'function',
    deinit_declaration: 'function',
    subscript_declaration: 'function',
    computed_property: 'function',
    lambda_literal: 'lambda',
    for_statement: 'block',
    if_statement: 'block',
    while_statement: 'block',
    do_statement: 'block',
    catch_block: 'block',
    switch_entry: 'block',
  },
  names: {simple_identifier: {use: 'reference', space: 'both'}, type_identifier: {use: 'uses_type', space: 'both'}},
  places: {
    'call_expression.': 'call',
    'navigation_suffix.suffix': {of: (syntax, node) => lastOperand(syntax, before(syntax, parentOf(syntax, node))), up: 2},
    ...Object.fromEntries(
      ['rhs', 'if_nil', 'end'].flatMap((field) => BINARY.map((type) => [`${type}.${field}`, {when: isCalled, use: 'call'} as const])),
    ),
    'user_type.': 'climb',
    'inheritance_specifier.inherits_from': 'extends',
    'value_argument_label.': 'skip',
    'parameter.external_name': 'skip',
    'enum_type_parameters.': 'skip',
    'class_declaration.name': 'reference',
  },
  expressions: {
    simple_identifier: {is: 'name'},
    self_expression: {is: 'this'},
    super_expression: {is: 'super'},
    navigation_expression: {
      is: 'member',
      of: (syntax, node) => lastOperand(syntax, childIn(syntax, node, 'target')),
      name: (syntax, node) => childIn(syntax, childIn(syntax, node, 'suffix'), 'suffix'),
    },
    call_expression: {is: 'call', callee: (syntax, node) => lastOperand(syntax, childrenOf(syntax, node)[0] ?? -1)},
    await_expression: {is: 'pass', inner: lastChild},
    try_expression: {is: 'pass', inner: 'expr'},
    as_expression: {is: 'cast', type: lastChild},
    array_literal: {is: 'array'},
    line_string_literal: {is: 'literal', type: 'String'},
    integer_literal: {is: 'literal', type: 'Int'},
    real_literal: {is: 'literal', type: 'Double'},
  },
  types: {
    user_type: {is: 'bracketed'},
    type_identifier: {is: 'name'},
    type_annotation: {is: 'pass', inner: 'name'},
    optional_type: {is: 'pass'},
    array_type: {is: 'array'},
    dictionary_type: {is: 'array', inner: lastChild},
  },
  patterns: {},
  comments: ['comment', 'multiline_comment'],
  wrappers: [],
  exported: (syntax, node) => !has(syntax, node, 'modifiers:private|fileprivate'),
  special: {
    property_declaration: furtherNames,
    import_declaration: (draft, node) => {
      const {syntax} = draft;
      const path = childOf(syntax, node, 'identifier');
      markHandled(draft, node);
      if (path < 0) return;
      const parts = childrenOf(syntax, path);
      const [module, original] = [textOf(syntax, parts[0] ?? path), textOf(syntax, parts.at(-1) ?? path)];
      if (parts.length < 2) draft.imports.push({node: path, local: '*', original: '*', module});
      else declareImport(draft, {node: parts.at(-1) ?? path, local: original, original, module});
    },
    init_declaration: (draft, node) => {
      // Its name is a word of the grammar, which has no node: the declaration begins with it, but for its modifiers.
      const scope = draft.scopes[draft.scope]?.parent ?? 0;
      declareName(draft, {
        kind: 'method',
        name: 'init',
        nameNode: node,
        node,
        bodyNode: childIn(draft.syntax, node, 'body'),
        scope,
        hidden: true,
      });
    },
    lambda_parameter: (draft, node) => {
      const name = childIn(draft.syntax, node, 'name');
      if (name >= 0) declareName(draft, {kind: 'local', nameNode: name, node, source: callbackSource(draft, node)});
    },
    if_statement: bound,
    guard_statement: bound,
    while_statement: bound,
    pattern: (draft, node) => {
      const {syntax} = draft;
      if (!has(syntax, node, 'value_binding_pattern')) return;
      for (const name of [childIn(syntax, node, 'bound_identifier'), childOf(syntax, node, 'simple_identifier')]) {
        if (name >= 0 && draft.marks[name] === 0) declareName(draft, {kind: 'local', nameNode: name, node});
      }
    },
    control_transfer_statement: (draft, node) => noteReturn(draft, childIn(draft.syntax, node, 'result')),
  },
};

/** `if let name = value`: also of `guard`, whose names stay. */
function bound(draft: Parameters<NonNullable<Language['special']>[string]>[0], node: number): void {
  const {syntax} = draft;
  const children = childrenOf(syntax, node);
  for (const [index, at] of children.entries()) {
    if (fieldOf(syntax, at) !== 'bound_identifier') continue;
    const value = children[index + 1] ?? -1;
    declareName(draft, {kind: 'local', nameNode: at, node, source: {...NO_SOURCE, value, scope: draft.scope}});
  }
}

/** `b` of `1 + b.c` and `1 + b()`, where the grammar takes the whole sum for what the dot or the call belongs to. */
function lastOperand(syntax: Syntax, node: number): number {
  let at = node;
  while (at >= 0 && BINARY.includes(typeOf(syntax, at))) at = childrenOf(syntax, at).at(-1) ?? -1;
  return at;
}

function isCalled(syntax: Syntax, parent: number): boolean {
  const call = parentOf(syntax, parent);
  return typeOf(syntax, call) === 'call_expression' && childrenOf(syntax, call)[0] === parent;
}

/** One node for classes, structures, enumerations, actors and extensions: its first word tells. */
function classKind(syntax: Syntax, node: number): DeclaredKind {
  const head = syntax.text.slice(syntax.start[node], syntax.start[childIn(syntax, node, 'name')]);
  const word = /\b(class|struct|enum|extension|actor)\s*$/u.exec(head)?.[1];
  return word === 'struct' ? 'struct' : word === 'enum' ? 'enum' : word === 'extension' ? 'impl' : 'class';
}

function typeName(syntax: Syntax, node: number): number {
  const name = childIn(syntax, node, 'name');
  if (typeOf(syntax, name) !== 'user_type') return name;
  // An extension of `A.B` has members of `B`.
  return childrenOf(syntax, name).findLast((part) => typeOf(syntax, part) === 'type_identifier') ?? -1;
}

const HOMES = ['class_declaration', 'protocol_declaration'];

function functionKind(syntax: Syntax, node: number): DeclaredKind {
  return HOMES.includes(around(syntax, node, ['class_body', 'enum_class_body', 'protocol_body'])) ? 'method' : 'function';
}

function propertyKind(syntax: Syntax, node: number): DeclaredKind {
  if (HOMES.includes(around(syntax, node, ['class_body', 'enum_class_body', 'protocol_body']))) return 'property';
  return textOf(syntax, childOf(syntax, node, 'value_binding_pattern')) === 'let' ? 'constant' : 'variable';
}

function patternName(syntax: Syntax, node: number): number {
  return boundName(syntax, childIn(syntax, node, 'name'));
}

function boundName(syntax: Syntax, pattern: number): number {
  const name = childIn(syntax, pattern, 'bound_identifier');
  return name >= 0 ? name : childOf(syntax, pattern, 'simple_identifier');
}

function annotated(syntax: Syntax, node: number): number {
  return childOf(syntax, node, 'type_annotation');
}

/** `var a = 1, b = 2`: the table declares the first name, this the others. */
function furtherNames(draft: Draft, node: number): void {
  const {syntax} = draft;
  const parts = childrenOf(syntax, node);
  const patterns = parts.filter((part) => fieldOf(syntax, part) === 'name').slice(1);
  for (const pattern of patterns) {
    const [next = -1, behind = -1] = parts.slice(parts.indexOf(pattern) + 1);
    const type = typeOf(syntax, next) === 'type_annotation' ? next : -1;
    const value = [next, behind].find((part) => fieldOf(syntax, part) === 'value') ?? -1;
    const nameNode = boundName(syntax, pattern);
    const source = sourceOf(draft, type, type >= 0 || value === next ? value : -1);
    if (nameNode >= 0) declareName(draft, {kind: propertyKind(syntax, node), nameNode, node: pattern, source});
  }
}

/** The grammar calls the type a `name`, too. */
function secondName(syntax: Syntax, node: number): number {
  return (
    childrenOf(syntax, node).find((at) => fieldOf(syntax, at) === 'name' && (TYPES as readonly string[]).includes(typeOf(syntax, at))) ?? -1
  );
}
