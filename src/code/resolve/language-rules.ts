import type {StoredFile} from '../store/facts-reader.ts';
import type {CodeBase, Meaning, Place} from './code-base.ts';

/** How a language finds what another file declares. */
export interface LanguageRules {
  /** The files that this module means where it is imported in that file; none where it is not in the repository. */
  modules(module: string, from: StoredFile, base: CodeBase): readonly StoredFile[];
  /** What a file sees without importing it: of its package, its folder, its includes. */
  ambient?(name: string, from: StoredFile, base: CodeBase): Place | undefined;
  /** What the import of one name means, where it is more than a name in a module. */
  imported?(fact: {readonly original: string; readonly module: string}, from: StoredFile, base: CodeBase): Meaning | undefined;
  /** The file that a module is written in, where its declaration only names it (`mod store;`). */
  declaredModule?(name: string, from: StoredFile, base: CodeBase): StoredFile | undefined;
  /** Other files that say more of the types of this one: those of its package. */
  siblings?(from: StoredFile, base: CodeBase): readonly StoredFile[];
  /** A member of a class is a bare name in it. */
  readonly membersAreBare?: boolean;
  /** Only what is marked so can be imported. */
  readonly exportsAreMarked: boolean;
}
