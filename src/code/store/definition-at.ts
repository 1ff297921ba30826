import {posix} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import type {Definition} from '../code-graph.ts';
import {isFree} from '../extract/free-words.ts';
import {isKey, SHORT_KEY} from '../file-facts.ts';
import type {CodeSymbol, Position, Range} from '../symbol.ts';
import {codeSymbol, placeOfNumber} from './code-symbol.ts';
import {everyDeclaration, type Place} from './declarations.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {relationsOf, type StoredRelation} from './relations-of.ts';
import {isDeclaredFor, isOfAll} from './name-space.ts';
import {fileOf, isModuleNumber, ITSELF} from './symbol-number.ts';

/**
 * What the name at this place means: the symbol that it declares or that its use means, with all its declarations, or, where it is imported, a module from its beginning.
 * Undefined where no symbol or use is there.
 */
export function definitionsAt(stored: Stored, file: StoredFile, at: Position): readonly Definition[] | undefined {
  const meant = nameAt(stored, file, at);
  if (meant === undefined) return undefined;
  const symbols = meant.declarations.map((place) => codeSymbol(place.file, place.index));
  return [
    ...symbols.map((symbol) => ({path: symbol.path, range: rangeOf(symbol), symbol})),
    ...meant.keys.map((range) => ({path: file.path, range})),
    ...meant.modules.map(({path}) => ({path, range: BEGINNING})),
  ];
}

/** What a name at a place means. */
export interface NameAt {
  /** Each once, those first that the place asks for. */
  readonly declarations: readonly Place[];
  /** Whether it is a type or a value, as the place asks: one name may be both. */
  readonly fits: (place: Place) => boolean;
  /** A key that declares itself. */
  readonly keys: readonly Range[];
  readonly modules: readonly StoredFile[];
}

/** Undefined where no symbol or use is there. */
export function nameAt(stored: Stored, file: StoredFile, at: Position): NameAt | undefined {
  const {reader} = stored;
  const own = file.details.findIndex(({nameRange}) => holds(nameRange, at));
  const relations = [...relationsOf(file)].filter(({range}) => holds(range, at));
  // What the index cannot tell the text itself may: a member of a literal without a name of its own.
  const isUnknown = relations.every(({target}) => target === 0);
  const key = isUnknown ? keyAt(file, at) : undefined;
  if (own < 0 && key?.target === ITSELF) return {...NOTHING, keys: [key.range]};
  if (own < 0 && isUnknown) return undefined;
  if (key !== undefined && isElsewhere(key)) return NOTHING;
  // A key is declared where its type is. One word may be two names: `{port}` is a member and the variable it is taken from.
  const isKeyed = relations.some((relation) => relation.isKey === true);
  const meant = relations.flatMap(({target}) => placeOfNumber(reader, target) ?? []);
  const isHandedOn = relations.some(isOfAll);
  const fits = (place: Place): boolean =>
    relations.length === 0 ? place.index === own : isHandedOn || relations.some((relation) => isDeclaredFor(place, relation, file));
  const places = [...(own < 0 || isKeyed ? [] : [{file, index: own}]), ...meant]
    .flatMap((place) => everyDeclaration(stored, place))
    .toSorted((a, b) => Number(fits(b)) - Number(fits(a)));
  const declarations = places.filter((place, index) => places.findIndex((other) => isSame(other, place)) === index);
  const modules = relations.flatMap((relation) =>
    isModuleNumber(relation.target) ? (moduleAt({reader, from: file}, relation, at) ?? []) : [],
  );
  return {declarations, fits, keys: [], modules};
}

function isSame(a: Place, b: Place): boolean {
  return a.file.id === b.file.id && a.index === b.index;
}

const NOTHING: NameAt = {declarations: [], fits: () => false, keys: [], modules: []};

/** Nothing says what a key means that its type does not have; one that is a value, too, means that at least. */
function isElsewhere({target, type, isShort}: Key): boolean {
  return target === 0 && !isShort && !isFree(type);
}

interface Stored {
  readonly database: DatabaseSync;
  readonly reader: FactsReader;
}

interface Asked {
  readonly reader: FactsReader;
  /** The file with the name. */
  readonly from: StoredFile;
}

/** A module; where its name is written whole (`a.b.c`), of the part that is pointed at. */
function moduleAt({reader, from}: Asked, {kind, name, range, target}: StoredRelation, at: Position): StoredFile | undefined {
  const file = reader.get(fileOf(target));
  // In JavaScript and TypeScript the name of a module is declared by its import.
  if (file !== undefined && SCRIPTS.has(file.language))
    return kind === 'import' || kind === 'export' || isHanded(from, name) ? file : undefined;
  if (file?.language !== 'python' || kind !== 'import') return file;
  const behind = name.slice(Math.max(0, at.character - range.start.character)).split('.').length - 1;
  if (behind === 0) return file;
  const isPackage = /(?:^|\/)__init__\.pyi?$/.test(file.path);
  let folder = posix.dirname(file.path);
  for (let up = isPackage ? behind : behind - 1; up > 0; up--) folder = posix.dirname(folder);
  return reader.at(posix.join(folder, '__init__.py'));
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);

/** Whether a file has the name of a module from another one: `import {geometry} from …`, which has it from `export * as geometry`. */
function isHanded({links}: StoredFile, name: string): boolean {
  return links.imports.some(({local, original}) => local === name && original !== '*' && original !== '=');
}

/** What has no name but `default` is declared by its whole statement. */
function rangeOf({name, range, nameRange}: CodeSymbol): Range {
  return name === 'default' ? {start: range.start, end: nameRange.end} : nameRange;
}

interface Key {
  readonly type: string;
  readonly range: Range;
  readonly target: number;
  readonly isShort: boolean;
}

/** The key of an object or a pattern, with the words for its type: where that has it not, only a type with any key leaves it its own. */
function keyAt({uses, edges}: StoredFile, at: Position): Key | undefined {
  const index = uses.findLastIndex(({receiver, range}) => isKey(receiver) && holds(range, at));
  const use = uses[index];
  if (use?.receiverType === undefined) return undefined;
  return {type: use.receiverType, range: use.range, target: edges[index] ?? 0, isShort: use.receiver === SHORT_KEY};
}

const BEGINNING = {start: {line: 0, character: 0}, end: {line: 0, character: 0}};

export function holds({start, end}: Range, {line, character}: Position): boolean {
  const isAfter = line > start.line || (line === start.line && character >= start.character);
  return isAfter && (line < end.line || (line === end.line && character <= end.character));
}
