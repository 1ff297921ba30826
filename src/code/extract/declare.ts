import {SPACE} from '../languages/language.ts';
import {HANDLED, NO_SOURCE} from './draft.ts';
import type {Draft, DraftImport, DraftScope, NewName, TypeSource} from './draft.ts';
import {afterOf, startOf, childIn, childrenOf, fieldOf, parentOf, textOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';

/**
 * Enters a name into the present scope, as a symbol where others can see it, else as a local name. Gives the number of the symbol, -1 for a
 * local name.
 */
export function declareName(draft: Draft, given: NewName): number {
  const name = nameOf(draft, given);
  const scope = given.scope ?? draft.scope;
  const home = draft.scopes[scope];
  if (name === '' || home === undefined) return -1;
  const symbol = isSymbol(home, given) ? newSymbol(draft, {...given, name}, scope) : -1;
  if (symbol === -1 && given.kind !== 'local' && home.kind === 'literal') {
    draft.marks[given.nameNode] = HANDLED;
    return -1;
  }
  return bind(draft, {...given, name}, {scope, symbol, home});
}

function nameOf({syntax, language}: Draft, given: NewName): string {
  const written = given.name ?? nameText(syntax, given.nameNode);
  return language.nameOf?.(written) ?? written;
}

interface Bound {
  readonly scope: number;
  readonly symbol: number;
  readonly home: DraftScope;
}

function bind(draft: Draft, given: NewName & {readonly name: string}, {scope, symbol, home}: Bound): number {
  const {name, space = SPACE.both, source = NO_SOURCE} = given;
  const binding = draft.bindings.push({name, node: given.nameNode, scope, symbol, import: -1, space, source});
  // The type that an implementation is of is used there, not declared.
  if (given.kind === 'impl') return symbol;
  if (isBare(draft, given, home)) enter(home, name, binding - 1);
  draft.marks[given.nameNode] = binding;
  return symbol;
}

/** Whether the name alone, without a dot before it, can mean it. A module named by a string (`declare module 'm'`) is never meant so. */
function isBare({syntax}: Draft, given: NewName, home: DraftScope): boolean {
  if (given.owner !== undefined || given.hidden === true) return false;
  return home.kind !== 'namespace' || !/["']/u.test(syntax.text[startOf(syntax, given.nameNode)] ?? '');
}

/** Enters what a file takes from another one. Without `local` it binds no name. */
export function declareImport(draft: Draft, given: DraftImport): void {
  const index = draft.imports.push(given) - 1;
  const node = given.localNode ?? given.node;
  draft.marks[given.node] = HANDLED;
  draft.marks[node] = HANDLED;
  if (given.local === undefined) return;
  const scope = draft.scopes[draft.scope];
  const binding = {name: given.local, node, scope: draft.scope, symbol: -1, import: index, space: SPACE.both, source: NO_SOURCE};
  const number = draft.bindings.push(binding);
  if (scope !== undefined) enter(scope, given.local, number - 1);
  draft.marks[node] = number;
}

function enter(scope: DraftScope, name: string, binding: number): void {
  const others = scope.names.get(name);
  if (others === undefined) scope.names.set(name, [binding]);
  else others.push(binding);
}

/** Enters each name that a pattern binds: `{a, b: [c]}`. `base` tells what the whole pattern is matched with. */
export function declarePattern(draft: Draft, pattern: number, base: Omit<NewName, 'nameNode'>): void {
  const {syntax, language} = draft;
  const rule = pattern < 0 ? undefined : language.patterns[typeOf(syntax, pattern)];
  if (rule === undefined) return;
  const source = base.source ?? NO_SOURCE;
  const next = (child: number, step: string): void =>
    declarePattern(draft, child, {...base, source: {...source, steps: source.steps + step}});
  switch (rule.is) {
    case 'leaf':
      if (isNew(draft, pattern, rule)) declareName(draft, {...base, nameNode: pattern});
      break;
    case 'zip':
      zip(draft, pattern, {...base, source});
      break;
    case 'member':
      declareName(draft, {...base, nameNode: pattern, source: {...source, steps: `${source.steps}.${textOf(syntax, pattern)}`}});
      break;
    case 'rest':
      restOf(draft, pattern, base);
      break;
    case 'element':
      for (const child of childrenOf(syntax, pattern)) next(child, '[]');
      break;
    case 'through':
      draft.matched.set(pattern, source);
      through(draft, pattern, {only: rule.only, except: rule.except, next});
      break;
    default:
      next(childIn(syntax, pattern, rule.value), `.${nameText(syntax, childIn(syntax, pattern, rule.key))}`);
  }
}

/** Not a constant that is compared with, which has a capital there, and not a name that is taken up again. */
function isNew(draft: Draft, pattern: number, {lower, once}: {readonly lower?: boolean; readonly once?: boolean}): boolean {
  const isConstant = lower === true && /^\p{Lu}/u.test(textOf(draft.syntax, pattern));
  return !isConstant && !(once === true && isAgain(draft, pattern));
}

/** `a, err := …` where this block, or the function whose body it is, has `err` already. */
function isAgain({syntax, scopes, scope}: Draft, node: number): boolean {
  const name = textOf(syntax, node);
  const home = scopes[scope];
  if (home === undefined || !home.inner || name === '_') return false;
  const around = scopes[home.parent];
  const isBody = home.kind === 'block' && around?.node === parentOf(syntax, home.node) && around.kind !== 'block';
  return home.names.has(name) || (isBody && around.names.has(name));
}

/** The rest of a list of parameters has the type that is written; the rest of a pattern has none. */
function restOf(draft: Draft, pattern: number, base: Omit<NewName, 'nameNode'>): void {
  const {syntax, language} = draft;
  const outermost = language.patterns[typeOf(syntax, parentOf(syntax, pattern))] === undefined;
  for (const child of childrenOf(syntax, pattern)) declarePattern(draft, child, outermost ? base : {...base, source: NO_SOURCE});
}

/** The name that a node writes: without the quotes of a string. */
export function nameText(syntax: Syntax, node: number): string {
  if (node < 0) return '';
  const text = textOf(syntax, node);
  const quoted = /^(['"`])(.*)\1$/su.exec(text);
  return (quoted === null ? text : (quoted[2] ?? '')).slice(0, LONGEST_NAME);
}

const LONGEST_NAME = 200;

/** A type read from these nodes, in the present scope. */
export function sourceOf(draft: Draft, type: number, value: number): TypeSource {
  return {...NO_SOURCE, type, value, scope: draft.scope};
}

interface Through {
  readonly only: string | undefined;
  readonly except: string | undefined;
  readonly next: (child: number, step: string) => void;
}

function through({syntax}: Draft, pattern: number, {only, except, next}: Through): void {
  const end = afterOf(syntax, pattern);
  for (let child = pattern + 1; child < end; child = afterOf(syntax, child)) {
    const field = fieldOf(syntax, child);
    if ((only === undefined || field === only) && (except === undefined || field !== except)) next(child, '');
  }
}

/** `a, b = c, d`: the first has the type of a single value, for that is what functions with several results are asked for. */
function zip(draft: Draft, pattern: number, base: Omit<NewName, 'nameNode'> & {readonly source: TypeSource}): void {
  const {source} = base;
  const values = listed(draft, source.value);
  for (const [index, name] of childrenOf(draft.syntax, pattern).entries()) {
    const single = values.length === 1 && source.steps === '' && index > 0;
    const value = single ? -1 : (values[source.steps === '' ? index : 0] ?? -1);
    declarePattern(draft, name, {...base, source: value < 0 ? {...source, value, steps: ''} : {...source, value}});
  }
}

function listed({syntax, language}: Draft, value: number): number[] {
  if (value < 0) return [];
  return language.patterns[typeOf(syntax, value)]?.is === 'zip' ? childrenOf(syntax, value) : [value];
}

/** The names within are no uses. */
export function markHandled(draft: Draft, node: number): void {
  if (node < 0) return;
  const end = afterOf(draft.syntax, node);
  for (let at = node; at < end; at++) draft.marks[at] = HANDLED;
}

/** Variables within functions are local; functions and types are worth finding wherever they stand; members belong to an owner. */
function isSymbol(home: DraftScope, given: NewName): boolean {
  if (given.kind === 'local') return false;
  if (given.owner !== undefined) return true;
  if (home.kind === 'literal') return home.owner >= 0;
  if (given.kind === 'property') return home.owner >= 0 || home.kind === 'namespace';
  if (given.kind === 'enum_member' || given.kind === 'method') return home.owner >= 0;
  return !home.inner || (given.kind !== 'variable' && given.kind !== 'constant');
}

function newSymbol(draft: Draft, given: NewName & {readonly name: string}, scope: number): number {
  const kind = given.kind === 'local' ? 'variable' : given.kind;
  const parent = draft.scopes[scope]?.owner ?? -1;
  const symbol = draft.symbols.push({
    name: given.name,
    kind,
    parent,
    node: given.node,
    outer: outerOf(draft, given.node),
    nameNode: given.nameNode,
    bodyNode: given.bodyNode ?? -1,
    source: given.source ?? NO_SOURCE,
    owner: given.owner,
    exported: given.exported ?? isExported(draft, given, parent),
  });
  if (!draft.symbolOf.has(given.node)) draft.symbolOf.set(given.node, symbol - 1);
  return symbol - 1;
}

function isExported(draft: Draft, given: NewName & {readonly name: string}, parent: number): boolean {
  const around = parent < 0 || draft.symbols[parent]?.exported === true;
  return around && draft.language.exported(draft.syntax, given.node, given.name);
}

/** The declaration with what belongs to it: the statement around a single declarator, `export`, decorators. */
function outerOf({syntax, language}: Draft, node: number): number {
  let outer = node;
  for (;;) {
    const parent = parentOf(syntax, outer);
    if (parent < 0 || !language.wrappers.includes(typeOf(syntax, parent))) return outer;
    const type = typeOf(syntax, outer);
    const alike = childrenOf(syntax, parent).filter((child) => typeOf(syntax, child) === type);
    if (alike.length > 1) return outer;
    outer = parent;
  }
}
