import type {StoredFile} from '../store/facts-reader.ts';

/** What is known of all files while the names of one are resolved. Whatever is looked at is noted, so that its change is noticed. */
export interface CodeBase {
  /** A file by its path from the root. */
  at(path: string): StoredFile | undefined;
  /** Symbols of that name anywhere, those of tests last; at most 50. */
  named(name: string): readonly Place[];
  /** The name of the folder that the repository lies in. */
  readonly rootName: string;
  /** Files of a folder (`''` for the root), not those below. */
  inFolder(folder: string): readonly StoredFile[];
  /** Paths of settings files with that name (`package.json`), short ones first. */
  settingsNamed(name: string): readonly string[];
  /** A settings file of the repository: plain data; undefined where there is none, or it cannot be parsed. */
  settings(path: string): unknown;
  /** Its text; '' where there is none. */
  settingsText(path: string): string;
  /** What was found out before about where paths lead, as little data: it stays in memory. The key names the question. */
  remember<T>(key: string, find: () => T): T;
  /** Whether a package is there for what the repository imports, though it is no part of it. */
  installed(name: string): boolean;
  /** Notes that an import led nowhere. */
  missed(module: string): void;
  /** Notes that the answer depends on this file. */
  used(file: Pick<StoredFile, 'id'>): void;
}

/** A symbol where it is declared. */
export interface Place {
  readonly file: StoredFile;
  readonly index: number;
  /** What the type parameters around it are. */
  readonly env?: Env | undefined;
}

/** Types for the names of type parameters: `T` in `Box<T>` where `Box<Server>` is meant. */
export interface Env {
  readonly id: number;
  readonly names: ReadonlyMap<string, NamedAt>;
}

/** A whole module: several files where the language has packages. */
export interface ModuleMeaning {
  readonly modules: readonly StoredFile[];
}

/** Something of a type, which is no symbol itself: an element of a list. */
export interface ValueMeaning {
  /** Words of a type, where they stand. */
  readonly value: NamedAt;
  /** Which of its members it has: these alone, or all but these. */
  readonly members?: {readonly names: ReadonlySet<string>; readonly isKept: boolean};
}

/** A type that is part of the language: `Map<string,Server>`. */
export interface BuiltInMeaning {
  readonly builtIn: string;
  readonly args: readonly NamedAt[];
  /** One of its methods, not called yet. */
  readonly method?: string;
}

/** `A|B`, and what is had of them: several declarations, of which a use may mean each. */
export interface UnionMeaning {
  readonly anyOf: readonly Meaning[];
  /** Only the first counts that has an answer. */
  readonly isOrdered?: true;
}

/** A function by its type alone. */
export interface FunctionMeaning {
  /** The last may be a list of all further ones: its words begin with `...`. */
  readonly parameters: readonly NamedAt[];
  readonly result: NamedAt;
}

/** What an expression or a type stands for, as far as names tell it. */
export type Meaning = Place | FunctionMeaning | ModuleMeaning | ValueMeaning | BuiltInMeaning | UnionMeaning;

export function isPlace(meaning: Meaning | undefined): meaning is Place {
  return meaning !== undefined && 'index' in meaning;
}

/** A name, in a file, seen from a symbol of it (-1: from the top). */
export interface NamedAt {
  readonly file: StoredFile;
  readonly within: number;
  readonly name: string;
  readonly env?: Env | undefined;
}

/** The parts of resolving, which need each other. Each answer is the first declaration of what is meant, of each alternative of a type. */
export interface Lookup {
  readonly base: CodeBase;
  /** A bare name: of a scope around it, imported, or seen without import. */
  name(at: NamedAt): Meaning | undefined;
  /** What a file gives out under a name, also through files that export it again. */
  exported(file: StoredFile, name: string): Meaning | undefined;
  /** What an import of a module or of a name in it means. */
  imported(fact: {readonly original: string; readonly module: string}, from: StoredFile): Meaning | undefined;
  /** What stands behind the dot. */
  member(of: Meaning, name: string): Meaning | undefined;
  /** What a chain (`a.b().c`) stands for, as `UseFact.receiver` has it; `name` holds it. */
  chain(at: NamedAt): Meaning | undefined;
  /** What the words of a type mean (`Server`, `Server[]`, `typeof make()`), as `SymbolFact.typeName` has them; `name` holds them. */
  type(at: NamedAt): Meaning | undefined;
  /** Undefined where the question is being answered already: names may go in circles. */
  once<T>(question: string, answer: () => T | undefined): T | undefined;
}
