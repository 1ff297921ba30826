import {declareImport, declareName, declarePattern, markHandled} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {childIn, childOf, childrenOf, fieldOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclaredKind, Language} from './language.ts';
import {mendScala} from './scala-mend.ts';
import {around, has, none} from './shapes.ts';

const HOMES = ['class_definition', 'trait_definition', 'object_definition', 'package_object', 'enum_definition', 'given_definition'];

export const scala: Language = {
  name: 'scala',
  grammar: 'scala',
  extensions: ['.scala', '.sc', '.sbt'],
  mend: mendScala,
  membersInScope: true,
  declares: {
    class_definition: {kind: 'class', type: none},
    object_definition: {kind: 'class', type: none},
    package_object: {kind: 'class', type: none},
    trait_definition: {kind: 'trait', type: none},
    enum_definition: {kind: 'enum', type: none},
    simple_enum_case: {kind: 'enum_member', type: none},
    full_enum_case: {kind: 'enum_member', type: none},
    type_definition: {kind: 'type'},
    function_definition: {kind: functionKind, type: ['return_type']},
    function_declaration: {kind: functionKind, type: ['return_type']},
    val_definition: {kind: valueKind, name: 'pattern'},
    var_definition: {kind: valueKind, name: 'pattern'},
    val_declaration: {kind: valueKind},
    var_declaration: {kind: valueKind},
    class_parameter: {kind: 'property'},
    parameter: {kind: 'local', value: none},
    binding: {kind: 'local'},
    enumerator: {
      kind: 'local',
      name: (syntax, node) => childrenOf(syntax, node)[0] ?? -1,
      value: (syntax, node) => childrenOf(syntax, node)[1] ?? -1,
      element: true,
    },
    case_clause: {kind: 'local', name: 'pattern', value: none},
    type_parameters: {kind: 'local', many: true, type: none, space: 'type'},
  },
  scopes: {
    class_definition: 'type',
    object_definition: 'type',
    package_object: 'type',
    trait_definition: 'type',
    enum_definition: 'type',
    function_definition: 'function',
    function_declaration: 'function',
    lambda_expression: 'lambda',
    block: 'block',
    for_expression: 'block',
    case_clause: 'block',
    type_definition: 'lambda',
  },
  names: {identifier: {use: 'reference', space: 'both'}, type_identifier: {use: 'uses_type', space: 'both'}},
  places: {
    'call_expression.function': 'call',
    'generic_function.function': 'climb',
    'field_expression.field': {of: 'value'},
    'instance_expression.': 'call',
    'extends_clause.type': 'extends',
    'generic_type.type': 'climb',
    'case_class_pattern.type': 'reference',
    'infix_expression.operator': 'skip',
    'assignment_expression.left': 'reference',
  },
  expressions: {
    identifier: {is: 'name'},
    this: {is: 'this'},
    super: {is: 'super'},
    field_expression: {is: 'member', of: 'value', name: 'field'},
    call_expression: {is: 'call', callee: 'function'},
    generic_function: {is: 'pass', inner: 'function'},
    instance_expression: {is: 'new', type: ''},
    parenthesized_expression: {is: 'pass'},
    string: {is: 'literal', type: 'String'},
    integer_literal: {is: 'literal', type: 'Int'},
    floating_point_literal: {is: 'literal', type: 'Double'},
  },
  types: {
    type_identifier: {is: 'name'},
    stable_type_identifier: {is: 'name'},
    generic_type: {is: 'generic', name: 'type', args: 'type_arguments'},
  },
  patterns: {
    identifier: {is: 'leaf', lower: true},
    tuple_pattern: {is: 'element'},
    case_class_pattern: {is: 'through', except: 'type'},
    infix_pattern: {is: 'through', except: 'operator'},
    typed_pattern: {is: 'through', except: 'type'},
    capture_pattern: {is: 'through'},
    alternative_pattern: {is: 'through'},
  },
  self: ['this'],
  comments: ['comment', 'block_comment'],
  wrappers: [],
  decorations: ['annotation'],
  exported: (syntax, node) => !has(syntax, node, 'modifiers:private'),
  special: {
    package_clause: (draft, node) => {
      const nameNode = childIn(draft.syntax, node, 'name');
      markHandled(draft, nameNode);
      if (nameNode >= 0) declareName(draft, {kind: 'module', nameNode, node, exported: true, hidden: true});
    },
    import_declaration: importDeclaration,
    function_definition: (draft, node) => {
      const body = childIn(draft.syntax, node, 'body');
      noteReturn(draft, typeOf(draft.syntax, body) === 'block' ? (childrenOf(draft.syntax, body).at(-1) ?? -1) : body);
    },
    lambda_expression: (draft, node) => {
      const {syntax} = draft;
      const parameters = childIn(syntax, node, 'parameters');
      const names = typeOf(syntax, parameters) === 'identifier' ? [parameters] : childrenOf(syntax, parameters);
      for (const name of names) declarePattern(draft, name, {kind: 'local', node: name, source: callbackSource(draft, name)});
    },
    return_expression: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
};

function functionKind(syntax: Syntax, node: number): DeclaredKind {
  return HOMES.includes(around(syntax, node, ['template_body', 'enum_body'])) ? 'method' : 'function';
}

function valueKind(syntax: Syntax, node: number): DeclaredKind {
  if (HOMES.includes(around(syntax, node, ['template_body', 'enum_body']))) return 'property';
  return typeOf(syntax, node).startsWith('val') ? 'constant' : 'variable';
}

/** `import a.b`, `import a.{b, c => d}`, `import a._`. */
function importDeclaration(draft: Draft, node: number): void {
  const {syntax} = draft;
  const parts = childrenOf(syntax, node).filter((at) => fieldOf(syntax, at) === 'path');
  const selectors = childOf(syntax, node, 'namespace_selectors');
  const wildcard = childOf(syntax, node, 'namespace_wildcard');
  markHandled(draft, node);
  const path = parts.map((at) => textOf(syntax, at));
  const last = parts.at(-1);
  if (last === undefined) return;
  if (wildcard >= 0) draft.imports.push({node: last, local: '*', original: '*', module: path.join('.')});
  else if (selectors < 0)
    declareImport(draft, {node: last, local: textOf(syntax, last), original: textOf(syntax, last), module: path.slice(0, -1).join('.')});
  for (const selector of childrenOf(syntax, selectors)) {
    const [name, alias] = [childIn(syntax, selector, 'name'), childIn(syntax, selector, 'alias')];
    const nameNode = name < 0 ? selector : name;
    const local = textOf(syntax, alias < 0 ? nameNode : alias);
    if (typeOf(syntax, selector) === 'namespace_wildcard')
      draft.imports.push({node: selector, local: '*', original: '*', module: path.join('.')});
    else
      declareImport(draft, {
        node: nameNode,
        ...(alias < 0 ? {} : {localNode: alias}),
        local,
        original: textOf(syntax, nameNode),
        module: path.join('.'),
      });
  }
}
