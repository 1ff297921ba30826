import {SPACE} from '../languages/language.ts';
import type {ExpressionRule, Pick, TypeRule} from '../languages/language.ts';
import {contextWords} from './context.ts';
import {nameText} from './declare.ts';
import {baseWords, parameterWords} from './head-words.ts';
import type {Binding, Draft, TypeSource} from './draft.ts';
import {eitherWords} from './either-words.ts';
import {alternatives, arrayOf, EMPTY, further, plainOr} from './join-words.ts';
import {tagsOf} from './narrow.ts';
import {indexStep, keyWords, listWords} from './list-words.ts';
import {moduleWords} from './module-words.ts';
import {pick} from './pick.ts';
import {quietWords} from './quiet-types.ts';
import {isThisParameter, writtenFunction} from './function-words.ts';
import {classAround, lookup, qualified} from './lookup.ts';
import {outerOwner, scopeAround} from './scope-around.ts';
import {childIn, childrenOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';

/**
 * Types in words, for `typeName`, `receiverType` and `receiver` of facts. Either a type (`Server`, `ns.Server`, `Server[]`, `Map<string,Server>`,
 * `A|B`) or `typeof CHAIN`, the type of a value: a name, then steps `.name`, `()` what a call gives, `[]` an element, `!` what a promise
 * gives, `(i:j)` what the call hands to parameter j of the function that is its argument i, `^i` what a function takes as parameter i,
 * `?kind='circle'` those alternatives whose member says so, `~` what a guard finds its argument to be. A call may say what it is given: types,
 * `(<A,B>)`, or values, `(|A,?)`. The chain may begin with `(T)`, a value of type T, or
 * with `import('m')`. Names of local variables never stand in it: their own
 * types do. A function is `(A,?):R`, a guard `(A):is R`, with `...A` for what a list of parameters is. A type parameter is `%T`, or
 * `%T(Server)` where it must extend something; a declaration with some begins with `<T,U=Server>`, and a class or an interface goes on with
 * its bases, `:Base<T>`.
 */
export interface TypeWords {
  /** Of the expression in a scope; undefined where the text does not tell. */
  ofExpression(node: number, scope: number): string | undefined;
  ofType(node: number, scope: number): string | undefined;
  ofSource(source: TypeSource): string | undefined;
  /** What the type of an object literal must be, of a pattern what it is matched with. */
  ofObject(node: number): string | undefined;
  /** Before the type of a class, an interface or an alias: its type parameters, and types of its bases. */
  ofHead(node: number): string;
  /** Of a function that is declared here, with its parameters. */
  ofFunction(node: number): string | undefined;
}

/** How far names are followed that are declared by each other. */
const DEEPEST = 8;
const LONGEST = 300;

export function typeWords(draft: Draft): TypeWords {
  const reader: Reader = {draft, known: new Map(), contexts: new Map(), depth: 0};
  return {
    ofExpression: (node, scope) => ofExpression(reader, node, scope),
    ofType: (node, scope) => ofType(reader, node, scope),
    ofSource: (source) => ofSource(reader, source),
    ofObject: (node) => ofObject(reader, node),
    ofHead: (node) => declaredHead(reader, node),
    ofFunction: (node) => declaredFunction(reader, node),
  };
}

interface Reader {
  readonly draft: Draft;
  readonly known: Map<Binding, string | undefined>;
  readonly contexts: Map<number, string | undefined>;
  depth: number;
}

/** A node, and the scope in which it is read. */
interface Place {
  readonly node: number;
  readonly scope: number;
}

function ofExpression(reader: Reader, node: number, scope: number): string | undefined {
  const rule = node < 0 ? undefined : reader.draft.language.expressions[typeOf(reader.draft.syntax, node)];
  if (rule === undefined || reader.depth >= DEEPEST) return undefined;
  reader.depth++;
  const words = CHAINED.has(rule.is) ? chained(reader, {node, scope}, rule) : plain(reader, {node, scope}, rule);
  reader.depth--;
  return words === undefined || words.length > LONGEST ? undefined : words;
}

const CHAINED: ReadonlySet<string> = new Set(['member', 'call', 'index', 'await', 'pass']);

/** Expressions that go one step on from another one. */
function chained(reader: Reader, {node, scope}: Place, rule: ExpressionRule): string | undefined {
  const {syntax} = reader.draft;
  const inner = (how: Pick | undefined): string | undefined => ofExpression(reader, pick(syntax, node, how), scope);
  switch (rule.is) {
    case 'member':
      if (pick(syntax, node, rule.of) < 0) return ofName(reader, node, scope);
      return further(inner(rule.of), `.${nameText(syntax, pick(syntax, node, rule.name))}`);
    case 'call': {
      if (rule.same?.test(textOf(syntax, pick(syntax, node, rule.callee))) === true) return ofSame(reader, node, scope);
      const hasOwner = rule.of !== undefined && pick(syntax, node, rule.of) >= 0;
      const callee = hasOwner ? further(inner(rule.of), `.${nameText(syntax, pick(syntax, node, rule.callee))}`) : inner(rule.callee);
      return callee === undefined ? moduleWords(reader.draft, node) : further(callee, `(${givenWords(reader, {node, scope}, -1)})`);
    }
    case 'index':
      return further(inner(rule.of), indexStep(reader.draft, node));
    case 'await':
      return further(inner(rule.inner), '!');
    case 'pass':
      return inner(rule.inner);
    default:
      return undefined;
  }
}

/** What is made of a component is one with the same parameters: `forwardRef<Ref, Props>(…)`, `memo(Line)`. */
function ofSame(reader: Reader, node: number, scope: number): string | undefined {
  const {syntax} = reader.draft;
  const types = childrenOf(syntax, childIn(syntax, node, 'type_arguments'));
  const props = types.length === 0 ? undefined : ofType(reader, types.at(-1) ?? -1, scope);
  if (props !== undefined) return `(${props}):?`;
  return ofExpression(reader, childrenOf(syntax, childIn(syntax, node, 'arguments'))[0] ?? -1, scope);
}

/** `<A,B>|C,?` of a call: the types and the values that it is given; '' where they say nothing. `callback`: asked for one of its parameters. */
function givenWords(reader: Reader, {node, scope}: Place, callback: number): string {
  const {syntax, language} = reader.draft;
  if (language.contexts === undefined || reader.depth >= DEEPEST - 2) return '';
  const types = childrenOf(syntax, childIn(syntax, node, 'type_arguments')).map((type) => ofType(reader, type, scope) ?? '?');
  if (types.some((type) => type !== '?')) return `<${types.join(',')}>`;
  const values = childrenOf(syntax, childIn(syntax, node, 'arguments')).filter(
    (child) => !language.comments.includes(typeOf(syntax, child)),
  );
  if (values.length > MOST_GIVEN) return '';
  const words = values.map((value) => {
    const isLater = callback >= 0 && language.expressions[typeOf(syntax, value)]?.is === 'function';
    return isLater ? '?' : plainOr(ofExpression(reader, value, scope));
  });
  while (words.at(-1) === '?') words.pop();
  return words.length === 0 ? '' : `|${words.join(',')}`;
}

const MOST_GIVEN = 4;

function plain(reader: Reader, {node, scope}: Place, rule: ExpressionRule): string | undefined {
  const {syntax} = reader.draft;
  switch (rule.is) {
    case 'name':
      return ofName(reader, node, scope);
    case 'this':
      return ofThis(reader, node) ?? ofOwner(reader.draft, scope);
    case 'new':
      return ofNew(reader, {node, scope}, pick(syntax, node, rule.type));
    case 'cast':
      return ofType(reader, pick(syntax, node, rule.type), scope);
    case 'either':
      return eitherWords(reader.draft, {node, fields: rule.fields}, (part) => ofExpression(reader, part, scope));
    case 'array':
      return listWords(reader.draft, node, (element) => ofExpression(reader, element, scope));
    case 'literal':
      return rule.type;
    case 'function':
      return functionWords(reader, node);
    default:
      return undefined;
  }
}

function ofNew(reader: Reader, {node, scope}: Place, name: number): string | undefined {
  const args = childrenOf(reader.draft.syntax, childIn(reader.draft.syntax, node, 'type_arguments'));
  return withArguments(reader, ofType(reader, name, scope), {args, scope});
}

/** `this` as the nearest function that has one of its own declares it: `function f(this: Server)`. */
function ofThis(reader: Reader, node: number): string | undefined {
  const {syntax, language} = reader.draft;
  if (language.contexts === undefined) return undefined;
  for (let at = parentOf(syntax, node); at >= 0; at = parentOf(syntax, at)) {
    const first = childrenOf(syntax, childIn(syntax, at, 'parameters'))[0] ?? -1;
    if (isThisParameter(syntax, first)) return ofType(reader, childIn(syntax, first, 'type'), scopeAround(reader.draft, first));
  }
  return undefined;
}

function ofOwner(draft: Draft, scope: number): string | undefined {
  const owner = classAround(draft, scope);
  return owner < 0 ? outerOwner(draft, scope) : qualified(draft, owner);
}

function ofName(reader: Reader, node: number, scope: number): string | undefined {
  const {draft} = reader;
  const name = textOf(draft.syntax, node);
  if (draft.language.self?.includes(name) === true) return ofOwner(draft, scope);
  const binding = lookup(draft, {name, scope, space: SPACE.value, at: startOf(draft.syntax, node)});
  if (binding === undefined || binding.import >= 0) return `typeof ${name}`;
  if (binding.symbol >= 0) return `typeof ${qualified(draft, binding.symbol)}`;
  return ofBinding(reader, binding);
}

function ofBinding(reader: Reader, binding: Binding): string | undefined {
  if (reader.known.has(binding)) return reader.known.get(binding);
  // A name that is declared by itself has no type.
  reader.known.set(binding, undefined);
  const words = ofSource(reader, binding.source);
  reader.known.set(binding, words);
  return words;
}

function ofSource(reader: Reader, source: TypeSource): string | undefined {
  if (source.returns >= 0) return ofReturns(reader, source.returns);
  if (source.context >= 0) return further(ofContext(reader, source.context), source.steps);
  const words = ofType(reader, source.type, typeScope(reader, source)) ?? ofExpression(reader, source.value, source.scope);
  if (source.steps === '' || words === undefined) return words;
  const handed = reader.draft.language.contexts === undefined ? null : /^\((\d+):(\d+)\)/u.exec(source.steps);
  if (handed === null) return further(words, source.steps);
  const call = parentOf(reader.draft.syntax, source.value);
  const given = givenWords(reader, {node: call, scope: source.scope}, Number(handed[1]));
  return further(words, `(${handed[1] ?? ''}:${handed[2] ?? ''}${given})${source.steps.slice(handed[0].length)}`);
}

/** An alias with type parameters has a scope of its own. */
function typeScope({draft}: Reader, {type, scope}: TypeSource): number {
  const own = type < 0 || draft.language.contexts === undefined ? undefined : draft.scopeOf.get(parentOf(draft.syntax, type));
  return own ?? scope;
}

function ofReturns(reader: Reader, scope: number): string | undefined {
  for (const value of reader.draft.returns.get(scope) ?? []) {
    const words = ofExpression(reader, value, scopeAround(reader.draft, value));
    if (words !== undefined) return words;
  }
  return undefined;
}

function ofType(reader: Reader, node: number, scope: number): string | undefined {
  const rule = node < 0 ? undefined : reader.draft.language.types[typeOf(reader.draft.syntax, node)];
  if (rule === undefined || reader.depth >= DEEPEST) return undefined;
  reader.depth++;
  const words = COMPOUND.has(rule.is) ? compound(reader, {node, scope}, rule) : simple(reader, {node, scope}, rule);
  reader.depth--;
  return words === undefined || words.length > LONGEST || (reader.depth === 0 && EMPTY.has(words)) ? undefined : words;
}

const COMPOUND: ReadonlySet<string> = new Set(['generic', 'bracketed', 'either']);

function simple(reader: Reader, {node, scope}: Place, rule: TypeRule): string | undefined {
  const {syntax} = reader.draft;
  switch (rule.is) {
    case 'name':
      return (
        ofTypeName(reader, node, scope) ??
        (rule.inner === undefined ? undefined : ofType(reader, pick(reader.draft.syntax, node, rule.inner), scope))
      );
    case 'pass':
      return ofType(reader, pick(syntax, node, rule.inner), scope);
    case 'array':
      return arrayOf(ofType(reader, pick(syntax, node, rule.inner), scope));
    case 'query':
      return ofExpression(reader, pick(syntax, node, ''), scope);
    case 'function':
      return functionWords(reader, node);
    case 'quoted':
      return /^["']([\w.]+)["']$/u.exec(textOf(syntax, node))?.[1];
    default:
      return computed(reader, {node, scope}, rule);
  }
}

/** Types that are made of others. */
function computed(reader: Reader, {node, scope}: Place, rule: TypeRule): string | undefined {
  if (rule.is === 'lookup') return ofLookup(reader, node, scope);
  if (rule.is === 'guard') return ofGuard(reader, node, scope);
  if (rule.is === 'mapped') return ofMapped(reader, node, scope);
  if (rule.is !== 'branches') return undefined;
  const inside = reader.draft.scopeOf.get(node) ?? scope;
  const branches = ['consequence', 'alternative'].map((field) => ofType(reader, childIn(reader.draft.syntax, node, field), inside));
  return alternatives(branches, '|');
}

/** `T['name']` is the type of a member, `T[number]` that of an element. */
function ofLookup(reader: Reader, node: number, scope: number): string | undefined {
  const {syntax} = reader.draft;
  const [of = -1, index = -1] = childrenOf(syntax, node);
  const name = typeOf(syntax, index) === 'literal_type' ? nameText(syntax, index) : '';
  const isName = /^[\w$]+$/u.test(name) && !/^\d/u.test(name);
  return further(ofType(reader, of, scope), isName ? `.${name}` : '[]');
}

/** `x is T` as the result of a function. */
function ofGuard(reader: Reader, node: number, scope: number): string | undefined {
  const type = ofType(reader, childIn(reader.draft.syntax, node, 'type'), scope);
  return type === undefined || EMPTY.has(type) ? undefined : `is ${type}`;
}

/** `{[K in keyof T]: T[K]}` has the members of `T`; any other type of objects its own. */
function ofMapped(reader: Reader, node: number, scope: number): string | undefined {
  const {syntax} = reader.draft;
  const [only = -1, second] = childrenOf(syntax, node);
  const clause = second === undefined ? (childrenOf(syntax, only)[0] ?? -1) : -1;
  const keys = typeOf(syntax, clause) === 'mapped_type_clause' ? childIn(syntax, clause, 'type') : -1;
  const [value = -1] = childrenOf(syntax, childIn(syntax, only, 'type'));
  if (typeOf(syntax, keys) !== 'index_type_query' || typeOf(syntax, value) !== 'lookup_type') return quietWords(reader.draft, node);
  return ofType(reader, childrenOf(syntax, keys)[0] ?? -1, scope);
}

function compound(reader: Reader, {node, scope}: Place, rule: TypeRule): string | undefined {
  const {syntax, language} = reader.draft;
  const children = childrenOf(syntax, node);
  if (rule.is === 'either') {
    return alternatives(
      children.map((child) => ofType(reader, child, scope)),
      rule.by,
    );
  }
  if (rule.is === 'generic') {
    const name = pick(syntax, node, rule.name);
    const args = childrenOf(syntax, pick(syntax, node, rule.args));
    return withArguments(reader, ofType(reader, name, scope) ?? ofTypeName(reader, name, scope), {args, scope});
  }
  const [name, ...rest] = children;
  const args = rest.flatMap((child) => (language.types[typeOf(syntax, child)] === undefined ? childrenOf(syntax, child) : [child]));
  return withArguments(reader, ofType(reader, name ?? -1, scope), {args, scope});
}

function withArguments(
  reader: Reader,
  name: string | undefined,
  {args, scope}: {readonly args: readonly number[]; readonly scope: number},
): string | undefined {
  if (name === undefined || args.length === 0) return name;
  return `${name}<${args.map((child) => ofType(reader, child, scope) ?? keyWords(reader.draft, child) ?? '?').join(',')}>`;
}

/** A type parameter is what it must extend; where types tell of what they are given, `%T(Server)` with its name. */
function ofTypeName(reader: Reader, node: number, scope: number): string | undefined {
  const {draft} = reader;
  if (node < 0) return undefined;
  const name = textOf(draft.syntax, node).replaceAll(/\s/gu, '').replaceAll('::', '.');
  if (name === 'var') return undefined; // it is told by the value
  if (draft.language.selfTypes?.includes(name) === true) return ofOwner(draft, scope);
  if (!/^[\p{L}\p{N}_$.:\\]+$/u.test(name)) return undefined;
  const binding = name.includes('.') ? undefined : lookup(draft, {name, scope, space: SPACE.type, at: startOf(draft.syntax, node)});
  if (binding === undefined || binding.import >= 0) return name;
  if (binding.symbol >= 0) return qualified(draft, binding.symbol);
  const bound = ofBinding(reader, binding);
  if (draft.language.contexts === undefined) return bound;
  return bound === undefined ? `%${name}` : `%${name}(${bound})`;
}

/** What the place of an expression asks of it. */
function ofContext(reader: Reader, node: number): string | undefined {
  if (reader.contexts.has(node)) return reader.contexts.get(node);
  reader.contexts.set(node, undefined);
  const words = contextWords(reader.draft, node, {
    ofContext: (at) => ofContext(reader, at),
    ofExpression: (at) => ofExpression(reader, at, scopeAround(reader.draft, at)),
    ofType: (at) => ofType(reader, at, scopeAround(reader.draft, at)),
    step: further,
  });
  const kept = words === undefined || words.length > LONGEST ? undefined : words;
  reader.contexts.set(node, kept);
  return kept;
}

function ofObject(reader: Reader, node: number): string | undefined {
  const matched = reader.draft.matched.get(node);
  if (matched === undefined) {
    const words = ofContext(reader, node);
    return words === undefined ? undefined : further(words, tagsOf(reader.draft, node));
  }
  if (!reader.contexts.has(node)) reader.contexts.set(node, ofSource(reader, matched));
  return reader.contexts.get(node);
}

/** The result alone where no parameter says more; `get R` where the result is had without a call. */
function declaredFunction(reader: Reader, node: number): string | undefined {
  const {syntax} = reader.draft;
  const own = childIn(syntax, node, 'parameters') >= 0 || childIn(syntax, node, 'parameter') >= 0;
  const words = functionWords(reader, own ? node : childIn(syntax, node, 'value'));
  if (words === undefined || words === '():?') return undefined;
  const plainResult = words.startsWith('():') && words[3] !== '(' ? words.slice(3) : words;
  const result = plainResult.includes('%')
    ? parameterWords(reader.draft, own ? node : childIn(syntax, node, 'value'), readIn(reader, node)) + plainResult
    : plainResult;
  const name = childIn(syntax, node, 'name');
  const isGetter = own && name >= 0 && /(?:^|\s)get\s+$/u.test(syntax.text.slice(startOf(syntax, node), startOf(syntax, name)));
  return isGetter ? `get ${result}` : result;
}

/** What a class or a type says of its type parameters and those of its bases: `<T>:Base<T>`. */
function declaredHead(reader: Reader, node: number): string {
  const read = readIn(reader, node);
  return parameterWords(reader.draft, node, read) + baseWords(reader.draft, node, read);
}

function readIn(reader: Reader, node: number): (type: number) => string | undefined {
  const scope = reader.draft.scopeOf.get(node) ?? scopeAround(reader.draft, node);
  return (type) => ofType(reader, type, scope);
}

/** As a function, a method or the type of one is written. */
function functionWords(reader: Reader, node: number): string | undefined {
  const {syntax, scopeOf} = reader.draft;
  const scope = scopeOf.get(node) ?? scopeAround(reader.draft, node);
  const declared = childIn(syntax, node, 'return_type');
  const result = declared < 0 ? ofReturns(reader, scope) : ofType(reader, declared, scope);
  return writtenFunction(reader.draft, node, {result, longest: LONGEST, ofType: (type) => ofType(reader, type, scope)});
}
