import type {ExportFact} from '../file-facts.ts';
import type {StoredFile} from '../store/facts-reader.ts';
import type {Lookup, Meaning, Place} from './code-base.ts';
import {rulesOf} from './rules-of.ts';
import {isReplacement} from './visible-name.ts';

/** What a file gives out under a name: its own, or through any number of files that export it again. */
export function exportedName(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  return lookup.once(`export ${file.id} ${name}`, () => {
    lookup.base.used(file);
    const own = declared(file, name);
    if (own !== undefined && !isReplacement(own)) return own;
    return named(lookup, file, name) ?? own ?? star(lookup, file, name) ?? ofValue(lookup, file, name);
  });
}

function declared(file: StoredFile, name: string): Place | undefined {
  const {exportsAreMarked} = rulesOf(file.language);
  const index = file
    .named(-1, name)
    .find((at) => file.table.kinds[at] !== 'impl' && (!exportsAreMarked || file.table.exported[at] === true));
  return index === undefined ? undefined : {file, index};
}

function named(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  for (const fact of file.links.exports) {
    if (fact.name !== name) continue;
    const found = exportMeaning(lookup, file, fact);
    if (found !== undefined) return found;
  }
  if (rulesOf(file.language).exportsAreMarked) return undefined;
  const imported = file.links.imports.find(({local}) => local === name);
  return imported === undefined ? undefined : lookup.imported(imported, file);
}

/** What one line of exporting gives out. */
export function exportMeaning(lookup: Lookup, file: StoredFile, {original, module}: ExportFact): Meaning | undefined {
  if (original === '') return undefined;
  if (module !== undefined) return lookup.imported({original, module}, file);
  return lookup.chain({file, within: -1, name: original});
}

function star(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  if (name === 'default' || name === '=') return undefined;
  const all = [
    ...file.links.exports.filter((fact) => fact.name === '*'),
    ...(rulesOf(file.language).exportsAreMarked ? [] : file.links.imports.filter(({local}) => local === '*')),
  ];
  for (const {module} of all) {
    if (module === undefined) continue;
    for (const next of rulesOf(file.language).modules(module, file, lookup.base)) {
      const found = lookup.exported(next, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A member of what was assigned to `module.exports`. */
function ofValue(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  if (name === '=' || name === 'default' || !file.links.exports.some((fact) => fact.name === '=')) return undefined;
  const whole = lookup.exported(file, '=');
  return whole === undefined ? undefined : lookup.member(whole, name);
}
