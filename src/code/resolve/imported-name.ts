import type {StoredFile} from '../store/facts-reader.ts';
import type {Lookup, Meaning} from './code-base.ts';
import {rulesOf} from './rules-of.ts';

/** What `import {original} from 'module'` means in a file; `*` is the whole module. */
export function importedName(
  lookup: Lookup,
  fact: {readonly original: string; readonly module: string},
  from: StoredFile,
): Meaning | undefined {
  const {base} = lookup;
  const rules = rulesOf(from.language);
  const own = rules.imported?.(fact, from, base);
  if (own !== undefined) return own;
  const modules = rules.modules(fact.module, from, base);
  if (modules.length === 0) {
    base.missed(fact.module);
    return rules.declared?.(fact, base);
  }
  return fromModules(lookup, modules, fact.original);
}

function fromModules(lookup: Lookup, modules: readonly StoredFile[], original: string): Meaning | undefined {
  const isWhole = original === '*' || original === '=';
  for (const module of modules) {
    const found = isWhole ? undefined : lookup.exported(module, original);
    // CommonJS: what was assigned to `module.exports` is the module, and its default.
    const value = found ?? (isWhole || original === 'default' ? lookup.exported(module, '=') : undefined);
    if (value !== undefined) return value;
  }
  return isWhole ? {modules} : undefined;
}
