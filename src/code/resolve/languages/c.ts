import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase, Place} from '../code-base.ts';
import type {LanguageRules} from '../language-rules.ts';

/**
 * C and C++: what is included, from the folder of the file, the root and the usual folders, also through other files; what stands in a namespace
 * that the file opens or adds to; else what a single file of the repository defines.
 */
export const cRules: LanguageRules = {
  exportsAreMarked: false,
  membersAreBare: true,
  includes: true,
  modules(module, from, base) {
    const found = module.startsWith('::') ? undefined : included(module.replaceAll(/["<>]/g, ''), from, base);
    return found === undefined ? [] : [found];
  },
  imported({original, module}, from, base) {
    if (!module.startsWith('::')) return undefined;
    const home = module.slice(2).replaceAll('::', '.');
    return original === '*' ? best(inSpaces(lastOf(home), [spaceOf(home)], {from, base})) : best(inSpaces(original, [home], {from, base}));
  },
  ambient(name, from, base) {
    return best(inSpaces(name, spacesSeen(from), {from, base}));
  },
  tagged(name, from, base) {
    const {near, far} = inSpaces(name, spacesSeen(from), {from, base});
    return best({near: near.filter((place) => BODIED.has(kindOf(place))), far: far.length > 0 ? far : everywhere(name, base)});
  },
  inSpace: ({home, name}, from, base) => best(inSpaces(name, [home], {from, base})),
};

interface Asked {
  readonly from: StoredFile;
  readonly base: CodeBase;
}

interface Found {
  /** In files that are included, those where a thing is defined and not only named first. */
  readonly near: readonly Place[];
  readonly far: readonly Place[];
}

/** The places of a name in these namespaces (`a.b`; '' for none). */
function inSpaces(name: string, spaces: readonly string[], {from, base}: Asked): Found {
  const all = base.named(name).filter((place) => C.has(place.file.language) && spaces.includes(homeOf(place) ?? '?'));
  if (all.length === 0) return {near: [], far: []};
  const seen = new Set(reached(from, base));
  const near = all.filter(({file}) => seen.has(file.path));
  return {
    near,
    far: near.length > 0 ? [] : all.filter(({file, index}) => file.table.exported[index] === true && LINKED.has(kindOf({file, index}))),
  };
}

/** Of a type that is only named where it is used: its one definition. */
function everywhere(name: string, base: CodeBase): readonly Place[] {
  return base.named(name).filter((place) => C.has(place.file.language) && BODIED.has(kindOf(place)));
}

/** What several files define is one thing only where one of them is included. */
function best({near, far}: Found): Place | undefined {
  if (near.length > 0) return near.find((place) => BODIED.has(kindOf(place))) ?? near[0];
  const bodied = far.filter((place) => BODIED.has(kindOf(place)));
  const [only, ...others] = bodied.length > 0 ? bodied : far;
  return others.length === 0 ? only : undefined;
}

const C: ReadonlySet<string> = new Set(['c', 'cpp']);
const BODIED: ReadonlySet<string> = new Set(['struct', 'class', 'enum']);
const LINKED: ReadonlySet<string> = new Set([
  'function',
  'struct',
  'class',
  'enum',
  'type',
  'namespace',
  'enum_member',
  'constant',
  'variable',
]);

function kindOf({file, index}: Place): string {
  return file.table.kinds[index] ?? '';
}

/** The namespace that a symbol stands in; undefined for a member. Members of a plain enumeration stand where it does. */
function homeOf({file: {table, qualified}, index}: Place): string | undefined {
  if (table.owners[index] !== undefined) return undefined;
  let parent = table.parents[index] ?? -1;
  if (parent >= 0 && table.kinds[index] === 'enum_member') parent = table.parents[parent] ?? -1;
  if (parent < 0) return '';
  return table.kinds[parent] === 'namespace' ? qualified[parent] : undefined;
}

/** Those that a file adds to, with those around them, those it opens, and none. */
function spacesSeen({table, qualified, links}: StoredFile): readonly string[] {
  const own = qualified.filter((_, index) => table.kinds[index] === 'namespace');
  const opened = links.imports.filter(({local, module}) => local === '*' && module.startsWith('::')).map(({module}) => module.slice(2));
  const outer = table.owners.flatMap((owner) => (owner?.includes('::') === true ? [owner.slice(0, owner.lastIndexOf('::'))] : []));
  return [...new Set([...own, ...[...opened, ...outer].map((space) => space.replaceAll('::', '.')), ''])];
}

/** Paths of all that a file includes, also through others; its own first. */
function reached(from: StoredFile, base: CodeBase): readonly string[] {
  return base.remember(`includes ${from.path}`, () => {
    const found = new Set([from.path]);
    for (const path of found) {
      const file = base.at(path);
      if (file === undefined || found.size > MOST_FILES) break;
      base.used(file);
      for (const {module} of file.links.imports) for (const next of cRules.modules(module, file, base)) found.add(next.path);
    }
    return [...found];
  });
}

const MOST_FILES = 400;

function included(path: string, from: StoredFile, base: CodeBase): StoredFile | undefined {
  const places = [posix.dirname(from.path), '.', 'include', 'src', 'lib'];
  const near = places.map((folder) => base.at(posix.join(folder, path))).find((file) => file !== undefined);
  return near ?? upwards(path, posix.dirname(from.path), base);
}

/** `include/name/a.h` of a folder above. */
function upwards(path: string, start: string, base: CodeBase): StoredFile | undefined {
  for (let folder = start; folder !== '.' && folder !== '/'; folder = posix.dirname(folder)) {
    for (const below of ['', 'include', 'src']) {
      const found = base.at(posix.join(folder, below, path));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function lastOf(space: string): string {
  return space.slice(space.lastIndexOf('.') + 1);
}

function spaceOf(space: string): string {
  return space.slice(0, Math.max(0, space.lastIndexOf('.')));
}
