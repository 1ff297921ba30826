import type {StoredFile} from '../store/facts-reader.ts';
import type {CodeBase, Meaning, NamedAt, Place} from './code-base.ts';

/** `C` in `a.b`. */
export interface FullName {
  readonly home: string;
  readonly name: string;
}

/** How a language finds what another file declares. */
export interface LanguageRules {
  /** The files that this module means where it is imported in that file; none where it is not in the repository. */
  modules(module: string, from: StoredFile, base: CodeBase): readonly StoredFile[];
  /** What a file sees without importing it: of its package, its folder, its includes. */
  ambient?(name: string, from: StoredFile, base: CodeBase): Place | undefined;
  /** What the import of one name means, where it is more than a name in a module. */
  imported?(fact: {readonly original: string; readonly module: string}, from: StoredFile, base: CodeBase): Meaning | undefined;
  /** The same where the module is no file of the repository. */
  declared?(fact: {readonly original: string; readonly module: string}, base: CodeBase): Place | undefined;
  /** The file that a module is written in, where its declaration only names it (`mod store;`). */
  declaredModule?(name: string, from: StoredFile, base: CodeBase): StoredFile | undefined;
  /** A module in a module that has been imported whole: `b` in `a.b`. */
  submodule?(file: StoredFile, name: string, base: CodeBase): StoredFile | undefined;
  /** A name in a namespace (`a.b`), which several files may add to. */
  inSpace?(full: FullName, from: StoredFile, base: CodeBase): Place | undefined;
  /** The type of that name where a declaration of the same name only refers to it (`typedef struct a a;`). */
  tagged?(name: string, from: StoredFile, base: CodeBase): Place | undefined;
  /** Other declarations of the same type that add members to it: partial classes, modules that are opened again, extensions. */
  parts?(of: Place, base: CodeBase): readonly Place[];
  /** A member that is declared outside of its type, in any file. */
  added?(of: Place, name: string, base: CodeBase): Place | undefined;
  /** A member that a type has only where it is imported, or in its package: a function that extends it. */
  extension?(name: string, from: StoredFile, base: CodeBase): Place | undefined;
  /** What a name means with its whole path, without an import. */
  whole?(full: FullName, from: StoredFile, base: CodeBase): Place | undefined;
  /** Other files that say more of the types of this one: those of its package. */
  siblings?(from: StoredFile, base: CodeBase): readonly StoredFile[];
  /** What a word that is no name stands for at the beginning of a path: `crate`, `super`. */
  begins?(at: NamedAt, base: CodeBase): Meaning | undefined;
  /** An import is the text of another file: what that one imports is seen, too. */
  readonly includes?: boolean;
  /** A member of a class is a bare name in it. */
  readonly membersAreBare?: boolean;
  /** Only what is marked so can be imported. */
  readonly exportsAreMarked: boolean;
}
