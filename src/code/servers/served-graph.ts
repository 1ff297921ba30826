import {readFile} from 'node:fs/promises';
import {isAbsolute, join, relative, sep} from 'node:path';
import type {CodeGraph, Definition, PlaceReferences, References} from '../code-graph.ts';
import {languageOf} from '../languages/all.ts';
import type {Relation} from '../relation.ts';
import type {CodeSymbol, Position} from '../symbol.ts';
import type {AskedText, LanguageServers} from './language-servers.ts';
import type {ServerPlace} from './server-words.ts';

export interface ServedGraphOptions {
  readonly servers: Pick<LanguageServers, 'definitions' | 'references'>;
  /** The real path of the workspace. */
  readonly root: string;
  /** How long an answer may take before the index gives its own; milliseconds. */
  readonly timeoutMs?: number;
}

/** A server that starts answers the next question: this one does not wait for it. */
const TIMEOUT_MS = 3000;

/**
 * An index whose definitions and references come from a language server where there is one that answers in time: it knows types. What it
 * says of places outside of the workspace, or in `node_modules`, is left out. Everything else, and every failure, is the index.
 */
export function servedGraph(graph: CodeGraph, options: ServedGraphOptions): CodeGraph {
  return {
    ...graph,
    async references(symbolId, query, signal) {
      const indexed = await graph.references(symbolId, query, signal);
      const {symbol} = indexed;
      const found = await asked({what: 'references', path: symbol.path, position: symbol.nameRange.start}, options, signal);
      const isKnown = found !== undefined && found.some((place) => isAt(place, symbol)) && isWhole(found, indexed);
      return isKnown ? {symbol, ...merged({...indexed, symbols: [symbol]}, found, query.limit)} : indexed;
    },
    async referencesAt(at, query, signal) {
      const indexed = await graph.referencesAt(at, query, signal);
      const found = await asked({what: 'references', ...at}, options, signal);
      return found === undefined || !isWhole(found, indexed) ? indexed : {...indexed, ...merged(indexed, found, query.limit)};
    },
    async definitionAt(path, position, signal) {
      const found = await asked({what: 'definitions', path, position}, options, signal);
      if (found === undefined || found.length === 0) return await graph.definitionAt(path, position, signal);
      return await Promise.all(found.map(async (place) => await declared(place, graph, signal)));
    },
  };
}

/** A place in the workspace, as the index writes it. */
type Found = Pick<Relation, 'path' | 'range'>;

interface Asking {
  readonly what: 'references' | 'definitions';
  readonly path: string;
  readonly position: Position;
}

async function asked(
  {what, path, position}: Asking,
  {servers, root, timeoutMs = TIMEOUT_MS}: ServedGraphOptions,
  signal: AbortSignal,
): Promise<readonly Found[] | undefined> {
  const language = languageOf(path);
  if (language === undefined) return undefined;
  try {
    const file = join(root, path);
    const text: AskedText = {language, file, text: await readFile(file, {encoding: 'utf8', signal})};
    const places = await servers[what]({...text, position}, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    return places?.flatMap((place) => inside(place, root));
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined; // slow, gone, or it cannot: the index can
  }
}

function inside({file, range}: ServerPlace, root: string): Found[] {
  const path = relative(root, file).split(sep).join('/');
  return isAbsolute(path) || path.startsWith('../') || `/${path}`.includes('/node_modules/') ? [] : [{path, range}];
}

/** A server may know only the files that are open (without a project file), or older texts: then the index knows more. */
function isWhole(found: readonly Found[], {places}: Pick<References, 'places'>): boolean {
  const known = new Set(found.map(keyOf));
  return places.every((place) => known.has(keyOf(place)));
}

function isAt({path, range}: Found, symbol: CodeSymbol): boolean {
  return path === symbol.path && keyOf({path, range}) === keyOf({path, range: symbol.nameRange});
}

/** The places of the server; of which kind they are, and where they stand, the index knows. */
function merged({symbols, places}: PlaceReferences, found: readonly Found[], limit: number): Omit<References, 'symbol'> {
  const [symbol] = symbols;
  const isDeclared = (place: Found): boolean => symbol !== undefined && isAt(place, symbol);
  const known = new Map(places.map((place) => [keyOf(place), place]));
  const all = [...new Map(found.map((place) => [keyOf(place), place])).values()].map(
    (place): Relation =>
      known.get(keyOf(place)) ?? {
        kind: 'reference',
        targetName: symbol?.name ?? '',
        ...(symbol === undefined ? {} : {target: symbol}),
        ...place,
      },
  );
  all.sort((a, b) => Number(isDeclared(b)) - Number(isDeclared(a)) || order(a.path, b.path) || byPosition(a, b));
  return {places: all.slice(0, limit), unproven: [], truncated: all.length > limit};
}

async function declared({path, range}: Found, graph: CodeGraph, signal: AbortSignal): Promise<Definition> {
  const known = await graph.definitionAt(path, range.start, signal).catch(() => []);
  const symbol = known.find((definition) => definition.path === path && keyOf(definition) === keyOf({path, range}))?.symbol;
  return symbol === undefined ? {path, range} : {path, range, symbol};
}

function keyOf({path, range: {start}}: Found): string {
  return `${path}:${start.line}:${start.character}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function byPosition({range: {start: a}}: Found, {range: {start: b}}: Found): number {
  return a.line - b.line || a.character - b.character;
}
