import {declareImport, declareName, declarePattern, markHandled} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclaredKind, DeclareRule, Language} from './language.ts';
import {before, child, has, lastChild, none, parentField} from './shapes.ts';

const CLASS: DeclareRule = {kind: 'class'};
const INTERFACE: DeclareRule = {kind: 'interface'};
const METHOD: DeclareRule = {kind: 'method'};

export const java: Language = {
  name: 'java',
  grammar: 'java',
  extensions: ['.java'],
  membersInScope: true,
  declares: {
    class_declaration: CLASS,
    record_declaration: CLASS,
    interface_declaration: INTERFACE,
    annotation_type_declaration: INTERFACE,
    enum_declaration: {kind: 'enum'},
    enum_constant: {kind: 'enum_member'},
    method_declaration: METHOD,
    constructor_declaration: {kind: 'method', hidden: true, type: none},
    compact_constructor_declaration: {kind: 'method', hidden: true, type: none},
    annotation_type_element_declaration: METHOD,
    variable_declarator: {kind: variableKind, type: parentField('type')},
    formal_parameter: {
      kind: (syntax, node) => (typeOf(syntax, parentOf(syntax, parentOf(syntax, node))) === 'record_declaration' ? 'property' : 'local'),
    },
    catch_formal_parameter: {kind: 'local', type: child('catch_type')},
    enhanced_for_statement: {kind: 'local', value: none},
    resource: {kind: 'local'},
    instanceof_expression: {kind: 'local', type: ['right']},
    type_pattern: {kind: 'local', name: child('identifier'), type: none},
    type_parameter: {kind: 'local', name: child('type_identifier', 'identifier'), type: none, space: 'type'},
  },
  scopes: {
    class_declaration: 'type',
    record_declaration: 'type',
    interface_declaration: 'type',
    annotation_type_declaration: 'type',
    enum_declaration: 'type',
    enum_constant: 'type',
    method_declaration: 'function',
    constructor_declaration: 'function',
    compact_constructor_declaration: 'function',
    static_initializer: 'function',
    lambda_expression: 'lambda',
    block: 'block',
    for_statement: 'block',
    enhanced_for_statement: 'block',
    try_with_resources_statement: 'block',
    catch_clause: 'block',
    switch_block: 'block',
  },
  names: {identifier: {use: 'reference', space: 'both'}, type_identifier: {use: 'uses_type', space: 'type'}},
  places: {
    'method_invocation.name': {of: 'object', use: 'call'},
    'field_access.field': {of: 'object'},
    'scoped_identifier.name': {of: 'scope'},
    // Of `new A.B()` only `B` is made.
    'scoped_type_identifier.': {when: (syntax, parent, node) => lastChild(syntax, parent) !== node, use: 'reference', else: {of: before}},
    'object_creation_expression.type': 'call',
    'superclass.': 'extends',
    'super_interfaces.': 'implements',
    'extends_interfaces.': 'extends',
    'type_list.': 'climb',
    'generic_type.': 'climb',
    'method_reference.': 'reference',
    'labeled_statement.': 'skip',
    'break_statement.': 'skip',
    'continue_statement.': 'skip',
    'element_value_pair.key': 'skip',
  },
  expressions: {
    identifier: {is: 'name'},
    type_identifier: {is: 'name'},
    scoped_type_identifier: {is: 'member', of: '', name: lastChild},
    this: {is: 'this'},
    super: {is: 'super'},
    field_access: {is: 'member', of: 'object', name: 'field'},
    method_invocation: {is: 'call', callee: 'name', of: 'object'},
    object_creation_expression: {is: 'new', type: 'type'},
    array_access: {is: 'index', of: 'array'},
    parenthesized_expression: {is: 'pass'},
    cast_expression: {is: 'cast', type: 'type'},
    ternary_expression: {is: 'either', fields: ['consequence', 'alternative']},
    string_literal: {is: 'literal', type: 'String'},
  },
  types: {
    type_identifier: {is: 'name'},
    scoped_type_identifier: {is: 'name'},
    generic_type: {is: 'bracketed'},
    array_type: {is: 'array', inner: 'element'},
    catch_type: {is: 'either', by: '|'},
    integral_type: {is: 'name'},
    floating_point_type: {is: 'name'},
    boolean_type: {is: 'name'},
  },
  patterns: {identifier: {is: 'leaf'}},
  comments: ['line_comment', 'block_comment'],
  wrappers: ['field_declaration', 'constant_declaration'],
  decorations: ['marker_annotation', 'annotation'],
  exported: (syntax, node) => !has(syntax, modified(syntax, node), 'modifiers:private'),
  special: {
    // `var` is a word for the type of the value: JLS 14.4.
    type_identifier: (draft, node) => {
      if (textOf(draft.syntax, node) === 'var') markHandled(draft, node);
    },
    package_declaration: (draft, node) => {
      const nameNode = childOf(draft.syntax, node, 'scoped_identifier', 'identifier');
      markHandled(draft, node);
      declareName(draft, {kind: 'module', nameNode, node, exported: true});
      draft.scopes[0]?.names.clear();
    },
    import_declaration: importDeclaration,
    spread_parameter: (draft, node) => {
      const name = childIn(draft.syntax, childOf(draft.syntax, node, 'variable_declarator'), 'name');
      if (name >= 0) declareName(draft, {kind: 'local', nameNode: name, node});
    },
    lambda_expression: (draft, node) => {
      const {syntax} = draft;
      const parameters = childIn(syntax, node, 'parameters');
      const names = typeOf(syntax, parameters) === 'identifier' ? [parameters] : childrenOf(syntax, parameters);
      for (const name of names) declarePattern(draft, name, {kind: 'local', node: name, source: callbackSource(draft, name)});
      const body = childIn(syntax, node, 'body');
      if (typeOf(syntax, body) !== 'block') noteReturn(draft, body);
    },
  },
};

