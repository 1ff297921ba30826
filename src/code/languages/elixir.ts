import {declareImport, declareName, declarePattern, markHandled} from '../extract/declare.ts';
import type {Draft} from '../extract/draft.ts';
import {isInner} from '../extract/scopes.ts';
import {childIn, childOf, childrenOf, parentOf, textOf, typeOf} from '../extract/syntax.ts';
import type {Syntax} from '../extract/syntax.ts';
import type {SymbolKind} from '../symbol.ts';
import type {Language, ScopeKind} from './language.ts';

/** In this language all is a call: `defmodule`, `def`, `alias`. The first word tells what it is. */
const DEFINES: Readonly<Record<string, SymbolKind>> = {
  defmodule: 'module',
  defprotocol: 'interface',
  defimpl: 'impl',
  def: 'function',
  defp: 'function',
  defmacro: 'function',
  defmacrop: 'function',
  defguard: 'function',
  defguardp: 'function',
  defdelegate: 'function',
  defn: 'function',
};
const RECORDS = /^(?:Record\.)?defrecordp?$/u;
/** Attributes that tell the compiler or a tool something: no one reads them as constants. */
const RESERVED =
  /^(?:(?:module|type|short)?doc|spec|impl|behaviour|dialyzer|derive|(?:module|describe)?tag|since|deprecated|compile|external_resource|(?:before|after)_compile|after_verify|on_definition|on_load|enforce_keys|optional_callbacks|fallback_to_any|vsn)$/u;
const CONTAINERS: ReadonlySet<string> = new Set(['defmodule', 'defprotocol', 'defimpl']);

export const elixir: Language = {
  name: 'elixir',
  grammar: 'elixir',
  extensions: ['.ex', '.exs'],
  membersInScope: true,
  sequential: true,
  declares: {},
  scopes: {call: scopeOfCall, anonymous_function: 'lambda', stab_clause: 'block'},
  names: {identifier: {use: 'reference', space: 'both'}, alias: {use: 'reference', space: 'both'}},
  places: {
    'call.target': 'call',
    'dot.right': {of: 'left'},
    'dot.left': 'reference',
    'unary_operator.operand': 'reference',
  },
  expressions: {
    identifier: {is: 'name'},
    alias: {is: 'name'},
    dot: {is: 'member', of: 'left', name: 'right'},
    call: {is: 'call', callee: 'target'},
  },
  types: {},
  patterns: {
    identifier: {is: 'leaf'},
    tuple: {is: 'through'},
    list: {is: 'through'},
    map: {is: 'through'},
    map_content: {is: 'through'},
    keywords: {is: 'through'},
    pair: {is: 'through', only: 'value'},
    binary_operator: {is: 'through'},
    arguments: {is: 'through'},
  },
  comments: ['comment'],
  wrappers: [],
  exported: (syntax, node) => !/^(?:defp|defmacrop|defguardp)\b/u.test(textOf(syntax, node).slice(0, 12)),
  special: {call, arguments: parameters, binary_operator: match, stab_clause: clause, unary_operator: attribute},
};

function wordOf(syntax: Syntax, node: number): string {
  const target = childIn(syntax, node, 'target');
  return typeOf(syntax, target) === 'identifier' ? textOf(syntax, target) : '';
}

function scopeOfCall(syntax: Syntax, node: number): ScopeKind | undefined {
  const word = wordOf(syntax, node);
  if (CONTAINERS.has(word)) return 'type';
  return DEFINES[word] === undefined ? undefined : 'function';
}

function call(draft: Draft, node: number): void {
  const {syntax} = draft;
  const word = wordOf(syntax, node);
  const first = childrenOf(syntax, childOf(syntax, node, 'arguments'))[0] ?? -1;
  if (first < 0) return;
  const kind = DEFINES[word];
  if (kind !== undefined) define(draft, {node, first, kind, word});
  else if (word === 'alias' || word === 'import' || word === 'require' || word === 'use') imported(draft, {node, first, word});
  else special(draft, {node, first, word});
}

