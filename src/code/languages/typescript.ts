import type {Syntax} from '../extract/syntax.ts';
import {childIn, childOf, childrenOf, fieldOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {DeclaredKind, DeclareRule, Language, ScopeKind} from './language.ts';
import {mendTypescript} from './typescript-mend.ts';
import {specials} from './typescript-specials.ts';

const FUNCTION: DeclareRule = {kind: 'function', space: 'value'};
const METHOD: DeclareRule = {kind: 'method'};
const CLASS: DeclareRule = {kind: 'class'};
const PARAMETER: DeclareRule = {kind: 'local', name: parameterName, space: 'value'};
const TYPE_PARAMETER: DeclareRule = {kind: 'local', type: typeConstraint, space: 'type'};
/** The name of a function that is a value is seen in it alone. */
const OWN_NAME: DeclareRule = {kind: 'local', space: 'value', type: none, value: (_, node) => node, inside: true};
const FUNCTION_VALUES: ReadonlySet<string> = new Set(['arrow_function', 'function_expression', 'generator_function']);

const typeParts: Pick<Language, 'types' | 'transparent' | 'patterns' | 'expressions'> = {
  transparent: [
    'parenthesized_expression',
    'as_expression',
    'satisfies_expression',
    'type_assertion',
    'intersection_type',
    'union_type',
    'parenthesized_type',
    'readonly_type',
    'type_annotation',
  ],
  types: {
    type_identifier: {is: 'name'},
    identifier: {is: 'name'},
    predefined_type: {is: 'name'},
    nested_type_identifier: {is: 'name'},
    this_type: {is: 'name'},
    member_expression: {is: 'name'},
    type_annotation: {is: 'pass'},
    constraint: {is: 'pass'},
    parenthesized_type: {is: 'pass'},
    readonly_type: {is: 'pass'},
    optional_type: {is: 'pass'},
    generic_type: {is: 'generic', name: 'name', args: 'type_arguments'},
    array_type: {is: 'array'},
    union_type: {is: 'either', by: '|'},
    intersection_type: {is: 'either', by: '&'},
    type_query: {is: 'query'},
    function_type: {is: 'function'},
    type_predicate_annotation: {is: 'pass'},
    type_predicate: {is: 'guard'},
    conditional_type: {is: 'branches'},
    lookup_type: {is: 'lookup'},
    object_type: {is: 'mapped'},
  },
  expressions: {
    identifier: {is: 'name'},
    shorthand_property_identifier: {is: 'name'},
    this: {is: 'this'},
    super: {is: 'super'},
    member_expression: {is: 'member', of: 'object', name: 'property'},
    nested_identifier: {is: 'member', of: 'object', name: 'property'},
    subscript_expression: {is: 'index', of: 'object'},
    call_expression: {is: 'call', callee: 'function', same: /^(?:React\.)?(?:forwardRef|memo)$/u},
    new_expression: {is: 'new', type: 'constructor'},
    await_expression: {is: 'await'},
    parenthesized_expression: {is: 'pass'},
    non_null_expression: {is: 'pass'},
    satisfies_expression: {is: 'pass'},
    as_expression: {is: 'cast', type: lastChild},
    type_assertion: {is: 'pass'},
    ternary_expression: {is: 'either', fields: ['consequence', 'alternative']},
    binary_expression: {is: 'either', fields: ['left', 'right']},
    array: {is: 'array'},
    arrow_function: {is: 'function'},
    function_expression: {is: 'function'},
    string: {is: 'literal', type: 'string'},
    template_string: {is: 'literal', type: 'string'},
    number: {is: 'literal', type: 'number'},
    true: {is: 'literal', type: 'boolean'},
    false: {is: 'literal', type: 'boolean'},
  },
  patterns: {
    identifier: {is: 'leaf'},
    shorthand_property_identifier_pattern: {is: 'member'},
    object_pattern: {is: 'through'},
    array_pattern: {is: 'element'},
    rest_pattern: {is: 'rest'},
    assignment_pattern: {is: 'through', only: 'left'},
    object_assignment_pattern: {is: 'through', only: 'left'},
    pair_pattern: {is: 'key', key: 'key', value: 'value'},
  },
};

const javascriptParts: Omit<Language, 'name' | 'grammar' | 'extensions'> = {
  ...typeParts,
  declares: {
    function_declaration: FUNCTION,
    generator_function_declaration: FUNCTION,
    function_signature: FUNCTION,
    class_declaration: CLASS,
    abstract_class_declaration: CLASS,
    interface_declaration: {kind: 'interface', space: 'type'},
    type_alias_declaration: {kind: 'type', space: 'type', type: ['value'], body: none},
    enum_declaration: {kind: 'enum'},
    internal_module: {kind: 'namespace', name: moduleName},
    module: {kind: 'namespace', name: moduleName},
    variable_declarator: {kind: variableKind, body: valueBody, space: 'value'},
    method_definition: {kind: methodKind},
    method_signature: METHOD,
    abstract_method_signature: METHOD,
    public_field_definition: {kind: fieldKind, body: valueBody},
    field_definition: {kind: fieldKind, name: 'property', body: valueBody},
    property_signature: {kind: 'property'},
    pair: {kind: pairKind, name: 'key', body: valueBody},
    function_expression: OWN_NAME,
    generator_function: OWN_NAME,
    required_parameter: PARAMETER,
    optional_parameter: PARAMETER,
    type_parameter: TYPE_PARAMETER,
    mapped_type_clause: {kind: 'local', space: 'type', type: none},
    index_signature: {kind: 'local', space: 'value', type: none},
    for_in_statement: {kind: 'local', name: loopVariable, value: 'right', element: true, space: 'value', inside: true},
    catch_clause: {kind: 'local', name: 'parameter', space: 'value', inside: true},
    infer_type: {
      kind: 'local',
      name: (syntax, node) => childOf(syntax, node, 'type_identifier'),
      space: 'type',
      type: none,
      home: 'conditional_type',
    },
  },
  scopes: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    function_expression: 'function',
    generator_function: 'function',
    function_signature: 'function',
    method_definition: 'function',
    method_signature: 'function',
    abstract_method_signature: 'function',
    arrow_function: 'lambda',
    function_type: 'lambda',
    constructor_type: 'lambda',
    call_signature: 'lambda',
    construct_signature: 'lambda',
    index_signature: 'lambda',
    conditional_type: 'lambda',
    statement_block: blockKind,
    for_statement: 'block',
    for_in_statement: 'block',
    switch_body: 'block',
    catch_clause: 'block',
    class_static_block: 'block',
    internal_module: 'namespace',
    module: 'namespace',
    class_declaration: 'type',
    abstract_class_declaration: 'type',
    class: 'literal',
    interface_declaration: 'type',
    enum_declaration: 'type',
    type_alias_declaration: 'type',
    object: 'literal',
    object_type: 'literal',
  },
  names: {
    identifier: {use: 'reference', space: 'value'},
    type_identifier: {use: 'uses_type', space: 'type'},
    shorthand_property_identifier: {use: 'reference', space: 'value'},
    // Of a pattern that declares nothing: `({a} = b)`.
    shorthand_property_identifier_pattern: {use: 'reference', space: 'value'},
    property_identifier: {use: 'skip'},
    private_property_identifier: {use: 'skip'},
  },
  places: {
    'call_expression.function': 'call',
    'new_expression.constructor': 'call',
    'decorator.': 'call',
    'jsx_opening_element.name': 'call',
    'jsx_self_closing_element.name': 'call',
    'member_expression.property': {of: 'object'},
    'nested_identifier.property': {of: 'object'},
    'nested_type_identifier.name': {of: 'module'},
    'nested_type_identifier.module': 'reference',
    'generic_type.name': 'climb',
    'non_null_expression.': 'climb',
    'extends_clause.value': 'extends',
    'class_heritage.': 'extends',
    'extends_type_clause.type': 'extends',
    'implements_clause.': 'implements',
    'type_predicate.name': 'reference',
    'required_parameter.name': 'skip',
    'optional_parameter.name': 'skip',
    'pair_pattern.key': 'skip',
    'pair.key': 'skip',
    'meta_property.': 'skip',
  },
  contexts: {
    'variable_declarator.value': 'declared',
    'required_parameter.value': 'declared',
    'optional_parameter.value': 'declared',
    'public_field_definition.value': 'declared',
    'arguments.': 'argument',
    'return_statement.': 'returned',
    'arrow_function.body': 'returned',
    'pair.value': 'key',
    'pair_pattern.value': 'key',
    'object.': 'method',
    'array.': 'element',
    'as_expression.': 'cast',
    'satisfies_expression.': 'cast',
    'assignment_expression.right': 'beside',
    'assignment_expression.left': 'beside',
    'parenthesized_expression.': 'same',
    'await_expression.': 'same',
    'ternary_expression.consequence': 'same',
    'ternary_expression.alternative': 'same',
    'binary_expression.left': 'same',
    'binary_expression.right': 'same',
  },
  keys: {
    property_identifier: {'pair.key': 2, 'pair_pattern.key': 2, 'method_definition.name': 2, 'jsx_attribute.': 2},
    string: {'pair.key': 2, 'pair_pattern.key': 2},
    shorthand_property_identifier: {'object.': 1},
    shorthand_property_identifier_pattern: {'object_pattern.': 1, 'object_assignment_pattern.left': 2},
  },
  selfTypes: ['this'],
  comments: ['comment'],
  wrappers: ['export_statement', 'lexical_declaration', 'variable_declaration', 'ambient_declaration', 'expression_statement'],
  decorations: ['decorator'],
  exported: isExported,
  special: specials,
};

