import {declareImport, declareName, nameText} from '../extract/declare.ts';
import {HANDLED} from '../extract/draft.ts';
import type {Draft} from '../extract/draft.ts';
import {noteReturn} from '../extract/sources.ts';
import {ancestorOf, childIn, childOf, childrenOf, fieldOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclaredKind, DeclareRule, Language} from './language.ts';

const TYPE: DeclareRule = {kind: typeKind, body: typeBody};

export const go: Language = {
  name: 'go',
  grammar: 'go',
  extensions: ['.go'],
  sequential: true,
  declares: {
    function_declaration: {kind: 'function', type: ['result']},
    method_declaration: {kind: 'method', type: ['result'], owner: receiverType},
    method_elem: {kind: 'method', type: ['result']},
    type_spec: TYPE,
    type_alias: TYPE,
    const_spec: {kind: 'constant', many: true},
    var_spec: {kind: 'variable', many: true},
    field_declaration: {kind: 'property', many: true},
    parameter_declaration: {kind: 'local', many: true},
    variadic_parameter_declaration: {kind: 'local'},
    type_parameter_declaration: {kind: 'local', many: true, type: () => -1, space: 'type'},
    short_var_declaration: {kind: 'local', name: 'left', value: 'right'},
    range_clause: {kind: 'local', name: 'left', value: 'right', element: true},
    receive_statement: {kind: 'local', name: 'left', value: 'right'},
    type_switch_statement: {kind: 'local', name: 'alias', value: () => -1},
  },
  scopes: {
    function_declaration: 'function',
    method_declaration: 'function',
    func_literal: 'lambda',
    function_type: 'lambda',
    method_elem: 'lambda',
    type_spec: 'type',
    type_alias: 'type',
    struct_type: 'literal',
    interface_type: 'literal',
    block: 'block',
    if_statement: 'block',
    for_statement: 'block',
    expression_switch_statement: 'block',
    type_switch_statement: 'block',
    expression_case: 'block',
    type_case: 'block',
    default_case: 'block',
    communication_case: 'block',
  },
  names: {
    identifier: {use: 'reference', space: 'both'},
    type_identifier: {use: 'uses_type', space: 'both'},
    field_identifier: {use: 'skip'},
    package_identifier: {use: 'reference', space: 'both'},
  },
  places: {
    'call_expression.function': 'call',
    'selector_expression.field': {of: 'operand'},
    'qualified_type.name': {of: 'package'},
    'generic_type.type': 'climb',
    'type_elem.': 'climb',
    'interface_type.': 'extends',
    'package_clause.': 'skip',
    // An embedded field gives its members to the type around it.
    'field_declaration.type': {when: (syntax, parent) => childIn(syntax, parent, 'name') < 0, use: 'extends'},
    'literal_element.': {of: keyedType},
  },
  expressions: {
    identifier: {is: 'name'},
    selector_expression: {is: 'member', of: 'operand', name: 'field'},
    package_identifier: {is: 'name'},
    call_expression: {is: 'call', callee: 'function'},
    composite_literal: {is: 'new', type: 'type'},
    literal_value: {is: 'index', of: listAround},
    unary_expression: {is: 'pass', inner: 'operand'},
    parenthesized_expression: {is: 'pass'},
    index_expression: {is: 'index', of: 'operand'},
    type_assertion_expression: {is: 'cast', type: 'type'},
    type_conversion_expression: {is: 'cast', type: 'type'},
    expression_list: {is: 'pass'},
    interpreted_string_literal: {is: 'literal', type: 'string'},
    int_literal: {is: 'literal', type: 'int'},
  },
  types: {
    type_identifier: {is: 'name'},
    qualified_type: {is: 'name'},
    pointer_type: {is: 'pass'},
    parenthesized_type: {is: 'pass'},
    type_elem: {is: 'pass'},
    parameter_list: {is: 'pass'},
    parameter_declaration: {is: 'pass', inner: 'type'},
    generic_type: {is: 'generic', name: 'type', args: 'type_arguments'},
    slice_type: {is: 'array', inner: 'element'},
    array_type: {is: 'array', inner: 'element'},
    map_type: {is: 'array', inner: 'value'},
    channel_type: {is: 'array', inner: 'value'},
  },
  patterns: {expression_list: {is: 'zip'}, identifier: {is: 'leaf', once: true}},
  comments: ['comment'],
  wrappers: ['const_declaration', 'var_declaration', 'type_declaration'],
  transparent: ['pointer_type'],
  exported: (_syntax, _node, name) => /^\p{Lu}/u.test(name),
  special: {
    package_clause: (draft, node) => {
      const nameNode = childOf(draft.syntax, node, 'package_identifier');
      if (nameNode >= 0) declareName(draft, {kind: 'module', nameNode, node, exported: true});
      draft.scopes[0]?.names.clear();
    },
    import_spec: importSpec,
    return_statement: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

function typeKind(syntax: Syntax, node: number): DeclaredKind {
  const type = typeOf(syntax, childIn(syntax, node, 'type'));
  return type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type';
}

function typeBody(syntax: Syntax, node: number): number {
  const type = childIn(syntax, node, 'type');
  return ['struct_type', 'interface_type'].includes(typeOf(syntax, type)) ? (childrenOf(syntax, type)[0] ?? -1) : -1;
}

/** `func (s *Stop) …` belongs to `Stop`. */
function receiverType(syntax: Syntax, node: number): string | undefined {
  let type = childIn(syntax, childOf(syntax, childIn(syntax, node, 'receiver'), 'parameter_declaration'), 'type');
  if (typeOf(syntax, type) === 'pointer_type') type = childrenOf(syntax, type)[0] ?? -1;
  if (typeOf(syntax, type) === 'generic_type') type = childIn(syntax, type, 'type');
  return type < 0 ? undefined : textOf(syntax, type);
}

const LISTS: ReadonlySet<string> = new Set(['map_type', 'slice_type', 'array_type', 'implicit_length_array_type']);

/** `T{key: …}`: what a key is a member of; -1 in lists and maps, whose keys are values. */
function keyedType(syntax: Syntax, node: number): number {
  const element = parentOf(syntax, node);
  if (fieldOf(syntax, element) !== 'key') return -1;
  const value = ancestorOf(syntax, element, 'literal_value');
  const holder = parentOf(syntax, value);
  if (typeOf(syntax, holder) !== 'composite_literal') return value;
  return LISTS.has(typeOf(syntax, childIn(syntax, holder, 'type'))) ? -1 : holder;
}

/** The literal that a list of values without a type stands in. */
function listAround(syntax: Syntax, node: number): number {
  const value = ancestorOf(syntax, node, 'literal_value');
  const holder = parentOf(syntax, value);
  return typeOf(syntax, holder) === 'composite_literal' ? holder : value;
}

function importSpec(draft: Draft, node: number): void {
  const {syntax} = draft;
  const [path, alias] = [childIn(syntax, node, 'path'), childIn(syntax, node, 'name')];
  const module = nameText(syntax, path);
  if (alias >= 0) draft.marks[alias] = HANDLED;
  const type = alias < 0 ? '' : typeOf(syntax, alias);
  if (type === 'blank_identifier') draft.imports.push({node: path, original: '*', module});
  else if (type === 'dot') draft.imports.push({node: path, local: '*', original: '*', module});
  else
    declareImport(draft, {
      node: path,
      ...(alias < 0 ? {} : {localNode: alias}),
      local: alias < 0 ? packageName(module) : textOf(syntax, alias),
      original: '*',
      module,
    });
}

/** What the last part of a path says of the package's name: without a major version, without what stands before the last dash. */
function packageName(module: string): string {
  const parts = module.split('/').filter((part) => !/^v\d+$/u.test(part));
  return (parts.at(-1) ?? module).replace(/^go-|\.v\d+$|-go$/gu, '');
}
