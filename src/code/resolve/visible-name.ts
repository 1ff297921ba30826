import type {StoredFile} from '../store/facts-reader.ts';
import type {Lookup, Meaning, NamedAt} from './code-base.ts';
import {rulesOf} from './rules-of.ts';

/** What a bare name means: of the symbols around it from the inside out, imported, or seen without import. */
export function visibleName(lookup: Lookup, {file, within, name}: NamedAt): Meaning | undefined {
  for (let scope = within; scope >= 0; scope = file.table.parents[scope] ?? -1) {
    const own = inScope(lookup, {file, within: scope, name});
    if (own !== undefined) return own;
  }
  const top = file.named(-1, name)[0];
  if (top !== undefined) return {file, index: top};
  const fact = file.links.imports.find(({local}) => local === name);
  if (fact !== undefined) return lookup.once(`import ${file.id} ${name}`, () => lookup.imported(fact, file));
  return throughStars(lookup, file, name) ?? rulesOf(file.language).ambient?.(name, file, lookup.base);
}

/** A member of a class is no bare name in it, but for languages that need no `this`: there inherited ones are, too. */
function inScope(lookup: Lookup, {file, within, name}: NamedAt): Meaning | undefined {
  const kind = file.table.kinds[within];
  const isOpen = kind === 'namespace' || kind === 'module' || kind === 'function' || kind === 'method';
  if (isOpen) {
    const index = file.named(within, name)[0];
    return index === undefined ? undefined : {file, index};
  }
  return rulesOf(file.language).membersAreBare === true ? lookup.member({file, index: within}, name) : undefined;
}

/** `from module import *`. */
function throughStars(lookup: Lookup, file: StoredFile, name: string): Meaning | undefined {
  const rules = rulesOf(file.language);
  if (rules.exportsAreMarked) return undefined;
  for (const {local, module} of file.links.imports) {
    if (local !== '*') continue;
    for (const next of rules.modules(module, file, lookup.base)) {
      const found = lookup.exported(next, name);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
