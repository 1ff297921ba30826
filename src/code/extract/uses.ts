import {SPACE} from '../languages/language.ts';
import type {Language, NameRule, Place, PlainPlace} from '../languages/language.ts';
import type {UseFact} from '../file-facts.ts';
import type {RelationKind} from '../relation.ts';
import {nameText} from './declare.ts';
import type {Binding, Draft} from './draft.ts';
import {classAround, lookup} from './lookup.ts';
import {further} from './join-words.ts';
import {narrowedBy} from './narrow.ts';
import {afterOf, childIn, childrenOf, fieldOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Grammar, Syntax} from './syntax.ts';
import type {TypeWords} from './type-words.ts';

/** A name that stands somewhere and is no declaration. */
export interface Use {
  readonly node: number;
  readonly kind: RelationKind;
  readonly name: string;
  readonly scope: number;
  /** The node of what the name is a member of; -1 for a bare name. */
  readonly of: number;
  /** What the scopes say of a bare name. */
  readonly binding: Binding | undefined;
  /** The object or the pattern that this is a key of. */
  readonly keyOf?: number;
  /** It stands in a text, `T['name']` or `a['name']`: `of` is a type or a value. */
  readonly index?: 'type' | 'value';
}

/** Every use of a text, in its order; where asked for also the keys of objects and patterns, which may mean a member of their type. */
export function* usesOf(draft: Draft, withKeys = false): Generator<Use> {
  const {syntax} = draft;
  const words = compiled(draft.language, syntax.grammar);
  const open: Open[] = [];
  let now: Open = {scope: 0, after: syntax.count};
  for (let node = 0; node < syntax.count; node++) {
    while (node >= now.after) now = open.pop() ?? {scope: 0, after: syntax.count};
    const type = syntax.type[node] ?? 0;
    const rule = words.names[type];
    if (withKeys) {
      yield* keyUses(draft, words, {node, scope: now.scope});
      if (words.texts[type] === 1) yield* indexUses(draft, {node, scope: now.scope});
    }
    if (rule !== undefined) {
      yield* nameUses(draft, {node, scope: now.scope, rule, words});
    } else if (words.opens[type] === 1 && node > 0) {
      const scope = draft.scopeOf.get(node);
      if (scope === undefined) continue;
      open.push(now);
      now = {scope, after: afterOf(syntax, node)};
    }
  }
}

/** A scope, and the node behind it. */
interface Open {
  readonly scope: number;
  readonly after: number;
}

interface Words {
  readonly names: readonly (NameRule | undefined)[];
  readonly opens: Uint8Array;
  readonly keys: readonly (Readonly<Record<string, number>> | undefined)[];
  /** The types of a text that may name a member. */
  readonly texts: Uint8Array;
  /** By type of the parent times 256 and the field. */
  readonly places: ReadonlyMap<number, Place>;
}

const tables = new WeakMap<Grammar, Words>();

function compiled(language: Language, grammar: Grammar): Words {
  const known = tables.get(grammar);
  if (known !== undefined) return known;
  const places = new Map<number, Place>();
  for (const [key, place] of Object.entries(language.places)) {
    const [parent, field = ''] = key.split('.');
    const numbers = indexesOf(grammar.fields, field);
    for (const id of indexesOf(grammar.types, parent ?? '')) for (const number of numbers) places.set(id * 256 + number, place);
  }
  const words = {
    names: grammar.types.map((type) => language.names[type]),
    opens: Uint8Array.from(grammar.types, (type) => (language.scopes[type] === undefined ? 0 : 1)),
    keys: grammar.types.map((type) => language.keys?.[type]),
    texts: Uint8Array.from(grammar.types, (type) => Number(language.contexts !== undefined && type === 'string_fragment')),
    places,
  };
  tables.set(grammar, words);
  return words;
}

function* nameUses(draft: Draft, at: At): Generator<Use> {
  const use = draft.marks[at.node] === 0 ? useAt(draft, at) : undefined;
  if (use !== undefined) yield use;
}

