import {placeOfNumber} from './code-symbol.ts';
import {declarationsOf, type Place} from './declarations.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {relationsOf, type StoredRelation} from './relations-of.ts';
import {symbolNumber} from './symbol-number.ts';

/** Where types are found that extend a type. */
export interface TypeStore {
  readonly reader: FactsReader;
  /** Files with uses of a symbol. */
  usersOf(number: number): Iterable<number>;
}

/**
 * The other declarations of a member: those that it overrides or fulfils, and all that override or fulfil one of them. A use of one may mean any
 * (TypeScript language service › find all references). None for what is no member of a class or an interface, and for what belongs to the class
 * itself.
 */
export function overridingMembers(store: TypeStore, member: Place): Place[] {
  const {file, index} = member;
  const {names, parents, kinds} = file.table;
  const type = whole({file, index: parents[index] ?? -1});
  const name = names[index] ?? '';
  if (!isType(type) || !MEMBERS.has(kinds[index] ?? '') || isAlone(member, name)) return [];
  const above = closure([type], (next) => basesOf(store, next)).filter((base) => base === type || membersOf(base, name).length > 0);
  const related = closure(above, (next) => extensionsOf(store, next));
  const own = declarationsOf(member);
  return related
    .flatMap((other) => membersOf(other, name))
    .filter((other) => !isAlone(other, name) && !own.some((one) => isSame(one, other)));
}

const MEMBERS: ReadonlySet<string> = new Set(['method', 'property']);
const TYPES: ReadonlySet<string> = new Set(['class', 'interface']);

function isType({file, index}: Place): boolean {
  return TYPES.has(file.table.kinds[index] ?? '');
}

function isAlone({file, index}: Place, name: string): boolean {
  return name === 'constructor' || name.startsWith('#') || /^(?:\w+ )*(?:static|private) /u.test(file.details[index]?.signature ?? '');
}

/** A class and an interface of one name in one place are one type: the first stands for both. */
function whole(type: Place): Place {
  return type.index < 0 ? type : (declarationsOf(type).find(isType) ?? type);
}

function partsOf(type: Place): Place[] {
  return declarationsOf(type).filter(isType);
}

function membersOf(type: Place, name: string): Place[] {
  return partsOf(type).flatMap(({file, index}) => {
    const [first] = file.named(index, name);
    return first === undefined ? [] : declarationsOf({file, index: first});
  });
}

function basesOf({reader}: TypeStore, type: Place): Place[] {
  const parts = new Set(partsOf(type).map(({index}) => index));
  return [...relationsOf(type.file)].flatMap((relation) => {
    const base = parts.has(relation.within) && isHeritage(relation) ? placeOfNumber(reader, relation.target) : undefined;
    return base === undefined ? [] : [whole(base)];
  });
}

function extensionsOf(store: TypeStore, type: Place): Place[] {
  const numbers = new Set(partsOf(type).map(({file, index}) => symbolNumber(file.id, file.numberAt(index))));
  const users = new Set([type.file.id, ...[...numbers].flatMap((number) => [...store.usersOf(number)])]);
  return [...users].flatMap((id) => {
    const user = store.reader.get(id);
    return user === undefined ? [] : extending(user, numbers);
  });
}

function extending(file: StoredFile, numbers: ReadonlySet<number>): Place[] {
  return [...relationsOf(file)].flatMap((relation) =>
    numbers.has(relation.target) && relation.within >= 0 && isHeritage(relation) ? [whole({file, index: relation.within})] : [],
  );
}

function isHeritage({kind}: StoredRelation): boolean {
  return kind === 'extends' || kind === 'implements';
}

/** With what it starts from. */
function closure(from: readonly Place[], step: (type: Place) => readonly Place[]): Place[] {
  const found = new Map(from.map((type) => [keyOf(type), type]));
  for (const type of found.values()) {
    for (const next of step(type)) if (isType(next) && !found.has(keyOf(next)) && found.size < MOST_TYPES) found.set(keyOf(next), next);
  }
  return [...found.values()];
}

function isSame(a: Place, b: Place): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf({file, index}: Place): string {
  return `${file.id} ${index}`;
}

/** Further ones are left out. */
const MOST_TYPES = 300;
