import type {PlaceReferences, ReferenceQuery, References} from '../code-graph.ts';
import type {Relation} from '../relation.ts';
import type {Position} from '../symbol.ts';
import {codeSymbol} from './code-symbol.ts';
import {nameAt} from './definition-at.ts';
import type {StoredFile} from './facts-reader.ts';
import {importedAlias} from './imported-alias.ts';
import type {Queries} from './stored-index.ts';

/**
 * Every place that names what the name at this place means: of a member of a union what each alternative has, of `{port}` the member and the
 * variable; of what shares a name only what the place asks for, a type or a value. Undefined where no symbol or use is there.
 */
export function referencesAt(
  queries: Queries,
  {file, at}: {readonly file: StoredFile; readonly at: Position},
  query: ReferenceQuery,
): PlaceReferences | undefined {
  const meant = nameAt(queries, file, at);
  if (meant === undefined) return undefined;
  const [first] = meant.declarations;
  const ofName = first === undefined ? undefined : importedAlias(queries.reader, {file, at}, first);
  // What an import brings has all that shares the name.
  const fitting = ofName === undefined ? meant.declarations.filter(meant.fits) : [];
  const asked = fitting.length === 0 ? meant.declarations : fitting;
  const isSome = typeof ofName === 'function';
  const all = joined(asked.map((place) => queries.edges.references(place, isSome ? {...query, limit: MOST} : query)));
  const found = isSome ? {...all, ...cut(all.places.filter(ofName), all, query.limit)} : all;
  const keys = meant.keys.map((range): Relation => ({kind: 'reference', targetName: '', path: file.path, range}));
  return {symbols: asked.map((place) => codeSymbol(place.file, place.index)), ...found, places: [...keys, ...found.places]};
}

/** An import may give the symbol a name that only some of its places have: these are looked for among all of them. */
const MOST = 100_000;

function cut(
  places: readonly Relation[],
  {truncated}: {readonly truncated: boolean},
  limit: number,
): Pick<References, 'places' | 'truncated'> {
  return {places: places.slice(0, limit), truncated: truncated || places.length > limit};
}

/** Each place once; declarations first. */
function joined(all: readonly Omit<References, 'symbol'>[]): Omit<PlaceReferences, 'symbols'> {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const places = once(all.flatMap((found) => found.places));
  return {
    places: [...places.filter(isDeclaration), ...places.filter((place) => !isDeclaration(place))],
    unproven: once(all.flatMap((found) => found.unproven)),
    truncated: all.some(({truncated}) => truncated),
  };
}

function isDeclaration({target, range}: Relation): boolean {
  return target?.nameRange === range;
}

function once(places: readonly Relation[]): Relation[] {
  return [...new Map(places.map((place) => [`${place.path} ${place.range.start.line} ${place.range.start.character}`, place])).values()];
}