function* keyUses(draft: Draft, words: Words, {node, scope}: Pick<At, 'node' | 'scope'>): Generator<Use> {
  const keyOf = keyAt(draft, words, node);
  if (keyOf >= 0) yield {node, kind: 'reference', name: nameText(draft.syntax, node), scope, of: -1, binding: undefined, keyOf};
}

/** `name` in `T['name']` and in `a['name']`. */
function* indexUses({syntax}: Draft, {node, scope}: Pick<At, 'node' | 'scope'>): Generator<Use> {
  const text = parentOf(syntax, node);
  const [holder, name] = [parentOf(syntax, text), textOf(syntax, node)];
  const use = {node, kind: 'reference', name, scope, binding: undefined} as const;
  if (fieldOf(syntax, text) === 'index') yield {...use, of: childIn(syntax, holder, 'object'), index: 'value'};
  else if (typeOf(syntax, holder) === 'literal_type' && typeOf(syntax, parentOf(syntax, holder)) === 'lookup_type') {
    const [of = -1, key] = childrenOf(syntax, parentOf(syntax, holder));
    if (key === holder) yield {...use, of, index: 'type'};
  }
}

/** The object or pattern that a node names a member of; -1 for none. */
function keyAt({syntax, marks}: Draft, {keys}: Words, node: number): number {
  const known = keys[syntax.type[node] ?? 0];
  // What a pattern gives a new value to is that variable: `({a} = b)`.
  if (known === undefined || (marks[node] === 0 && typeOf(syntax, node) === 'shorthand_property_identifier_pattern')) return -1;
  const parent = parentOf(syntax, node);
  const up = known[`${typeOf(syntax, parent)}.${fieldOf(syntax, node)}`];
  if (up === undefined) return -1;
  const holder = up === 2 ? parentOf(syntax, parent) : parent;
  return HOLDERS.has(typeOf(syntax, holder)) ? holder : -1;
}

const HOLDERS: ReadonlySet<string> = new Set(['object', 'object_pattern', 'jsx_opening_element', 'jsx_self_closing_element']);

function indexesOf(words: readonly string[], wanted: string): number[] {
  return words.flatMap((word, index) => (word === wanted ? [index] : []));
}

interface At {
  readonly node: number;
  readonly scope: number;
  readonly rule: NameRule;
  readonly words: Words;
}

function useAt(draft: Draft, {node, scope, rule, words}: At): Use | undefined {
  const {syntax, language} = draft;
  const placed = placeOf(draft, node, {rule, words});
  if (placed === undefined || placed.kind === 'skip') return undefined;
  const {kind, of} = placed;
  const written = textOf(syntax, node);
  if (of >= 0) return {node, kind, name: memberName(language, written), scope, of, binding: undefined};
  const name = written;
  if (language.selfTypes?.includes(name) === true) return undefined;
  if (language.self?.includes(name) === true) return selfUse(draft, {node, kind, name, scope, of, binding: undefined});
  const query = {name, scope, space: SPACE[rule.space ?? 'value'], at: startOf(syntax, node)};
  return {node, kind, name, scope, of, binding: lookup(draft, query) ?? lookup(draft, {...query, space: SPACE.both})};
}

/** A parameter that means the object itself is a local name like others; where nothing declares it, it is a word. */
function selfUse(draft: Draft, use: Use): Use | undefined {
  const binding = lookup(draft, {name: use.name, scope: use.scope, space: SPACE.both, at: startOf(draft.syntax, use.node)});
  return binding !== undefined && binding.symbol < 0 ? {...use, binding} : undefined;
}

function memberName(language: Language, written: string): string {
  return language.memberName?.(written) ?? written;
}

interface Placed {
  readonly kind: RelationKind | 'skip';
  readonly of: number;
}

