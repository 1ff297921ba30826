import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase, Place} from '../code-base.ts';
import {first} from '../first.ts';
import type {LanguageRules} from '../language-rules.ts';

/** Languages where a name is found by the package or namespace that its file declares, wherever the file lies. */
export const packageRules: LanguageRules = {
  exportsAreMarked: false,
  membersAreBare: true,
  modules(module, from, base) {
    // `require 'file.php'`.
    const file = from.language === 'php' && module.startsWith('./') ? base.at(posix.join(posix.dirname(from.path), module)) : undefined;
    return file === undefined ? [] : [file];
  },
  imported({original, module}, from, base) {
    if (original !== '*') return named(original, dotted(module), {from, base});
    const whole = dotted(module);
    const cut = whole.lastIndexOf('.');
    return named(whole.slice(cut + 1), whole.slice(0, Math.max(0, cut)), {from, base});
  },
  ambient(name, from, base) {
    return first([...enclosing(packageOf(from)), ...opened(from)], (home) => named(name, home, {from, base}));
  },
  parts({file, index}, base) {
    if (file.language !== 'csharp') return [];
    const full = fullName({file, index});
    return base
      .named(file.table.names[index] ?? '')
      .filter((other) => other.file.id !== file.id && other.file.language === file.language && fullName(other) === full);
  },
  added({file, index}, name, base) {
    if (file.language !== 'kotlin') return undefined;
    const type = file.table.names[index];
    const [only, ...others] = base
      .named(name)
      .filter((place) => place.file.language === 'kotlin' && place.file.table.owners[place.index] === type);
    return others.length === 0 ? only : undefined;
  },
  extension(name, from, base) {
    const fits = EXTENSIONS[from.language];
    if (fits === undefined) return undefined;
    const seen = new Set([packageOf(from), ...opened(from)]);
    const imported = new Set(from.links.imports.filter(({local}) => local === name).map(({module}) => dotted(module)));
    const [only, ...others] = base
      .named(name)
      .filter((place) => fits(place) && (seen.has(packageOf(place.file)) || imported.has(packageOf(place.file))));
    return others.length === 0 ? only : undefined;
  },
  whole: ({home, name}, from, base) => first(homesMeant(home, from), (full) => named(name, full, {from, base})),
};

/** Packages that a file takes everything from. `using Storage;` in `namespace Shop` may open `Shop.Storage`. */
function opened(from: StoredFile): readonly string[] {
  const stars = from.links.imports.filter(({local}) => local === '*').map(({module}) => dotted(module));
  if (from.language !== 'csharp') return stars;
  const near = enclosing(packageOf(from)).slice(0, -1);
  return [...stars, ...stars.flatMap((star) => near.map((home) => `${home}.${star}`))];
}

/** Which functions are called like members of a type that they stand outside of. */
const EXTENSIONS: Readonly<Record<string, ((place: Place) => boolean) | undefined>> = {
  kotlin: ({file, index}) => file.language === 'kotlin' && file.table.owners[index] !== undefined,
  csharp: ({file, index}) => file.language === 'csharp' && /\(\s*this\s/.test(file.details[index]?.signature ?? ''),
};

/** A path may begin with a name that is imported, or in the namespace of the file; else it is whole. */
function homesMeant(home: string, from: StoredFile): readonly string[] {
  if (from.language !== 'php' && from.language !== 'csharp') return [home];
  const [head = '', ...rest] = home.split('.');
  const facts = from.links.imports.filter(({local}) => local === head);
  const aliased = facts.map(({module, original}) => [dotted(module), ...(original === '*' ? [] : [original]), ...rest].join('.'));
  const near = enclosing(packageOf(from)).slice(0, from.language === 'php' ? 1 : -1);
  return [...aliased, ...near.filter((one) => one !== '').map((one) => `${one}.${home}`), home];
}

interface Asked {
  readonly from: StoredFile;
  readonly base: CodeBase;
}

/** The symbol with that full name; Java, Kotlin and Scala see each other's. */
function named(name: string, home: string, {from, base}: Asked): Place | undefined {
  const full = home === '' ? name : `${home}.${name}`;
  return base.named(name).find((place) => fullName(place) === full && familyOf(place.file.language) === familyOf(from.language));
}

function fullName({file, index}: Place): string {
  // An extension is imported by its own name.
  const qualified = dotted((file.table.owners[index] === undefined ? file.qualified : file.table.names)[index] ?? '');
  let top = index;
  for (let at = index; at >= 0; at = file.table.parents[at] ?? -1) top = at;
  const home = isPackage(file, top) ? '' : packageOf(file);
  return home === '' ? qualified : `${home}.${qualified}`;
}

function packageOf(file: StoredFile): string {
  const at = file.table.names.findIndex((_, index) => file.table.parents[index] === -1 && isPackage(file, index));
  return at < 0 ? '' : dotted(file.table.names[at] ?? '');
}

function isPackage({table}: StoredFile, index: number): boolean {
  return table.kinds[index] === 'module' || table.kinds[index] === 'namespace';
}

/** `a.b.c`, `a.b`, `a`, and none. */
function enclosing(home: string): string[] {
  const parts = home.split('.');
  return [...parts.map((_, at) => parts.slice(0, parts.length - at).join('.')), ''];
}

export function dotted(name: string): string {
  return name.replaceAll(/\\|::|\//g, '.').replace(/^\.+/, '');
}

function familyOf(language: string): string {
  return language === 'kotlin' || language === 'scala' ? 'java' : language;
}