/** What a library defines: a test, the fields of a structure or a record. */
function special(draft: Draft, {node, first, word}: {readonly node: number; readonly first: number; readonly word: string}): void {
  const {syntax} = draft;
  const isRecord = RECORDS.test(textOf(syntax, childIn(syntax, node, 'target'))) && typeOf(syntax, first) === 'atom';
  if (word === 'test' && typeOf(syntax, first) === 'string' && !isInner(draft))
    declareName(draft, {kind: 'function', nameNode: first, node, bodyNode: childOf(syntax, node, 'do_block'), hidden: true});
  else if (isRecord) declareName(draft, {kind: 'struct', name: textOf(syntax, first).slice(1), nameNode: first, node, hidden: true});
  else if (word === 'defstruct') {
    const nameNode = childIn(syntax, node, 'target');
    const name = '__struct__';
    declareName(draft, {kind: 'struct', name, nameNode, node, hidden: true});
  }
}

interface Defined {
  readonly node: number;
  readonly first: number;
  readonly kind: SymbolKind;
  readonly word: string;
}

/** `def name(a, b) when c`, `def name, do:`, `def left <> right`: the head is a call, a name, or an operator. */
function define(draft: Draft, {node, first, kind, word}: Defined): void {
  const {syntax} = draft;
  markHandled(draft, childIn(syntax, node, 'target'));
  let head = first;
  if (operatorOf(syntax, head) === 'when') head = childIn(syntax, head, 'left');
  const operator = operatorOf(syntax, head);
  if (operator !== '' && !CONTAINERS.has(word)) return defineOperator(draft, {node, head, operator});
  const nameNode = typeOf(syntax, head) === 'call' ? childIn(syntax, head, 'target') : head;
  if (CONTAINERS.has(word) ? typeOf(syntax, nameNode) !== 'alias' : typeOf(syntax, nameNode) !== 'identifier') return;
  const bodyNode = childOf(syntax, node, 'do_block');
  const again = !CONTAINERS.has(word) && sameClause(draft, textOf(syntax, nameNode));
  if (again) markHandled(draft, nameNode);
  else declareName(draft, {kind, nameNode, node, bodyNode});
}

/** `<>` in `def left <> right`; empty for what is no operation on two values. */
function operatorOf(syntax: Syntax, node: number): string {
  if (typeOf(syntax, node) !== 'binary_operator') return '';
  return syntax.text.slice(syntax.end[childIn(syntax, node, 'left')], syntax.start[childIn(syntax, node, 'right')]).trim();
}

function defineOperator(
  draft: Draft,
  {node, head, operator}: {readonly node: number; readonly head: number; readonly operator: string},
): void {
  const {syntax} = draft;
  if (sameClause(draft, operator)) return;
  declareName(draft, {kind: 'function', name: operator, nameNode: head, node, bodyNode: childOf(syntax, node, 'do_block')});
}

/** Several clauses are one function: the first stands for it. */
function sameClause(draft: Draft, name: string): boolean {
  return (draft.scopes[draft.scope]?.names.get(name) ?? []).length > 0;
}

function imported(draft: Draft, {node, first, word}: {readonly node: number; readonly first: number; readonly word: string}): void {
  const {syntax} = draft;
  markHandled(draft, node);
  if (typeOf(syntax, first) === 'dot') {
    const prefix = textOf(syntax, childIn(syntax, first, 'left'));
    for (const part of childrenOf(syntax, childIn(syntax, first, 'right')))
      importOne(draft, {node: part, module: `${prefix}.${textOf(syntax, part)}`});
    return;
  }
  if (typeOf(syntax, first) !== 'alias') return;
  const module = textOf(syntax, first);
  const as = /\bas:\s*([\w.]+)/u.exec(textOf(syntax, node))?.[1];
  if (word === 'alias') importOne(draft, {node: first, module, ...(as === undefined ? {} : {as})});
  else draft.imports.push({node: first, ...(word === 'require' ? {} : {local: '*'}), original: '*', module});
}

