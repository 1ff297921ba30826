import type {DatabaseSync, StatementSync} from 'node:sqlite';
import type {EdgeQuery, References, ReferenceQuery, SymbolEdges} from '../code-graph.ts';
import {isQuietName} from '../quiet-name.ts';
import type {Relation} from '../relation.ts';
import {codeSymbol, placeOfNumber} from './code-symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {openUseKey} from './needs.ts';
import {everyDeclaration, type Place} from './declarations.ts';
import {globalMembers} from './global-members.ts';
import {sameSpace} from './name-space.ts';
import {overridingMembers, type TypeStore} from './overriding-members.ts';
import {relationsOf, type StoredRelation} from './relations-of.ts';
import {symbolNumber} from './symbol-number.ts';

export interface EdgeReader {
  /** The edges into and out of a symbol, by path and position; of the file it is in those of its own text only. */
  graph(place: Place, query: EdgeQuery): SymbolEdges;
  /** Where the symbol is named: its declarations first. */
  references(place: Place, query: ReferenceQuery): References;
}

export function createEdgeReader(database: DatabaseSync, reader: FactsReader): EdgeReader {
  const users = database.prepare('SELECT file FROM incoming WHERE target = ?');
  const store: EdgeStore = {
    reader,
    users,
    openUsers: database.prepare('SELECT file FROM open_use WHERE key = ?'),
    usersOf: (number) => users.all(number).map((row) => Number(row['file'])),
  };
  return {
    graph(place, {kind, limit}) {
      const wanted: Wanted = {limit, fits: (relation) => kind === undefined || relation.kind === kind};
      const contains = kind === undefined || kind === 'contains';
      const into = [...(contains ? containedIn(place) : []), ...incoming(store, [place], wanted)];
      // Members of a large class would leave no room for what it uses.
      const out = [...outgoing(store, place, wanted), ...(contains ? contained(place) : [])];
      return {
        symbol: codeSymbol(place.file, place.index),
        incoming: into.slice(0, limit),
        outgoing: out.slice(0, limit),
        truncated: into.length > limit || out.length > limit,
      };
    },
    references(place, {limit, merged = false}) {
      const all = everyDeclaration({database, reader}, place);
      const isWhole = merged || familyOf(place.file.language) !== 'typescript';
      const others = isWhole ? [] : overridingMembers(store, place);
      const alike = isWhole || all.length === 1 ? {places: all, fits: () => true} : sameSpace(place, all);
      const declarations = [...alike.places, ...others].map(({file, index}): Relation => {
        const symbol = codeSymbol(file, index);
        return {kind: 'reference', targetName: symbol.name, target: symbol, path: file.path, range: symbol.nameRange};
      });
      const uses = incoming(store, [...all, ...others], {limit, fits: alike.fits}).sort(byPlace);
      const places = [...declarations, ...uses];
      const symbol = codeSymbol(place.file, place.index);
      const open = unproven(store, place, limit + 1);
      const truncated = places.length > limit || open.length > limit;
      return {symbol, places: places.slice(0, limit), unproven: open.slice(0, limit), truncated};
    },
  };
}

interface EdgeStore extends TypeStore {
  /** Files with uses of a symbol, and with uses of a name that mean nothing known. */
  readonly users: StatementSync;
  readonly openUsers: StatementSync;
}

interface Wanted {
  readonly limit: number;
  fits(relation: StoredRelation, file: StoredFile): boolean;
}

/** Uses of the symbols in other files and their own; at most one more than the limit. */
function incoming(store: EdgeStore, group: readonly Place[], {limit, fits}: Wanted): Relation[] {
  const numbers = new Set(group.map(({file, index}) => symbolNumber(file.id, file.numberAt(index))));
  const found: Relation[] = [];
  for (const id of filesThatUse(store, group, numbers)) {
    const file = store.reader.get(id);
    if (file === undefined) continue;
    for (const meant of byRange(relationsOf(file))) {
      const relation = meant.find(({target}) => numbers.has(target));
      if (relation !== undefined && fits(relation, file)) found.push({...shown(store, file, relation), ...others(store, meant, numbers)});
      if (found.length > limit) return found;
    }
  }
  return found;
}