export const typescript: Language = {
  name: 'typescript',
  grammar: 'typescript',
  extensions: ['.ts', '.mts', '.cts'],
  ...javascriptParts,
  mend: mendTypescript,
};
export const tsx: Language = {name: 'tsx', grammar: 'tsx', extensions: ['.tsx'], ...javascriptParts, mend: mendTypescript};
export const javascript: Language = {
  name: 'javascript',
  grammar: 'javascript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx'],
  ...javascriptParts,
};

function lastChild(syntax: Syntax, node: number): number {
  return childrenOf(syntax, node).at(-1) ?? -1;
}

function none(): number {
  return -1;
}

function typeConstraint(syntax: Syntax, node: number): number {
  return childIn(syntax, node, 'constraint');
}

/** The label in a tuple, `[start: number]`, names nothing. */
function parameterName(syntax: Syntax, node: number): number {
  if (typeOf(syntax, parentOf(syntax, node)) === 'tuple_type') return -1;
  const pattern = childIn(syntax, node, 'pattern');
  const name = pattern < 0 ? childIn(syntax, node, 'name') : pattern;
  return typeOf(syntax, name) === 'this' ? -1 : name;
}

/** `namespace A.B` declares `B`, in effect; its outer part has no place of its own. */
function moduleName(syntax: Syntax, node: number): number {
  return childIn(syntax, node, 'name');
}

