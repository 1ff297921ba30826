import {declareImport, declareName, declarePattern, markHandled} from '../extract/declare.ts';
import {NO_SOURCE, type Draft, type TypeSource} from '../extract/draft.ts';
import {noteReturn} from '../extract/sources.ts';
import {ancestorOf, childOf, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import {mendKotlin, MISREAD} from './kotlin-mend.ts';
import type {DeclaredKind, Language} from './language.ts';
import {around, before, child, has, lastChild, none} from './shapes.ts';

const TYPES = ['user_type', 'nullable_type', 'function_type'] as const;

export const kotlin: Language = {
  name: 'kotlin',
  grammar: 'kotlin',
  extensions: ['.kt', '.kts'],
  mend: mendKotlin,
  misread: MISREAD,
  membersInScope: true,
  headNames: true,
  declares: {
    class_declaration: {kind: classKind, name: child('type_identifier'), body: child('class_body', 'enum_class_body'), type: none},
    object_declaration: {kind: 'class', name: child('type_identifier'), body: child('class_body'), type: none},
    companion_object: {kind: 'class', fallback: 'Companion', name: child('type_identifier'), body: child('class_body'), type: none},
    type_alias: {kind: 'type', name: child('type_identifier'), type: child(...TYPES)},
    enum_entry: {kind: 'enum_member', name: child('simple_identifier'), type: none, body: child('class_body')},
    function_declaration: {
      kind: functionKind,
      name: child('simple_identifier'),
      type: returnType,
      body: child('function_body'),
      owner: extended,
    },
    property_declaration: {
      kind: propertyKind,
      name: variable,
      type: (syntax, node) => childOf(syntax, childOf(syntax, node, 'variable_declaration'), ...TYPES),
      value: initial,
      body: none,
    },
    class_parameter: {
      kind: (syntax, node) => (has(syntax, node, 'binding_pattern_kind') ? 'property' : 'local'),
      name: child('simple_identifier'),
      type: child(...TYPES),
    },
    parameter: {kind: 'local', name: child('simple_identifier'), type: child(...TYPES)},
    parameter_with_optional_type: {kind: 'local', name: child('simple_identifier'), type: child(...TYPES)},
    for_statement: {
      kind: 'local',
      name: child('variable_declaration', 'multi_variable_declaration'),
      value: (syntax, node) => childrenOf(syntax, node)[1] ?? -1,
      element: true,
    },
    when_subject: {kind: 'local', name: child('variable_declaration'), value: lastChild},
    catch_block: {kind: 'local', name: child('simple_identifier'), type: child('user_type')},
    type_parameter: {kind: 'local', name: child('type_identifier'), type: child(...TYPES), space: 'type'},
  },
  scopes: {
    class_declaration: 'type',
    object_declaration: 'type',
    companion_object: 'type',
    enum_entry: 'type',
    function_declaration: 'function',
    secondary_constructor: 'function',
    anonymous_initializer: 'lambda',
    getter: 'function',
    setter: 'function',
    anonymous_function: 'lambda',
    lambda_literal: 'lambda',
    control_structure_body: 'block',
    for_statement: 'block',
    when_expression: 'block',
    catch_block: 'block',
    type_alias: 'lambda',
  },
  names: {simple_identifier: {use: 'reference', space: 'both'}, type_identifier: {use: 'uses_type', space: 'both'}},
  places: {
    'call_expression.': 'call',
    'navigation_suffix.': {of: (syntax, node) => before(syntax, parentOf(syntax, node)), up: 2},
    'constructor_invocation.': 'climb',
    'delegation_specifier.': 'extends',
    'user_type.': 'climb',
    'value_argument.': 'reference',
    'label.': 'skip',
  },
  expressions: {
    simple_identifier: {is: 'name'},
    this_expression: {is: 'this'},
    super_expression: {is: 'super'},
    navigation_expression: {
      is: 'member',
      of: '',
      name: (syntax, node) => childOf(syntax, childOf(syntax, node, 'navigation_suffix'), 'simple_identifier'),
    },
    call_expression: {is: 'call', callee: ''},
    indexing_expression: {is: 'index', of: ''},
    parenthesized_expression: {is: 'pass'},
    as_expression: {is: 'cast', type: lastChild},
    postfix_expression: {is: 'pass'},
    string_literal: {is: 'literal', type: 'String'},
    integer_literal: {is: 'literal', type: 'Int'},
    real_literal: {is: 'literal', type: 'Double'},
    boolean_literal: {is: 'literal', type: 'Boolean'},
  },
  types: {
    user_type: {is: 'bracketed'},
    type_identifier: {is: 'name'},
    nullable_type: {is: 'pass'},
    type_projection: {is: 'pass', inner: lastChild},
  },
  patterns: {
    simple_identifier: {is: 'leaf'},
    variable_declaration: {is: 'through', except: 'type'},
    multi_variable_declaration: {is: 'zip'},
  },
  comments: ['line_comment', 'multiline_comment'],
  wrappers: [],
  decorations: [],
  exported: (syntax, node) => !has(syntax, node, 'modifiers:private'),
  special: {
    package_header: (draft, node) => {
      const nameNode = childOf(draft.syntax, node, 'identifier');
      markHandled(draft, node);
      if (nameNode >= 0) declareName(draft, {kind: 'module', nameNode, node, exported: true});
      draft.scopes[0]?.names.clear();
    },
    import_header: importHeader,
    function_declaration: (draft, node) => {
      // `fun name() = value`.
      const value = childrenOf(draft.syntax, childOf(draft.syntax, node, 'function_body'))[0] ?? -1;
      if (value >= 0 && typeOf(draft.syntax, value) !== 'statements') noteReturn(draft, value);
    },
    lambda_literal: (draft, node) => {
      const {syntax} = draft;
      const parameters = childOf(syntax, node, 'lambda_parameters');
      for (const [index, name] of childrenOf(syntax, parameters).entries())
        declarePattern(draft, name, {kind: 'local', node: name, source: lambdaSource(draft, node, index)});
      // The only parameter need not be written: `{ it.name }`.
      if (parameters < 0 && /\bit\b/u.test(textOf(syntax, node)))
        declareName(draft, {kind: 'local', name: 'it', nameNode: node, node, source: lambdaSource(draft, node, 0)});
    },
    jump_expression: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

/** What the function that is called with a lambda behind it hands to its parameter. */
function lambdaSource(draft: Draft, lambda: number, index: number): TypeSource {
  const {syntax} = draft;
  const call = ancestorOf(syntax, lambda, 'call_expression', 'statements');
  if (typeOf(syntax, call) !== 'call_expression' || typeOf(syntax, parentOf(syntax, lambda)) !== 'annotated_lambda') return NO_SOURCE;
  return {...NO_SOURCE, value: childrenOf(syntax, call)[0] ?? -1, scope: draft.scopes[draft.scope]?.parent ?? 0, steps: `(0:${index})`};
}

/** The words before the name: `enum`, `interface`; the grammar has one node for all. */
function classKind(syntax: Syntax, node: number): DeclaredKind {
  const name = childOf(syntax, node, 'type_identifier');
  if (childOf(syntax, node, 'enum_class_body') >= 0) return 'enum';
  return /\binterface\s*$/u.test(syntax.text.slice(syntax.start[node], syntax.start[name])) ? 'interface' : 'class';
}

function functionKind(syntax: Syntax, node: number): DeclaredKind {
  return isMember(syntax, node) ? 'method' : 'function';
}

function isMember(syntax: Syntax, node: number): boolean {
  return ['class_declaration', 'object_declaration', 'companion_object', 'enum_entry'].includes(
    around(syntax, node, ['class_body', 'enum_class_body']),
  );
}

function propertyKind(syntax: Syntax, node: number): DeclaredKind {
  if (isMember(syntax, node)) return 'property';
  return textOf(syntax, childOf(syntax, node, 'binding_pattern_kind')) === 'val' ? 'constant' : 'variable';
}

function variable(syntax: Syntax, node: number): number {
  const single = childOf(syntax, node, 'variable_declaration');
  return single < 0 ? childOf(syntax, node, 'multi_variable_declaration') : childOf(syntax, single, 'simple_identifier');
}

const NOT_INITIAL: ReadonlySet<string> = new Set([
  'modifiers',
  'binding_pattern_kind',
  'variable_declaration',
  'multi_variable_declaration',
  'type_parameters',
  'getter',
  'setter',
  'user_type',
]);

function initial(syntax: Syntax, node: number): number {
  return childrenOf(syntax, node).find((at) => !NOT_INITIAL.has(typeOf(syntax, at))) ?? -1;
}

/** The type behind the parameters, not the one before the name of an extension. */
function returnType(syntax: Syntax, node: number): number {
  const children = childrenOf(syntax, node);
  const parameters = children.findIndex((at) => typeOf(syntax, at) === 'function_value_parameters');
  return children.slice(parameters).find((at) => (TYPES as readonly string[]).includes(typeOf(syntax, at))) ?? -1;
}

/** `fun Stop.twice()` belongs to `Stop`. */
function extended(syntax: Syntax, node: number): string | undefined {
  const name = childOf(syntax, node, 'simple_identifier');
  const type = childrenOf(syntax, node).find((at) => at < name && typeOf(syntax, at) === 'user_type');
  return type === undefined ? undefined : textOf(syntax, type).replace(/<.*$/su, '');
}

function importHeader(draft: Draft, node: number): void {
  const {syntax} = draft;
  const path = childOf(syntax, node, 'identifier');
  const alias = childOf(syntax, childOf(syntax, node, 'import_alias'), 'type_identifier');
  markHandled(draft, node);
  if (path < 0) return;
  const parts = childrenOf(syntax, path);
  const last = parts.at(-1) ?? path;
  const text = textOf(syntax, path);
  if (childOf(syntax, node, 'wildcard_import') >= 0) {
    draft.imports.push({node: path, local: '*', original: '*', module: text});
    return;
  }
  const original = textOf(syntax, last);
  const module = text.slice(0, Math.max(0, text.length - original.length - 1));
  declareImport(draft, {
    node: last,
    ...(alias < 0 ? {} : {localNode: alias}),
    local: alias < 0 ? original : textOf(syntax, alias),
    original,
    module,
  });
}