/** What the places say that a name stands in, from the inside to the outside. */
function placeOf({syntax}: Draft, node: number, {rule, words}: Pick<At, 'rule' | 'words'>): Placed | undefined {
  let kind: RelationKind | 'skip' = rule.use;
  let of = -1;
  for (let at = node; ;) {
    const parent = parentOf(syntax, at);
    const place = placeIn(words, syntax, {parent, at});
    if (place === 'skip' && at === node) return undefined;
    if (place === undefined || place === 'skip') return {kind, of};
    at = parent;
    if (place === 'climb') continue;
    if (typeof place === 'string') return {kind: place, of};
    if (of < 0) of = receiverNode(syntax, node, {place, parent});
    if (place.use !== undefined) return {kind: place.use, of};
    if (kind === 'skip') kind = 'reference';
    if (place.up === 2) at = parentOf(syntax, parent);
  }
}

function placeIn(words: Words, syntax: Syntax, {parent, at}: {readonly parent: number; readonly at: number}): PlainPlace | undefined {
  const place = parent < 0 ? undefined : words.places.get((syntax.type[parent] ?? 0) * 256 + (syntax.field[at] ?? 0));
  if (typeof place !== 'object' || !('when' in place)) return place;
  return place.when(syntax, parent, at) ? place.use : place.else;
}

interface Member {
  readonly place: Exclude<PlainPlace, string>;
  readonly parent: number;
}

/** Only a name that stands there itself is a member; of what it is in, that was asked before. */
function receiverNode(syntax: Syntax, node: number, {place, parent}: Member): number {
  if (parentOf(syntax, node) !== parent) return -1;
  return typeof place.of === 'string' ? childIn(syntax, parent, place.of) : place.of(syntax, node);
}

/** What a member is a member of, in the words of `UseFact`. */
export function receiverOf(draft: Draft, words: TypeWords, use: Use): Pick<UseFact, 'receiver' | 'receiverType'> {
  if (use.of < 0) return {receiver: undefined, receiverType: undefined};
  const type = narrowedType(draft, words, use);
  const rule = draft.language.expressions[typeOf(draft.syntax, use.of)];
  if (rule?.is === 'super') return {receiver: 'super', receiverType: undefined};
  if (isThis(draft, use.of)) return {receiver: 'this', receiverType: type};
  const isChain = type !== undefined && type.length > TYPEOF.length && type.startsWith(TYPEOF) && type[TYPEOF.length] !== '(';
  return isChain ? {receiver: type.slice(TYPEOF.length), receiverType: undefined} : {receiver: '?', receiverType: type};
}

const TYPEOF = 'typeof ';

/** As far as conditions around it tell. */
function narrowedType(draft: Draft, words: TypeWords, {of, scope}: Use): string | undefined {
  const plain = words.ofExpression(of, scope);
  const narrowed = draft.language.contexts === undefined ? undefined : narrowedBy(draft, of);
  if (narrowed === undefined) return plain;
  if ('tag' in narrowed) return further(plain, narrowed.tag);
  return guarded(plain, 'guard' in narrowed ? further(words.ofExpression(narrowed.guard, scope), '~') : words.ofType(narrowed.type, scope));
}

/** What a condition finds something to be, `A;B`; where that is not known, what it is without it. */
function guarded(plain: string | undefined, found: string | undefined): string | undefined {
  return found === undefined || plain === undefined || found === plain ? (found ?? plain) : `(${found});(${plain})`;
}

/** The member of the class around it that `this.name` means; -1 where the class itself does not declare it. */
export function ownMember(draft: Draft, use: Use, members: ReadonlyMap<string, number>): number {
  if (use.of < 0 || !isThis(draft, use.of)) return -1;
  const owner = classAround(draft, use.scope);
  return owner < 0 ? -1 : (members.get(`${owner} ${use.name}`) ?? -1);
}

function isThis({syntax, language}: Draft, node: number): boolean {
  return language.expressions[typeOf(syntax, node)]?.is === 'this' || language.self?.includes(textOf(syntax, node)) === true;
}
