import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {CodeGraph, Definition, PlaceReferences} from '../code-graph.ts';
import type {Relation} from '../relation.ts';
import type {Position, Range} from '../symbol.ts';
import {definitionsAt} from '../store/definition-at.ts';
import {referencesAt} from '../store/references-at.ts';
import type {Queries} from '../store/stored-index.ts';
import type {IndexChild} from './index-child.ts';
import {moduleBeginning} from './module-beginning.ts';

/** Who answers: the index, and the process that parses. */
export interface PlaceSources {
  readonly home: string;
  readonly child: Pick<IndexChild, 'ask'>;
  /** Texts as an editor holds them. */
  readonly overlays: ReadonlyMap<string, string>;
  ask<T>(signal: AbortSignal, question: (queries: Queries) => T): T;
}

/** The questions about a name at a place: the index knows symbols, the text what no other file can name. */
export function placeQuestions(sources: PlaceSources): Pick<CodeGraph, 'referencesAt' | 'definitionAt'> {
  const {home, ask, overlays} = sources;
  return {
    async referencesAt({path, position}, query, signal) {
      const known = ask(signal, (queries) => referencesAt(queries, {file: queries.file(path), at: position}, query));
      const ranges = await placesIn(sources, {path, at: position, every: true}, signal);
      return withLocal(known, {path, text: overlays.get(path) ?? textAt(join(home, path)), ranges}, query.limit);
    },
    async definitionAt(path, at, signal) {
      const known = ask(signal, (queries) => definitionsAt(queries, queries.file(path), at));
      if (known !== undefined) return known.map((found) => withBeginning(found, (file) => overlays.get(file) ?? textAt(join(home, file))));
      const places = await placesIn(sources, {path, at, every: false}, signal);
      return places.map((range) => ({path, range}));
    },
  };
}

interface Asked {
  readonly path: string;
  readonly at: Position;
  readonly every: boolean;
}

async function placesIn(
  {home, child, overlays, ask}: PlaceSources,
  {path, at, every}: Asked,
  signal: AbortSignal,
): Promise<readonly Range[]> {
  const {language} = ask(signal, (queries) => queries.file(path));
  const text = overlays.get(path) ?? readFileSync(join(home, path), 'utf8');
  return (await child.ask({is: 'places', language, text, at, every}, signal))?.places ?? [];
}

interface LocalPlaces {
  readonly path: string;
  readonly text: string;
  readonly ranges: readonly Range[];
}

const NONE: PlaceReferences = {symbols: [], places: [], unproven: [], truncated: false};

/** What the index knows of a name at a place, and behind it the places of the local variable or member that it may be as well. */
function withLocal(known: PlaceReferences = NONE, {path, text, ranges}: LocalPlaces, limit: number): PlaceReferences {
  const lines = text.split('\n');
  const told = new Set(known.places.map(keyOf));
  const further = ranges
    .map(({start, end}): Relation => {
      const name = (lines[start.line] ?? '').slice(start.character, end.character);
      return {kind: 'reference', targetName: name, path, range: {start, end}};
    })
    .filter((place) => !told.has(keyOf(place)));
  const places = [...known.places, ...further];
  return {...known, places: places.slice(0, limit), truncated: known.truncated || places.length > limit};
}

function keyOf({path, range: {start}}: Pick<Relation, 'path' | 'range'>): string {
  return `${path}:${start.line}:${start.character}`;
}

/** A module is where its code begins, in languages whose compiler says so. */
function withBeginning(definition: Definition, textOf: (path: string) => string): Definition {
  const {start, end} = definition.range;
  if (definition.symbol !== undefined || end.line > start.line || end.character > start.character) return definition;
  if (!/\.[cm]?[jt]sx?$/.test(definition.path)) return definition;
  const at = moduleBeginning(textOf(definition.path));
  return {...definition, range: {start: at, end: at}};
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone since it was indexed
  }
}