/** Those of one use together. */
function* byRange(relations: Iterable<StoredRelation>): Generator<readonly StoredRelation[]> {
  let meant: StoredRelation[] = [];
  for (const relation of relations) {
    if (meant[0] !== undefined && meant[0].range !== relation.range) {
      yield meant;
      meant = [];
    }
    meant.push(relation);
  }
  if (meant.length > 0) yield meant;
}

/** What a use means besides these symbols. */
function others({reader}: EdgeStore, meant: readonly StoredRelation[], numbers: ReadonlySet<number>): Pick<Relation, 'others'> {
  const found = meant.flatMap(({target}) => (numbers.has(target) ? [] : (placeOfNumber(reader, target) ?? [])));
  return found.length === 0 ? {} : {others: found.map(({file, index}) => codeSymbol(file, index))};
}

/** Their own files, then the others, each once; one by one, as most are not needed where a symbol is used everywhere. */
function* filesThatUse({users}: EdgeStore, group: readonly Place[], numbers: ReadonlySet<number>): Generator<number> {
  const seen = new Set(group.map(({file}) => file.id));
  yield* seen;
  for (const number of numbers) {
    for (const row of users.iterate(number)) {
      const file = Number(row['file']);
      if (!seen.has(file)) yield file;
      seen.add(file);
    }
  }
}

function outgoing(store: EdgeStore, {file, index}: Place, {limit, fits}: Wanted): Relation[] {
  const found: Relation[] = [];
  for (const relation of relationsOf(file)) {
    if (relation.within >= 0 && isWithin(file, relation.within, index) && fits(relation, file)) found.push(shown(store, file, relation));
    if (found.length > limit) break;
  }
  return found;
}

/** Uses of that name that no rule resolved, where the language could mean the symbol. */
function unproven(store: EdgeStore, {file: {language, table}, index}: Place, limit: number): Relation[] {
  const name = table.names[index] ?? '';
  const found: Relation[] = [];
  for (const row of store.openUsers.iterate(openUseKey(name))) {
    const file = store.reader.get(Number(row['file']));
    if (file === undefined || familyOf(file.language) !== familyOf(language)) continue;
    let isForeign: ((relation: StoredRelation) => boolean) | undefined;
    for (const relation of relationsOf(file)) {
      if (relation.target !== 0 || relation.name !== name) continue;
      isForeign ??= globalMembers(file);
      if (!isForeign(relation)) found.push(shown(store, file, relation));
    }
    if (found.length >= limit) break;
  }
  return found.sort(byPlace).slice(0, limit);
}

function shown({reader}: EdgeStore, file: StoredFile, {kind, name, range, within, target}: StoredRelation): Relation {
  const to = placeOfNumber(reader, target);
  return {
    kind,
    ...(within < 0 ? {} : {source: codeSymbol(file, within)}),
    targetName: name,
    ...(to === undefined ? {} : {target: codeSymbol(to.file, to.index)}),
    path: file.path,
    range,
  };
}

/** Languages whose files name each other's symbols. */
export function familyOf(language: string): string {
  return FAMILIES[language] ?? language;
}

const FAMILIES: Readonly<Record<string, string | undefined>> = {
  tsx: 'typescript',
  javascript: 'typescript',
  kotlin: 'java',
  scala: 'java',
  cpp: 'c',
};

function isWithin(file: StoredFile, inner: number, outer: number): boolean {
  for (let at = inner; at >= 0; at = file.table.parents[at] ?? -1) if (at === outer) return true;
  return false;
}

function contained({file, index}: Place): Relation[] {
  return file
    .within(index)
    .filter((child) => !isQuietName(file.table.names[child] ?? ''))
    .map((child) => containment(file, index, child));
}

function containedIn({file, index}: Place): Relation[] {
  const parent = file.table.parents[index] ?? -1;
  return parent < 0 ? [] : [containment(file, parent, index)];
}

function containment(file: StoredFile, outer: number, inner: number): Relation {
  const target = codeSymbol(file, inner);
  return {kind: 'contains', source: codeSymbol(file, outer), targetName: target.name, target, path: file.path, range: target.nameRange};
}

function byPlace(a: Relation, b: Relation): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.range.start.line - b.range.start.line || a.range.start.character - b.range.start.character;
}
