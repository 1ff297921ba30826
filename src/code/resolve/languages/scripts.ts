import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase, Place} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';
import {onlyOne} from './only-one.ts';

/**
 * Ruby, Lua, Bash, Elixir, Swift: files that are named by their path, types that there is one of in the whole program, and types that several
 * files add to.
 */
export const scriptRules: LanguageRules = {
  exportsAreMarked: false,
  membersAreBare: true,
  modules(module, from, base) {
    const found = sourceFile(module, from, base);
    return found === undefined ? [] : [found];
  },
  imported: ({module}, from, base) => (from.language === 'elixir' ? wholeModule(module, base) : undefined),
  ambient(name, from, base) {
    if (from.language === 'elixir') return wholeModule(name, base);
    return onlyOne({name, languages: new Set([from.language]), kinds: TYPES, base, from}) ?? opened(name, from, base);
  },
  inSpace: ({home, name}, from, base) => (from.language === 'ruby' ? inModule(`${home}.${name}`, base) : undefined),
  parts: ({file, index}, base) => (PARTED.has(file.language) ? partsOf({file, index}, base) : []),
  whole: ({home, name}, from, base) => (from.language === 'elixir' ? wholeModule(`${home}.${name}`, base) : undefined),
};

const TYPES: ReadonlySet<string> = new Set(['class', 'module', 'struct', 'interface', 'enum', 'trait', 'namespace']);
const PARTED: ReadonlySet<string> = new Set(['ruby', 'swift']);
const ENDINGS: Readonly<Record<string, readonly string[] | undefined>> = {
  ruby: ['.rb'],
  lua: ['.lua', '/init.lua'],
  bash: ['', '.sh', '.bash'],
  elixir: ['.ex'],
};

function sourceFile(module: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const isDotted = from.language === 'lua' && !module.includes('/');
  const path = isDotted ? module.replaceAll('.', '/') : module;
  const folders = path.startsWith('.') ? [posix.dirname(from.path)] : [posix.dirname(from.path), '.', 'lib', 'src'];
  for (const folder of folders) {
    for (const ending of ['', ...(ENDINGS[from.language] ?? [])]) {
      const found = base.at(posix.join(folder, path + ending));
      if (found !== undefined && found.id !== from.id) return found;
    }
  }
  return undefined;
}

/** `defmodule A.B`, or `B` in `A`: a module has one name in the whole program. */
function wholeModule(name: string, base: CodeBase): Place | undefined {
  const last = name.slice(name.lastIndexOf('.') + 1);
  const fits = [...base.named(name), ...base.named(last)].filter(
    ({file, index}) => file.language === 'elixir' && MODULES.has(file.table.kinds[index] ?? '') && file.qualified[index] === name,
  );
  const [first, ...others] = fits.filter(
    ({file, index}, at) => fits.findIndex((one) => one.file.id === file.id && one.index === index) === at,
  );
  return others.length === 0 ? first : undefined;
}

const MODULES: ReadonlySet<string> = new Set(['module', 'interface']);

/** In Ruby a module that several files open is one: any of them stands for it. */
function opened(name: string, from: StoredFile, base: CodeBase): Place | undefined {
  if (from.language !== 'ruby') return undefined;
  const all = base.named(name).filter(({file, index}) => file.language === 'ruby' && file.table.parents[index] === -1);
  return all.every(({file, index}) => file.table.kinds[index] === 'module') ? all[0] : undefined;
}

/** The constant `B` in `module A`, whichever of the files that open the module declares it. */
function inModule(full: string, base: CodeBase): Place | undefined {
  const wanted = full.replaceAll('::', '.');
  if (!/\.\p{Lu}[^.]*$/u.test(wanted)) return undefined;
  return base
    .named(wanted.slice(wanted.lastIndexOf('.') + 1))
    .find(({file, index}) => file.language === 'ruby' && file.qualified[index]?.replaceAll('::', '.') === wanted);
}

/** The other declarations of a type with that whole name: modules and classes of Ruby, extensions of Swift and what they extend. */
function partsOf({file, index}: Place, base: CodeBase): readonly Place[] {
  const kinds = file.language === 'ruby' ? REOPENED : EXTENDED;
  if (!kinds.has(file.table.kinds[index] ?? '')) return [];
  return base
    .named(file.table.names[index] ?? '')
    .filter(
      (other) =>
        other.file.language === file.language &&
        (other.file.id !== file.id || other.index !== index) &&
        kinds.has(other.file.table.kinds[other.index] ?? '') &&
        other.file.qualified[other.index]?.replaceAll('::', '.') === file.qualified[index]?.replaceAll('::', '.'),
    );
}

const REOPENED: ReadonlySet<string> = new Set(['module', 'class']);
const EXTENDED: ReadonlySet<string> = new Set(['class', 'struct', 'enum', 'interface', 'impl']);