/** The body of a namespace has no names but those of the namespace. */
function blockKind(syntax: Syntax, node: number): ScopeKind | undefined {
  return NAMESPACES.has(typeOf(syntax, parentOf(syntax, node))) ? undefined : 'block';
}

/** A `const` that is a function is one in everything but its words. */
function variableKind(syntax: Syntax, node: number): DeclaredKind | undefined {
  const value = childIn(syntax, node, 'value');
  if (FUNCTION_VALUES.has(typeOf(syntax, value)) && typeOf(syntax, childIn(syntax, node, 'name')) === 'identifier') {
    return isLocalPlace(syntax, node) ? 'local' : 'function';
  }
  if (typeOf(syntax, value) === 'class') return 'class';
  return textOf(syntax, parentOf(syntax, node)).startsWith('const') ? 'constant' : 'variable';
}

const BODIES: ReadonlySet<string> = new Set(['statement_block', ...FUNCTION_VALUES, 'for_statement', 'for_in_statement', 'switch_body']);

/** Inside a function or a block that is not the body of a namespace. */
function isLocalPlace(syntax: Syntax, node: number): boolean {
  for (let at = parentOf(syntax, node); at >= 0; at = parentOf(syntax, at)) {
    const parent = parentOf(syntax, at);
    if (BODIES.has(typeOf(syntax, at)) && !NAMESPACES.has(typeOf(syntax, parent))) return true;
  }
  return false;
}

const NAMESPACES: ReadonlySet<string> = new Set(['internal_module', 'module', 'ambient_declaration']);

function methodKind(): DeclaredKind {
  return 'method';
}

function fieldKind(syntax: Syntax, node: number): DeclaredKind {
  return FUNCTION_VALUES.has(typeOf(syntax, childIn(syntax, node, 'value'))) ? 'method' : 'property';
}

function pairKind(syntax: Syntax, node: number): DeclaredKind | undefined {
  return fieldKind(syntax, node);
}

/** The body of a function or class that is the value. */
function valueBody(syntax: Syntax, node: number): number {
  const value = childIn(syntax, node, 'value');
  return FUNCTION_VALUES.has(typeOf(syntax, value)) || typeOf(syntax, value) === 'class' ? childIn(syntax, value, 'body') : -1;
}

/** `for (x of xs)` without `const` declares nothing. */
function loopVariable(syntax: Syntax, node: number): number {
  const left = childIn(syntax, node, 'left');
  return /^for\s*(?:await\s*)?\(\s*(?:const|let|var|using|await)\b/u.test(syntax.text.slice(syntax.start[node], syntax.start[left]))
    ? left
    : -1;
}

function isExported(syntax: Syntax, node: number, name: string): boolean {
  if (name.startsWith('#')) return false;
  const first = childOf(syntax, node, 'accessibility_modifier');
  if (first >= 0) return textOf(syntax, first) !== 'private';
  for (let at = node; at >= 0; at = parentOf(syntax, at)) {
    const type = typeOf(syntax, at);
    if (type === 'export_statement') return true;
    if (MEMBERS.has(type) && fieldOf(syntax, at) !== 'declaration') return true;
    if (at !== node && (type === 'statement_block' || type === 'program')) return isAmbient(syntax, at);
  }
  return false;
}

/** All that stands in `declare module` and `declare global`. */
function isAmbient(syntax: Syntax, block: number): boolean {
  const parent = parentOf(syntax, block);
  return (
    parent >= 0 && (typeOf(syntax, parent) === 'ambient_declaration' || typeOf(syntax, parentOf(syntax, parent)) === 'ambient_declaration')
  );
}

const MEMBERS: ReadonlySet<string> = new Set([
  'method_definition',
  'method_signature',
  'abstract_method_signature',
  'public_field_definition',
  'field_definition',
  'property_signature',
  'pair',
]);
