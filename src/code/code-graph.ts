import type {WrittenName} from './extract/names-in-text.ts';
import type {FileFacts} from './file-facts.ts';
import type {Relation, RelationKind} from './relation.ts';
import type {CodeSymbol, Position, SymbolKind} from './symbol.ts';

/**
 * What can be asked of the code of one workspace. Every answer is of one state of the index; `fresh` brings it up to date before.
 * Errors: UNAVAILABLE (no index can be had, with the reason), NOT_FOUND (no such symbol or file, with the nearest names), BAD_ARGS.
 */
export interface CodeGraph {
  /** Files, symbols, relations, age, whether a build is under way and how far. Never waits. */
  status(signal: AbortSignal): Promise<IndexStatus>;
  /**
   * Everything indexed, as far as the files stand now; builds where there is no index yet. `symbols`: where few files have changed their
   * relations, and those of files that look at them, may follow.
   */
  fresh(signal: AbortSignal, progress?: (done: IndexProgress) => void, upTo?: 'symbols' | 'relations'): Promise<IndexStatus>;
  /** Best first: exact, prefix, camel humps, infix, one or two typing errors. */
  search(query: SymbolQuery, signal: AbortSignal): Promise<FoundSymbols>;
  /** One symbol, or the several that the words fit. */
  resolve(selector: SymbolSelector, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
  /** The symbols of one file as a tree, by position. */
  outline(path: string, signal: AbortSignal): Promise<readonly OutlineNode[]>;
  /** The edges into and out of one symbol. */
  graph(symbolId: string, query: EdgeQuery, signal: AbortSignal): Promise<SymbolEdges>;
  /** Every place that names the symbol, its declaration first; by path and position. */
  references(symbolId: string, query: ReferenceQuery, signal: AbortSignal): Promise<References>;
  /** Every place that names what the name at this place means, a local variable or a member of several types, too. Both numbers from 0. */
  referencesAt(at: NamePlace, query: ReferenceQuery, signal: AbortSignal): Promise<PlaceReferences>;
  /** What the name at this place means: symbols, or places of local variables. Both numbers from 0. */
  definitionAt(path: string, at: {readonly line: number; readonly character: number}, signal: AbortSignal): Promise<readonly Definition[]>;
  /** Every indexed file with what weighs it, by path: for the overview of a project. */
  files(signal: AbortSignal): Promise<readonly IndexedFile[]>;
  /** What a text would say if it were this file; undefined for a file of no known language. Nothing is stored. */
  factsOf(path: string, text: string, signal: AbortSignal): Promise<FileFacts | undefined>;
  /** Where a text writes a name besides what its facts tell: shorthands, keys of objects, labels of arguments. Nothing is stored. */
  namesIn(path: string, written: {readonly text: string; readonly name: string}, signal: AbortSignal): Promise<readonly WrittenName[]>;
  /** The text of a file as an editor holds it, unsaved; `undefined` when it is as on disk again. */
  overlay(path: string, text: string | undefined): void;
  close(): Promise<void>;
}

export interface IndexStatus {
  readonly state: 'absent' | 'building' | 'ready';
  readonly files: number;
  readonly symbols: number;
  readonly relations: number;
  /** Files that could not be read or parsed whole; their last good symbols are kept. */
  readonly broken: number;
  /** Files that are left out because nobody wrote them by hand: too large, minified, generated, binary. */
  readonly skipped?: number;
  /** Milliseconds since the epoch; absent before the first build. */
  readonly builtAt?: number;
  readonly languages: Readonly<Record<string, number>>;
  readonly progress?: IndexProgress;
}

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

export interface SymbolQuery {
  readonly text: string;
  /** A file or folder, from the root of the workspace. */
  readonly path?: string | undefined;
  readonly kind?: SymbolKind | undefined;
  readonly limit: number;
}

export interface FoundSymbols {
  /** `score` from 0 to 1. */
  readonly symbols: readonly {readonly symbol: CodeSymbol; readonly score: number}[];
  readonly truncated: boolean;
}

/** By id, or by file and name ("provide either symbol_id, or a path with a symbol name selector"), or by a name alone. */
export interface SymbolSelector {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly qualifiedName?: string | undefined;
  readonly name?: string | undefined;
  readonly kind?: SymbolKind | undefined;
}

export interface OutlineNode {
  readonly symbol: CodeSymbol;
  readonly children: readonly OutlineNode[];
}

export interface EdgeQuery {
  /** All kinds when absent. */
  readonly kind?: RelationKind | undefined;
  /** Of each direction. */
  readonly limit: number;
}

export interface SymbolEdges {
  readonly symbol: CodeSymbol;
  readonly incoming: readonly Relation[];
  readonly outgoing: readonly Relation[];
  readonly truncated: boolean;
}

export interface ReferenceQuery {
  readonly limit: number;
  /** Also those of a value that shares its name with this type, or of such a type: they can be renamed only together. */
  readonly merged?: boolean;
}

export interface References {
  readonly symbol: CodeSymbol;
  readonly places: readonly Relation[];
  /** Uses of the same name that could not be resolved, in the languages that could mean it: a rename must ask about them. */
  readonly unproven: readonly Relation[];
  readonly truncated: boolean;
}

/** A name in a file, which may stand for several symbols. Both numbers from 0. */
export interface NamePlace {
  readonly path: string;
  readonly position: Position;
}

export interface PlaceReferences extends Omit<References, 'symbol'> {
  /** What the name means; none where it is no symbol. */
  readonly symbols: readonly CodeSymbol[];
}

export interface Definition {
  readonly path: string;
  readonly range: Relation['range'];
  readonly symbol?: CodeSymbol;
}

export interface IndexedFile {
  readonly path: string;
  readonly language: string;
  readonly symbols: number;
  readonly exported: number;
  /** Places in this list of the files that it imports from or uses symbols of, each once. */
  readonly uses: readonly number[];
}
