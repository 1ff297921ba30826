import type {CodeBase, Lookup} from './code-base.ts';
import {chainMeaning} from './chain-meaning.ts';
import {exportedName} from './exported-name.ts';
import {importedName} from './imported-name.ts';
import {memberOf} from './member.ts';
import {typeMeaning} from './type-meaning.ts';
import {visibleName} from './visible-name.ts';

/** Puts the parts of resolving together. */
export function createLookup(base: CodeBase): Lookup {
  const open = new Set<string>();
  let steps = 0;
  const lookup: Lookup = {
    base,
    name: (at) => visibleName(lookup, at),
    exported: (file, name) => exportedName(lookup, file, name),
    imported: (fact, from) => importedName(lookup, fact, from),
    member: (of, name) => memberOf(lookup, of, name),
    chain: (at) => chainMeaning(lookup, at),
    type: (at) => typeMeaning(lookup, at),
    once(question, answer) {
      if (open.size === 0) steps = 0;
      if (open.has(question) || open.size > DEEPEST || ++steps > MOST_STEPS) return undefined;
      open.add(question);
      try {
        return answer();
      } finally {
        open.delete(question);
      }
    },
  };
  return lookup;
}

/** No honest chain of names is longer. */
const DEEPEST = 64;
/** And none needs more questions: one name takes some ten, and a repository that wants more would stop the index. */
const MOST_STEPS = 2000;
