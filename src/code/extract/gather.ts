import {SPACE} from '../languages/language.ts';
import type {DeclareRule, Language, ScopeKind} from '../languages/language.ts';
import {declareName, declarePattern} from './declare.ts';
import {callbackSource} from './sources.ts';
import {NO_SOURCE} from './draft.ts';
import {quietType} from './quiet-types.ts';
import type {Draft, TypeSource} from './draft.ts';
import {afterOf, childIn, childrenOf, fieldOf, parentOf, typeOf} from './syntax.ts';
import type {Grammar, Syntax} from './syntax.ts';

/** Every name that a text declares, in its scope. */
export function gather(syntax: Syntax, language: Language): Draft {
  const draft = emptyDraft(syntax, language);
  const rules = compiled(language, syntax.grammar);
  const open: {readonly scope: number; readonly after: number}[] = [];
  let limit = syntax.count;
  for (let node = 0; node < syntax.count; node++) {
    while (node >= limit) {
      const closed = open.pop();
      draft.scope = closed?.scope ?? 0;
      limit = closed?.after ?? syntax.count;
    }
    const rule = rules[syntax.type[node] ?? 0];
    if (rule === undefined) continue;
    const kind = visit(draft, node, rule);
    if (kind === undefined) continue;
    open.push({scope: draft.scope, after: limit});
    limit = afterOf(syntax, node);
    draft.scope = openScope(draft, node, kind);
    declareInside(draft, node, rule);
    // What opens a scope has its names inside of it, but for the one that it declares.
    if (typeof rule.scope === 'string') rule.special?.(draft, node);
  }
  return draft;
}

/** What is seen only in the scope that its own node has opened. */
function declareInside(draft: Draft, node: number, {declares}: Compiled): void {
  if (declares?.inside === true && draft.marks[node] === 0) declare(draft, node, declares);
}

/** Declares what a node declares. Gives the kind of the scope that it opens, if it does. */
function visit(draft: Draft, node: number, rule: Compiled): ScopeKind | undefined {
  if (typeof rule.scope !== 'string' && draft.marks[node] === 0) rule.special?.(draft, node);
  if (rule.declares !== undefined && rule.declares.inside !== true && draft.marks[node] === 0) declare(draft, node, rule.declares);
  if (node === 0) return undefined;
  return typeof rule.scope === 'function' ? rule.scope(draft.syntax, node) : rule.scope;
}

function emptyDraft(syntax: Syntax, language: Language): Draft {
  const root = {kind: 'namespace', parent: -1, node: 0, owner: -1, inner: false, names: new Map()} as const;
  return {
    syntax,
    language,
    scopes: [root],
    scopeOf: new Map([[0, 0]]),
    bindings: [],
    symbols: [],
    symbolOf: new Map(),
    imports: [],
    exports: [],
    marks: new Int32Array(syntax.count),
    scope: 0,
    returns: new Map(),
    quiet: new Map(),
    matched: new Map(),
  };
}

interface Compiled {
  readonly declares: DeclareRule | undefined;
  readonly scope: Language['scopes'][string] | undefined;
  readonly special: ((draft: Draft, node: number) => void) | undefined;
}

const tables = new WeakMap<Grammar, readonly (Compiled | undefined)[]>();

/** The tables of a language by the numbers of its grammar. */
function compiled(language: Language, grammar: Grammar): readonly (Compiled | undefined)[] {
  const known = tables.get(grammar);
  if (known !== undefined) return known;
  const rules = grammar.types.map((type) => {
    const [declares, scope, special] = [language.declares[type], language.scopes[type], language.special?.[type]];
    return declares === undefined && scope === undefined && special === undefined ? undefined : {declares, scope, special};
  });
  tables.set(grammar, rules);
  return rules;
}

function declare(draft: Draft, node: number, rule: DeclareRule): void {
  const {syntax} = draft;
  const kind = typeof rule.kind === 'function' ? rule.kind(syntax, node) : rule.kind;
  if (kind === undefined) return;
  const owner = rule.owner?.(syntax, node);
  const given = {
    kind,
    node,
    bodyNode: find(syntax, node, rule.body ?? 'body'),
    source: typeSource(draft, node, rule),
    space: SPACE[rule.space ?? 'both'],
    scope: homeOf(draft, rule.home),
    owner,
    hidden: rule.hidden === true,
  };
  const names = namesOf(syntax, node, rule);
  for (const nameNode of names) {
    if (isSingle(draft, nameNode, kind !== 'local' || rule.space === 'type')) declareName(draft, {...given, nameNode});
    else declarePattern(draft, nameNode, given);
  }
  if (names.length > 0 || rule.fallback === undefined) return;
  declareName(draft, {...given, name: rule.fallback, nameNode: node});
  draft.marks[node] = 0;
}

