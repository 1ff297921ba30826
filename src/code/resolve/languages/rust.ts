import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase, Meaning, NamedAt, Place} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';

/** Rust: paths of modules from the crate, this module or the one above; another crate of the workspace by its name. */
export const rustRules: LanguageRules = {
  exportsAreMarked: false,
  modules(module, from, base) {
    const found = moduleFile(module.split('::'), from, base);
    return found === undefined ? [] : [found];
  },
  parts({file, index}, base) {
    const all = base.named(file.table.names[index] ?? '').filter((place) => place.file.language === 'rust');
    const isOne = all.filter((place) => TYPES.has(place.file.table.kinds[place.index] ?? '')).length === 1;
    return isOne ? all.filter((place) => place.file.id !== file.id && place.file.table.kinds[place.index] === 'impl') : [];
  },
  declaredModule: (name, from, base) => below(childFolder(from.path), [name], base),
  imported({original, module}, from, base): Meaning | undefined {
    const parts = module.split('::');
    const whole = original === '*' ? parts : [...parts, original];
    if (original !== '*' && (moduleFile(parts, from, base)?.named(-1, original).length ?? 0) > 0) return undefined;
    const file = moduleFile(whole, from, base);
    return file === undefined ? inlineName(parts, original, {from, base}) : {modules: [file]};
  },
  begins({file, within, name}, base) {
    if (name !== 'crate' && name !== 'super') return undefined;
    const around = name === 'super' ? moduleAround({file, within, name}) : -1;
    if (around >= 0) return isInModule(file, around) ? {file, index: file.table.parents[around] ?? -1} : {modules: [file]};
    const found = moduleFile([name], file, base);
    return found === undefined ? undefined : {modules: [found]};
  },
};

interface Asked {
  readonly from: StoredFile;
  readonly base: CodeBase;
}

/** A name in a module that is written within a file: `use self::sealed::Store`. */
function inlineName(parts: readonly string[], original: string, {from, base}: Asked): Place | undefined {
  // The paths of other crates are many, and lead into no file of this one.
  const most = PATH_WORDS.has(parts[0] ?? '') ? parts.length - 1 : 0;
  for (let count = most; count >= 0; count--) {
    const file = count === 0 ? from : moduleFile(parts.slice(0, count), from, base);
    const home = file === undefined ? undefined : inlineModule(file, parts.slice(count));
    const index = home === undefined ? undefined : file?.named(home, original)[0];
    if (file !== undefined && index !== undefined) return {file, index};
  }
  return undefined;
}

const PATH_WORDS: ReadonlySet<string> = new Set(['crate', 'self', 'super']);

function inlineModule(file: StoredFile, parts: readonly string[]): number | undefined {
  let home: number | undefined = -1;
  for (const part of parts) {
    if (home === undefined) return undefined;
    home = file.named(home, part).find((index) => file.table.kinds[index] === 'module');
  }
  return home;
}

/** The innermost module that is written within the file; -1 for none. */
function moduleAround({file, within}: NamedAt): number {
  let at = within;
  while (at >= 0 && file.table.kinds[at] !== 'module') at = file.table.parents[at] ?? -1;
  return at;
}

function isInModule({table}: StoredFile, index: number): boolean {
  return (table.parents[index] ?? -1) >= 0;
}

const TYPES: ReadonlySet<string> = new Set(['struct', 'enum', 'trait']);

function moduleFile(parts: readonly string[], from: StoredFile, base: CodeBase): StoredFile | undefined {
  const [first = '', ...rest] = parts;
  if (first === 'crate') return below(crateFolder(from, base), rest, base);
  if (first === 'self') return rest.length === 0 ? from : below(childFolder(from.path), rest, base);
  if (first === 'super') return above(from, rest, base);
  const own = below(childFolder(from.path), parts, base);
  if (own !== undefined) return own;
  const crate = base
    .settingsNamed('Cargo.toml')
    .find((path) => /^\s*name\s*=\s*"([^"]+)"/m.exec(base.settingsText(path))?.[1]?.replaceAll('-', '_') === first);
  return crate === undefined ? undefined : below(posix.join(posix.dirname(crate), 'src'), rest, base);
}

/** Each `super` is one module up. */
function above(from: StoredFile, rest: readonly string[], base: CodeBase): StoredFile | undefined {
  let folder = posix.dirname(childFolder(from.path));
  let parts = rest;
  for (; parts[0] === 'super'; parts = parts.slice(1)) folder = posix.dirname(folder);
  return below(folder, parts, base);
}

/** Where the modules of a file lie: beside `mod.rs`, `lib.rs` and `main.rs`, else in the folder of its name. */
function childFolder(path: string): string {
  const name = posix.basename(path, '.rs');
  return name === 'mod' || name === 'lib' || name === 'main' ? posix.dirname(path) : posix.join(posix.dirname(path), name);
}

function crateFolder(from: StoredFile, base: CodeBase): string {
  for (let folder = posix.dirname(from.path); ; folder = posix.dirname(folder)) {
    if (base.at(posix.join(folder, 'lib.rs')) !== undefined || base.at(posix.join(folder, 'main.rs')) !== undefined) return folder;
    if (folder === '.' || folder === '/') return posix.dirname(from.path);
  }
}

function below(folder: string, parts: readonly string[], base: CodeBase): StoredFile | undefined {
  const path = posix.join(folder, ...parts);
  const files =
    parts.length === 0 ? [`${path}/mod.rs`, `${path}/lib.rs`, `${path}/main.rs`, `${path}.rs`] : [`${path}.rs`, `${path}/mod.rs`];
  return files.map((file) => base.at(posix.normalize(file))).find((file) => file !== undefined);
}
