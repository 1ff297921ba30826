import {declareImport, declareName, declarePattern, markHandled, nameText, sourceOf} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {isDeclared, isInner} from '../extract/scopes.ts';
import {noteReturn} from '../extract/sources.ts';
import {childIn, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {Language} from './language.ts';

export const lua: Language = {
  name: 'lua',
  grammar: 'lua',
  extensions: ['.lua'],
  sequential: true,
  self: ['self'],
  declares: {
    function_declaration: {kind: functionKind, name: functionName, owner: functionOwner},
    for_numeric_clause: {kind: 'local', value: 'start'},
  },
  scopes: {
    function_declaration: 'function',
    function_definition: 'lambda',
    block: 'block',
    for_statement: 'block',
    table_constructor: 'literal',
  },
  names: {identifier: {use: 'reference', space: 'both'}},
  places: {
    'function_call.name': 'call',
    'dot_index_expression.field': {of: 'table'},
    'method_index_expression.method': {of: 'table'},
    'goto_statement.': 'skip',
    'label_statement.': 'skip',
    'field.name': 'skip',
  },
  expressions: {
    identifier: {is: 'name'},
    dot_index_expression: {is: 'member', of: 'table', name: 'field'},
    method_index_expression: {is: 'member', of: 'table', name: 'method'},
    bracket_index_expression: {is: 'index', of: 'table'},
    function_call: {is: 'call', callee: 'name'},
    parenthesized_expression: {is: 'pass'},
    expression_list: {is: 'pass'},
  },
  types: {},
  patterns: {identifier: {is: 'leaf'}, variable_list: {is: 'zip'}, expression_list: {is: 'zip'}},
  comments: ['comment'],
  wrappers: ['variable_declaration', 'assignment_statement'],
  exported: (syntax, node) =>
    !/^\s*local\b/u.test(
      textOf(syntax, typeOf(syntax, parentOf(syntax, node)) === 'variable_declaration' ? parentOf(syntax, node) : node).slice(0, 20),
    ),
  special: {
    assignment_statement: assignment,
    parameters: (draft, node) => {
      for (const child of childrenOf(draft.syntax, node)) declarePattern(draft, child, {kind: 'local', node: child});
    },
    for_generic_clause: (draft, node) => {
      const [names] = childrenOf(draft.syntax, node);
      for (const name of childrenOf(draft.syntax, names ?? -1)) declarePattern(draft, name, {kind: 'local', node});
    },
    variable_declaration: (draft, node) => {
      // `local a` without a value.
      for (const child of childrenOf(draft.syntax, node)) {
        if (typeOf(draft.syntax, child) === 'variable_list') declareVariables(draft, child, {node, value: -1, isLocal: true});
      }
    },
    field: (draft, node) => {
      const {syntax} = draft;
      const [name, value] = [childIn(syntax, node, 'name'), childIn(syntax, node, 'value')];
      if (name < 0 || typeOf(syntax, name) !== 'identifier') return;
      const kind = typeOf(syntax, value) === 'function_definition' ? 'method' : 'property';
      declareName(draft, {kind, nameNode: name, node, source: sourceOf(draft, -1, value), bodyNode: childIn(syntax, value, 'body')});
    },
    return_statement: returned,
  },
  transparent: ['expression_list'],
};

/** What a file gives back is what `require` of it means. */
function returned(draft: Draft, node: number): void {
  const {syntax} = draft;
  const value = childrenOf(syntax, node)[0] ?? -1;
  noteReturn(draft, value);
  const single = typeOf(syntax, value) === 'expression_list' ? (childrenOf(syntax, value)[0] ?? -1) : value;
  if (draft.scope !== 0 || single < 0) return;
  if (typeOf(syntax, single) === 'identifier') draft.exports.push({node: single, name: '=', original: textOf(syntax, single)});
  if (typeOf(syntax, single) !== 'table_constructor') return;
  for (const field of childrenOf(syntax, single)) {
    const [name, own] = [childIn(syntax, field, 'name'), childIn(syntax, field, 'value')];
    if (typeOf(syntax, name) === 'identifier' && typeOf(syntax, own) === 'identifier')
      draft.exports.push({node: name, name: textOf(syntax, name), original: textOf(syntax, own)});
  }
}

/** `setmetatable({}, Class)` is an object of that class. */
function objectOf(syntax: Syntax, value: number): number {
  if (typeOf(syntax, value) !== 'function_call' || textOf(syntax, childIn(syntax, value, 'name')) !== 'setmetatable') return value;
  const [, meta] = childrenOf(syntax, childIn(syntax, value, 'arguments'));
  return meta !== undefined && typeOf(syntax, meta) === 'identifier' ? meta : value;
}

function functionKind(syntax: Syntax, node: number): 'function' | 'method' {
  return typeOf(syntax, childIn(syntax, node, 'name')) === 'identifier' ? 'function' : 'method';
}

function functionName(syntax: Syntax, node: number): number {
  const name = childIn(syntax, node, 'name');
  const part = childIn(syntax, name, 'field');
  return part >= 0 ? part : childIn(syntax, name, 'method') >= 0 ? childIn(syntax, name, 'method') : name;
}

function functionOwner(syntax: Syntax, node: number): string | undefined {
  const table = childIn(syntax, childIn(syntax, node, 'name'), 'table');
  return table < 0 ? undefined : textOf(syntax, table);
}

function assignment(draft: Draft, node: number): void {
  const {syntax} = draft;
  const [names, values] = childrenOf(syntax, node);
  const isLocal = typeOf(syntax, parentOf(syntax, node)) === 'variable_declaration';
  if (names !== undefined) declareVariables(draft, names, {node, value: values ?? -1, isLocal});
}

interface Assigned {
  readonly node: number;
  readonly value: number;
  readonly isLocal: boolean;
}

function declareVariables(draft: Draft, names: number, given: Assigned): void {
  const {syntax} = draft;
  const values = childrenOf(syntax, given.value);
  for (const [index, name] of childrenOf(syntax, names).entries()) {
    const own = {...given, value: values[index] ?? -1};
    if (typeOf(syntax, name).endsWith('_index_expression')) declareMember(draft, name, own);
    else if (typeOf(syntax, name) === 'identifier') declareVariable(draft, name, own);
  }
}

/** `A.b = …` and `A["b"] = …` outside of functions declare a member of `A`. */
function declareMember(draft: Draft, name: number, {node, value}: Assigned): void {
  const {syntax} = draft;
  if (isInner(draft)) return;
  const kind = typeOf(syntax, value) === 'function_definition' ? 'method' : 'property';
  const owner = textOf(syntax, childIn(syntax, name, 'table'));
  const [nameNode, bodyNode] = [childIn(syntax, name, 'field'), childIn(syntax, value, 'body')];
  if (!['identifier', 'string'].includes(typeOf(syntax, nameNode))) return;
  declareName(draft, {kind, nameNode, node, owner, source: sourceOf(draft, -1, value), bodyNode});
}

function declareVariable(draft: Draft, nameNode: number, {node, value, isLocal}: Assigned): void {
  const {syntax} = draft;
  const name = textOf(syntax, nameNode);
  const module = isLocal ? requiredModule(syntax, value) : undefined;
  if (module !== undefined) {
    markHandled(draft, childIn(syntax, value, 'name'));
    return declareImport(draft, {node: nameNode, local: name, original: '=', module});
  }
  if (!isLocal && isDeclared(draft, name)) return;
  const kind = typeOf(syntax, value) === 'function_definition' ? 'function' : 'variable';
  const bodyNode = kind === 'function' ? childIn(syntax, value, 'body') : -1;
  const scope = isLocal ? draft.scope : 0;
  declareName(draft, {kind, nameNode, node, source: sourceOf(draft, -1, objectOf(syntax, value)), bodyNode, scope});
}

function requiredModule(syntax: Syntax, call: number): string | undefined {
  if (call < 0 || textOf(syntax, childIn(syntax, call, 'name')) !== 'require') return undefined;
  const list = childIn(syntax, call, 'arguments');
  const first = childrenOf(syntax, list)[0] ?? list;
  return typeOf(syntax, first) === 'string' ? nameText(syntax, first) : undefined;
}