function variableKind(syntax: Syntax, node: number): DeclaredKind | undefined {
  const parent = typeOf(syntax, parentOf(syntax, node));
  if (parent === 'spread_parameter') return undefined;
  return parent === 'field_declaration' ? 'property' : parent === 'constant_declaration' ? 'constant' : 'local';
}

function modified(syntax: Syntax, node: number): number {
  return typeOf(syntax, node) === 'variable_declarator' ? parentOf(syntax, node) : node;
}

/** `import a.b.C` takes `C` from `a.b`; a `static` one a member of a class. */
function importDeclaration(draft: Draft, node: number): void {
  const {syntax} = draft;
  const path = childOf(syntax, node, 'scoped_identifier', 'identifier');
  markHandled(draft, node);
  if (path < 0) return;
  if (childOf(syntax, node, 'asterisk') >= 0) {
    draft.imports.push({node: path, local: '*', original: '*', module: textOf(syntax, path)});
    if (/^import\s+static\b/u.test(textOf(syntax, node))) importedFrom(draft, path);
    return;
  }
  const name = typeOf(syntax, path) === 'scoped_identifier' ? childIn(syntax, path, 'name') : path;
  const scope = childIn(syntax, path, 'scope');
  declareImport(draft, {
    node: name,
    local: textOf(syntax, name),
    original: textOf(syntax, name),
    module: scope < 0 ? '' : textOf(syntax, scope),
  });
  importedFrom(draft, scope);
}

/** The class that a member or a class in it is imported from is named there, too. */
function importedFrom(draft: Draft, path: number): void {
  const {syntax} = draft;
  if (typeOf(syntax, path) !== 'scoped_identifier') return;
  const [node, scope] = [childIn(syntax, path, 'name'), childIn(syntax, path, 'scope')];
  if (/^\p{Lu}/u.test(textOf(syntax, node))) draft.imports.push({node, original: textOf(syntax, node), module: textOf(syntax, scope)});
}