/** The nearest scope that such a node opens; the present one where none does. */
function homeOf({syntax, scopes, scope}: Draft, type: string | undefined): number {
  if (type === undefined) return scope;
  for (let at = scope; at > 0; at = scopes[at]?.parent ?? -1) if (typeOf(syntax, scopes[at]?.node ?? 0) === type) return at;
  return scope;
}

/** A name and no pattern of names. `plain`: it cannot be a constant that is compared with. */
function isSingle({syntax, language}: Draft, node: number, plain: boolean): boolean {
  const pattern = language.patterns[typeOf(syntax, node)];
  return pattern === undefined || (pattern.is === 'leaf' && plain);
}

function namesOf(syntax: Syntax, node: number, rule: DeclareRule): number[] {
  if (rule.many === true) return childrenOf(syntax, node).filter((child) => fieldOf(syntax, child) === (rule.name ?? 'name'));
  const name = find(syntax, node, rule.name ?? 'name');
  return name < 0 ? [] : [name];
}

function find(syntax: Syntax, node: number, how: string | ((syntax: Syntax, node: number) => number)): number {
  return typeof how === 'function' ? how(syntax, node) : childIn(syntax, node, how);
}

function typeSource(draft: Draft, node: number, rule: DeclareRule): TypeSource {
  const {syntax, language} = draft;
  const type =
    typeof rule.type === 'function'
      ? rule.type(syntax, node)
      : (rule.type ?? ['type', 'return_type']).reduce((found, field) => (found >= 0 ? found : childIn(syntax, node, field)), -1);
  const value = find(syntax, node, rule.value ?? 'value');
  const steps = rule.element === true ? '[]' : '';
  if (type < 0 && value < 0) {
    const scopeKind = language.scopes[typeOf(syntax, node)];
    // The scope of the function is the next one that opens.
    if (scopeKind === 'function') return {...NO_SOURCE, returns: draft.scopes.length};
    return callbackSource(draft, node);
  }
  return {...NO_SOURCE, type, value, scope: draft.scope, steps};
}

function openScope(draft: Draft, node: number, kind: ScopeKind): number {
  const around = draft.scopes[draft.scope];
  const owner = draft.symbolOf.get(node) ?? outerOwner(draft, node, {kind, around: around?.owner ?? -1});
  const inner = kind === 'function' || kind === 'lambda' || kind === 'block' || (around?.inner === true && kind !== 'type');
  const scope = draft.scopes.push({kind, parent: draft.scope, node, owner, inner, names: new Map()}) - 1;
  draft.scopeOf.set(node, scope);
  return scope;
}

/** Of a scope that no declaration opens. */
function outerOwner(draft: Draft, node: number, {kind, around}: {readonly kind: ScopeKind; readonly around: number}): number {
  if (kind === 'literal') return literalOwner(draft, node, around);
  return kind === 'type' ? -1 : around;
}

/** The innermost symbol that a node is in: a member of a type, or what opened the scope. */
function symbolAround({syntax, symbolOf, scopes, scope}: Draft, node: number, around: number): number {
  const outermost = scopes[scope]?.node ?? 0;
  for (let at = parentOf(syntax, node); at > outermost; at = parentOf(syntax, at)) {
    const symbol = symbolOf.get(at);
    if (symbol !== undefined) return symbol;
  }
  return around;
}

/** The symbol that is declared with a literal: `const a = {…}`, `type A = {…}`, also through casts and brackets. */
function literalOwner(draft: Draft, node: number, around: number): number {
  const {syntax, language, symbolOf} = draft;
  let at = node;
  let parent = parentOf(syntax, at);
  while (parent >= 0 && (language.transparent ?? []).includes(typeOf(syntax, parent))) {
    at = parent;
    parent = parentOf(syntax, at);
  }
  const fields = [fieldOf(syntax, at), fieldOf(syntax, node)];
  const own = ['value', 'type', 'right'].some((field) => fields.includes(field)) ? symbolOf.get(parent) : undefined;
  return own ?? quietType(draft, node, symbolAround(draft, node, around));
}
