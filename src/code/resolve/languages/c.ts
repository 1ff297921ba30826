import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';
import {onlyOne} from './only-one.ts';

/** C and C++: what is included, from the folder of the file, the root and the usual folders; functions that a single file defines. */
export const cRules: LanguageRules = {
  exportsAreMarked: false,
  membersAreBare: true,
  modules(module, from, base) {
    const found = included(module.replaceAll(/["<>]/g, ''), from, base);
    return found === undefined ? [] : [found];
  },
  ambient: (name, from, base) => onlyOne({name, languages: C, kinds: LINKED, base, from}),
};

const C: ReadonlySet<string> = new Set(['c', 'cpp']);
const LINKED: ReadonlySet<string> = new Set(['function', 'struct', 'class', 'enum', 'type']);

function included(path: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const places = [posix.dirname(from.path), '.', 'include', 'src', 'lib'];
  return places.map((folder) => base.at(posix.join(folder, path))).find((file) => file !== undefined);
}
