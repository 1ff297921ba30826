import {declareImport, declarePattern, markHandled} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {callbackSource, noteReturn} from '../extract/sources.ts';
import {ancestorOf, childIn, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {DeclareRule, Language} from './language.ts';
import {MISREAD_RUST, mendRust} from './rust-mend.ts';
import {around, before, child, has, none} from './shapes.ts';

const STRUCT: DeclareRule = {kind: 'struct'};
const METHOD_HOMES: ReadonlySet<string> = new Set(['impl_item', 'trait_item']);

export const rust: Language = {
  name: 'rust',
  grammar: 'rust',
  extensions: ['.rs'],
  self: ['self'],
  selfTypes: ['Self'],
  sequential: true,
  declares: {
    function_item: {kind: (syntax, node) => (METHOD_HOMES.has(around(syntax, node, ['declaration_list'])) ? 'method' : 'function')},
    function_signature_item: {
      kind: (syntax, node) => (METHOD_HOMES.has(around(syntax, node, ['declaration_list'])) ? 'method' : 'function'),
    },
    struct_item: STRUCT,
    union_item: STRUCT,
    enum_item: {kind: 'enum'},
    enum_variant: {kind: 'enum_member', type: none},
    trait_item: {kind: 'trait'},
    type_item: {kind: 'type'},
    associated_type: {kind: 'type'},
    const_item: {kind: 'constant'},
    static_item: {kind: 'variable'},
    mod_item: {kind: 'module'},
    macro_definition: {kind: 'function', body: child('macro_rule')},
    impl_item: {kind: 'impl', name: (syntax, node) => implName(syntax, node), type: none},
    field_declaration: {kind: 'property'},
    parameter: {kind: 'local', name: 'pattern'},
    let_declaration: {kind: 'local', name: 'pattern'},
    let_condition: {kind: 'local', name: 'pattern'},
    for_expression: {kind: 'local', name: 'pattern', element: true},
    match_pattern: {kind: 'local', name: (syntax, node) => childrenOf(syntax, node)[0] ?? -1, type: none, value: none},
    type_parameter: {kind: 'local', type: none, space: 'type'},
    const_parameter: {kind: 'local'},
  },
  scopes: {
    function_item: 'function',
    function_signature_item: 'function',
    closure_expression: 'lambda',
    block: 'block',
    for_expression: 'block',
    if_expression: 'block',
    while_expression: 'block',
    match_arm: 'block',
    mod_item: 'namespace',
    struct_item: 'type',
    union_item: 'type',
    enum_item: 'type',
    enum_variant: 'type',
    trait_item: 'type',
    impl_item: 'type',
    type_item: 'lambda',
    macro_definition: 'lambda',
  },
  names: {
    identifier: {use: 'reference', space: 'both'},
    type_identifier: {use: 'uses_type', space: 'both'},
    field_identifier: {use: 'skip'},
    shorthand_field_identifier: {use: 'skip'},
  },
  places: {
    'call_expression.function': 'call',
    'macro_invocation.macro': 'call',
    'field_expression.field': {of: 'value'},
    'scoped_identifier.name': {of: 'path'},
    'scoped_type_identifier.name': {of: 'path'},
    'generic_function.function': 'climb',
    'generic_type.type': 'climb',
    'impl_item.trait': 'implements',
    'trait_item.bounds': 'extends',
    'trait_bounds.': 'climb',
    'struct_expression.name': 'reference',
    'lifetime.': 'skip',
    'attribute.': 'skip',
    'extern_crate_declaration.name': 'skip',
    'token_tree.': {of: tokenBefore},
  },
  expressions: {
    identifier: {is: 'name'},
    self: {is: 'this'},
    crate: {is: 'name'},
    super: {is: 'name'},
    field_expression: {is: 'member', of: 'value', name: 'field'},
    scoped_identifier: {is: 'member', of: 'path', name: 'name'},
    call_expression: {is: 'call', callee: 'function'},
    generic_function: {is: 'pass', inner: 'function'},
    struct_expression: {is: 'new', type: 'name'},
    index_expression: {is: 'index', of: ''},
    await_expression: {is: 'await'},
    try_expression: {is: 'await'},
    reference_expression: {is: 'pass', inner: 'value'},
    parenthesized_expression: {is: 'pass'},
    unary_expression: {is: 'pass'},
    type_cast_expression: {is: 'cast', type: 'type'},
    string_literal: {is: 'literal', type: 'str'},
    type_identifier: {is: 'name'},
  },
  types: {
    type_identifier: {is: 'name'},
    scoped_type_identifier: {is: 'name'},
    primitive_type: {is: 'name'},
    identifier: {is: 'name'},
    reference_type: {
      is: 'pass',
      inner: child('type_identifier', 'generic_type', 'scoped_type_identifier', 'array_type', 'primitive_type', 'dynamic_type'),
    },
    dynamic_type: {is: 'pass'},
    abstract_type: {is: 'pass'},
    generic_type: {is: 'generic', name: 'type', args: 'type_arguments'},
    array_type: {is: 'array'},
  },
  patterns: {
    identifier: {is: 'leaf', lower: true},
    shorthand_field_identifier: {is: 'member'},
    tuple_pattern: {is: 'element'},
    tuple_struct_pattern: {is: 'through', except: 'type'},
    struct_pattern: {is: 'through', except: 'type'},
    field_pattern: {is: 'through', except: 'name'},
    slice_pattern: {is: 'element'},
    ref_pattern: {is: 'through'},
    mut_pattern: {is: 'through'},
    reference_pattern: {is: 'through'},
    captured_pattern: {is: 'through'},
    or_pattern: {is: 'through'},
    match_pattern: {is: 'through', except: 'condition'},
  },
  comments: ['line_comment', 'block_comment'],
  wrappers: [],
  decorations: ['attribute_item'],
  exported: (syntax, node) =>
    has(syntax, node, 'visibility_modifier') || ['enum_variant', 'impl_item'].includes(typeOf(syntax, node)) || inTrait(syntax, node),
  special: {
    use_declaration: (draft, node) => {
      markHandled(draft, node);
      imported(draft, childIn(draft.syntax, node, 'argument'), '');
    },
    closure_parameters: (draft, node) => {
      for (const parameter of childrenOf(draft.syntax, node)) {
        declarePattern(draft, parameter, {kind: 'local', node: parameter, source: callbackSource(draft, parameter)});
      }
    },
    field_pattern: (draft, node) => {
      const name = childIn(draft.syntax, node, 'name');
      if (typeOf(draft.syntax, name) === 'shorthand_field_identifier') declarePattern(draft, name, {kind: 'local', node});
    },
    return_expression: (draft, node) => noteReturn(draft, childrenOf(draft.syntax, node)[0] ?? -1),
  },
  mend: mendRust,
  misread: MISREAD_RUST,
};

/** What a name in a macro is a member of: the single name before its dot; for more than that the whole list of words, which means nothing. */
function tokenBefore(syntax: Syntax, node: number): number {
  if (!isBehindDot(syntax, node)) return -1;
  const owner = before(syntax, node);
  return owner < 0 || isBehindDot(syntax, owner) ? parentOf(syntax, node) : owner;
}

/** Behind `.` or `::`, but not behind `..`. */
function isBehindDot({text, start}: Syntax, node: number): boolean {
  return /(?:(?<!\.)\.|::)\s*$/u.test(text.slice(Math.max(0, (start[node] ?? 0) - 40), start[node]));
}

function implName(syntax: Draft['syntax'], node: number): number {
  const type = childIn(syntax, node, 'type');
  return typeOf(syntax, type) === 'generic_type' ? childIn(syntax, type, 'type') : type;
}

/** What stands in a trait, or implements one, is seen where the trait is. */
function inTrait(syntax: Draft['syntax'], node: number): boolean {
  const home = ancestorOf(syntax, node, 'trait_item', 'impl_item', 'mod_item', 'function_item');
  return (
    home >= 0 && (typeOf(syntax, home) === 'trait_item' || (typeOf(syntax, home) === 'impl_item' && childIn(syntax, home, 'trait') >= 0))
  );
}

/** `use a::{b, c::d as e, f::*}`: each leaf by itself. */
function imported(draft: Draft, node: number, prefix: string): void {
  const {syntax} = draft;
  if (node < 0) return;
  const type = typeOf(syntax, node);
  if (type === 'scoped_use_list') {
    const path = join(prefix, childIn(syntax, node, 'path') < 0 ? '' : textOf(syntax, childIn(syntax, node, 'path')));
    for (const leaf of childrenOf(syntax, childIn(syntax, node, 'list'))) imported(draft, leaf, path);
  } else if (type === 'use_list') for (const leaf of childrenOf(syntax, node)) imported(draft, leaf, prefix);
  else if (type === 'use_wildcard') {
    const path = childrenOf(syntax, node)[0];
    draft.imports.push({
      node,
      local: '*',
      original: '*',
      module: fromFile(draft, join(prefix, path === undefined ? '' : textOf(syntax, path))),
    });
    importedFrom(draft, path ?? -1, prefix);
  } else if (type === 'use_as_clause') {
    const [path, alias] = [childIn(syntax, node, 'path'), childIn(syntax, node, 'alias')];
    leafImport(draft, {path, alias, prefix});
  } else leafImport(draft, {path: node, alias: -1, prefix});
}

/** The type whose members are all taken is named there, too: `use frame::Frame::*`. */
function importedFrom(draft: Draft, path: number, prefix: string): void {
  const {syntax} = draft;
  const node = childIn(syntax, path, 'name');
  if (node < 0 || !/^\p{Lu}/u.test(textOf(syntax, node))) return;
  const module = join(prefix, textOf(syntax, childIn(syntax, path, 'path')));
  draft.imports.push({node, original: textOf(syntax, node), module: fromFile(draft, module)});
}

function leafImport(draft: Draft, {path, alias, prefix}: {readonly path: number; readonly alias: number; readonly prefix: string}): void {
  const {syntax} = draft;
  const node = typeOf(syntax, path) === 'scoped_identifier' ? childIn(syntax, path, 'name') : path;
  const scope = typeOf(syntax, path) === 'scoped_identifier' ? childIn(syntax, path, 'path') : -1;
  const module = join(prefix, scope < 0 ? '' : textOf(syntax, scope));
  const name = textOf(syntax, node);
  const local = alias < 0 ? (name === 'self' ? (module.split('::').at(-1) ?? name) : name) : textOf(syntax, alias);
  const whole = name === 'self' || module === '';
  declareImport(draft, {
    node,
    ...(alias < 0 ? {} : {localNode: alias}),
    local,
    original: whole ? '*' : name,
    module: module === '' ? name : fromFile(draft, module),
  });
}

/** `super` in a module that stands in the file is the file itself. */
function fromFile({scopes, scope}: Draft, module: string): string {
  let parts = module.split('::');
  for (let home = scopes[scope]; home !== undefined && home.parent >= 0 && parts[0] === 'super'; home = scopes[home.parent]) {
    if (home.kind === 'namespace') parts = parts[1] === 'super' ? parts.slice(1) : ['self', ...parts.slice(1)];
  }
  return parts.join('::');
}

function join(prefix: string, path: string): string {
  return prefix === '' ? path : path === '' ? prefix : `${prefix}::${path}`;
}
