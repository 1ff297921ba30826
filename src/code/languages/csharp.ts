import {declareImport, declareName, markHandled, sourceOf} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {noteReturn} from '../extract/sources.ts';
import {childIn, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import {oneBranch} from './c-branches.ts';
import type {DeclaredKind, DeclareRule, Language} from './language.ts';
import {has, lastChild, none, parentField} from './shapes.ts';

const CLASS: DeclareRule = {kind: 'class'};
const METHOD: DeclareRule = {kind: 'method', type: ['returns', 'type']};

export const csharp: Language = {
  name: 'csharp',
  grammar: 'c_sharp',
  extensions: ['.cs'],
  membersInScope: true,
  sequential: true,
  declares: {
    namespace_declaration: {kind: 'namespace'},
    file_scoped_namespace_declaration: {kind: 'namespace'},
    class_declaration: CLASS,
    record_declaration: CLASS,
    struct_declaration: {kind: 'struct'},
    interface_declaration: {kind: 'interface'},
    enum_declaration: {kind: 'enum'},
    enum_member_declaration: {kind: 'enum_member'},
    delegate_declaration: {kind: 'type'},
    method_declaration: METHOD,
    local_function_statement: {kind: 'function', type: ['returns', 'type']},
    constructor_declaration: {kind: 'method', hidden: true, type: none},
    destructor_declaration: {kind: 'method', hidden: true, type: none},
    indexer_declaration: {kind: 'property', fallback: 'this', name: none, body: 'accessors', hidden: true},
    property_declaration: {kind: 'property', body: 'accessors'},
    event_declaration: {kind: 'property', body: 'accessors'},
    variable_declarator: {kind: variableKind, type: parentField('type'), value: lastChild},
    parameter: {
      kind: (syntax, node) => (typeOf(syntax, parentOf(syntax, parentOf(syntax, node))) === 'record_declaration' ? 'property' : 'local'),
    },
    implicit_parameter: {kind: 'local', name: (_syntax, node) => node, type: none},
    foreach_statement: {kind: 'local', name: 'left', value: 'right', element: true, type: none},
    catch_declaration: {kind: 'local'},
    declaration_expression: {kind: 'local'},
    declaration_pattern: {kind: 'local'},
    type_parameter: {kind: 'local', type: none, space: 'type'},
  },
  scopes: {
    namespace_declaration: 'namespace',
    class_declaration: 'type',
    record_declaration: 'type',
    struct_declaration: 'type',
    interface_declaration: 'type',
    enum_declaration: 'type',
    method_declaration: 'function',
    local_function_statement: 'function',
    constructor_declaration: 'function',
    destructor_declaration: 'function',
    operator_declaration: 'function',
    conversion_operator_declaration: 'function',
    indexer_declaration: 'function',
    property_declaration: 'function',
    delegate_declaration: 'function',
    lambda_expression: 'lambda',
    anonymous_method_expression: 'lambda',
    block: 'block',
    for_statement: 'block',
    foreach_statement: 'block',
    using_statement: 'block',
    catch_clause: 'block',
    switch_section: 'block',
  },
  names: {identifier: {use: 'reference', space: 'both'}},
  places: {
    'invocation_expression.function': 'call',
    'member_access_expression.name': {of: 'expression'},
    'conditional_access_expression.': 'reference',
    'qualified_name.name': {of: 'qualifier'},
    'object_creation_expression.type': 'call',
    'base_list.': 'extends',
    'generic_name.': 'climb',
    'array_type.type': 'climb',
    'nullable_type.type': 'climb',
    'parameter.type': 'uses_type',
    'parameter_list.type': 'uses_type',
    'parameter_list.name': 'skip',
    'variable_declaration.type': 'uses_type',
    'property_declaration.type': 'uses_type',
    'method_declaration.returns': 'uses_type',
    'local_function_statement.type': 'uses_type',
    'type_argument_list.': 'uses_type',
    'type_parameter_constraint.type': 'uses_type',
    'catch_declaration.type': 'uses_type',
    'cast_expression.type': 'uses_type',
    'as_expression.right': 'uses_type',
    'is_expression.right': 'uses_type',
    'typeof_expression.type': 'uses_type',
    'delegate_declaration.type': 'uses_type',
    'attribute.name': 'uses_type',
    'argument.name': 'skip',
    'name_colon.': 'skip',
    'labeled_statement.': 'skip',
  },
  expressions: {
    identifier: {is: 'name'},
    this: {is: 'this'},
    base: {is: 'super'},
    member_access_expression: {is: 'member', of: 'expression', name: 'name'},
    invocation_expression: {is: 'call', callee: 'function'},
    object_creation_expression: {is: 'new', type: 'type'},
    element_access_expression: {is: 'index', of: 'expression'},
    await_expression: {is: 'await'},
    parenthesized_expression: {is: 'pass'},
    cast_expression: {is: 'cast', type: 'type'},
    as_expression: {is: 'cast', type: 'right'},
    string_literal: {is: 'literal', type: 'string'},
  },
  types: {
    identifier: {is: 'name'},
    predefined_type: {is: 'name'},
    qualified_name: {is: 'name'},
    generic_name: {is: 'bracketed'},
    array_type: {is: 'array', inner: 'type'},
    nullable_type: {is: 'pass'},
  },
  patterns: {identifier: {is: 'leaf'}},
  comments: ['comment'],
  wrappers: ['field_declaration', 'event_field_declaration', 'variable_declaration'],
  decorations: ['attribute_list'],
  exported: isExported,
  mend: (text) => oneBranch(text, true),
  special: {
    using_directive: usingDirective,
    namespace_declaration: (draft, node) => markHandled(draft, childIn(draft.syntax, node, 'name')),
    file_scoped_namespace_declaration: (draft, node) => markHandled(draft, childIn(draft.syntax, node, 'name')),
    operator_declaration: operator,
    conversion_operator_declaration: operator,
    return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

function variableKind(syntax: Syntax, node: number): DeclaredKind {
  const holder = parentOf(syntax, parentOf(syntax, node));
  if (typeOf(syntax, holder) === 'event_field_declaration') return 'property';
  if (typeOf(syntax, holder) !== 'field_declaration') return 'local';
  return has(syntax, holder, 'modifier:const') ? 'constant' : 'property';
}

/** Members are private and types internal where nothing is said; of an interface or an enumeration all is seen. */
function isExported(syntax: Syntax, node: number): boolean {
  const holder = typeOf(syntax, node) === 'variable_declarator' ? parentOf(syntax, parentOf(syntax, node)) : node;
  if (has(syntax, holder, 'modifier:private')) return false;
  if (has(syntax, holder, 'modifier')) return true;
  const home = typeOf(syntax, parentOf(syntax, parentOf(syntax, holder)));
  return home !== 'class_declaration' && home !== 'struct_declaration';
}

/** `operator +`, `operator int`: what stands behind the word is no node of the grammar, or a type. */
function operator(draft: Draft, node: number): void {
  const {syntax} = draft;
  const scope = draft.scopes[draft.scope]?.parent ?? 0;
  const head = syntax.text.slice(syntax.start[node], syntax.start[childIn(syntax, node, 'parameters')]);
  const name = /\boperator\s.*$/su.exec(head)?.[0].trim();
  const source = sourceOf(draft, childIn(syntax, node, 'type'), -1);
  if (name !== undefined)
    declareName(draft, {kind: 'method', name, nameNode: node, node, bodyNode: childIn(syntax, node, 'body'), source, scope, hidden: true});
}

/** `using A.B;` opens a namespace, `using X = A.B;` names it, `using static A.B;` opens a class. */
function usingDirective(draft: Draft, node: number): void {
  const {syntax} = draft;
  const alias = childIn(syntax, node, 'name');
  const path = childrenOf(syntax, node).find((at) => at !== alias) ?? -1;
  markHandled(draft, node);
  const module = path < 0 ? textOf(syntax, alias) : textOf(syntax, path);
  if (path >= 0 && alias >= 0) declareImport(draft, {node: path, localNode: alias, local: textOf(syntax, alias), original: '*', module});
  else draft.imports.push({node: path < 0 ? alias : path, local: '*', original: '*', module});
}