function importOne(draft: Draft, {node, module, as}: {readonly node: number; readonly module: string; readonly as?: string}): void {
  declareImport(draft, {node, local: as ?? module.split('.').at(-1) ?? module, original: '*', module});
}

/** The names between the brackets of a head: `def name(a, %{b: c})`. */
function parameters(draft: Draft, node: number): void {
  const {syntax} = draft;
  let head = parentOf(syntax, node);
  if (typeOf(syntax, head) !== 'call') return;
  if (typeOf(syntax, parentOf(syntax, head)) === 'binary_operator') head = parentOf(syntax, head);
  const list = parentOf(syntax, head);
  if (typeOf(syntax, list) !== 'arguments' || childrenOf(syntax, list)[0] !== head) return;
  const word = wordOf(syntax, parentOf(syntax, list));
  if (DEFINES[word] !== undefined && !CONTAINERS.has(word)) declarePattern(draft, node, {kind: 'local', node});
}

/** `left = right` binds the names of the left side. */
function match(draft: Draft, node: number): void {
  const {syntax} = draft;
  const [left, right] = [childIn(syntax, node, 'left'), childIn(syntax, node, 'right')];
  if (left < 0 || right < 0) return;
  const list = parentOf(syntax, node);
  const holder = typeOf(syntax, list) === 'arguments' && childrenOf(syntax, list)[0] === node ? wordOf(syntax, parentOf(syntax, list)) : '';
  const isHead = DEFINES[holder] !== undefined && !CONTAINERS.has(holder) && operatorOf(syntax, node) !== 'when';
  if (isHead) declarePattern(draft, right, {kind: 'local', node});
  else if (operatorOf(syntax, node) !== '=' || draft.scopes[draft.scope]?.inner !== true) return;
  declarePattern(draft, left, {kind: 'local', node});
}

/** The parameters of a function and of each clause. */
function clause(draft: Draft, node: number): void {
  const left = childIn(draft.syntax, node, 'left');
  if (left >= 0) declarePattern(draft, left, {kind: 'local', node});
}

/** `@name value` declares a constant of the module, `@type t :: …` a type. What documents is no use. */
function attribute(draft: Draft, node: number): void {
  const {syntax} = draft;
  if (syntax.text[syntax.start[node] ?? 0] !== '@') return;
  const operand = childIn(syntax, node, 'operand');
  if (typeOf(syntax, operand) !== 'call') return;
  const target = childIn(syntax, operand, 'target');
  const name = textOf(syntax, target);
  const value = childOf(syntax, operand, 'arguments');
  markHandled(draft, target);
  if (RESERVED.test(name) || value < 0) {
    markHandled(draft, operand);
    return;
  }
  if (/^(?:typep?|opaque|callback|macrocallback)$/u.test(name)) declareType(draft, childrenOf(syntax, value)[0] ?? -1, node);
  else if (!isInner(draft) && !sameClause(draft, name)) declareName(draft, {kind: 'constant', name, nameNode: target, node});
}

/** `@type name(a) :: …`, `@callback name(a) :: …`. */
function declareType(draft: Draft, first: number, node: number): void {
  const {syntax} = draft;
  let left = first;
  // `name(a) :: b when a: c` is an operation on an operation.
  while (typeOf(syntax, left) === 'binary_operator') left = childIn(syntax, left, 'left');
  const nameNode = typeOf(syntax, left) === 'call' ? childIn(syntax, left, 'target') : left;
  const kind = /^@(?:macro)?callback\b/u.test(textOf(syntax, node)) ? 'method' : 'type';
  if (typeOf(syntax, nameNode) === 'identifier') declareName(draft, {kind, nameNode, node, hidden: true});
}
