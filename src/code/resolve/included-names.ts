import type {ImportFact} from '../file-facts.ts';
import type {StoredFile} from '../store/facts-reader.ts';
import {SYMBOLS_IN_FILE} from '../store/symbol-number.ts';
import type {CodeBase, Lookup, Meaning} from './code-base.ts';
import {first} from './first.ts';
import {rulesOf} from './rules-of.ts';

/**
 * What a file sees under a name through one of its imports, by index, where an import is the text of another file with all that this one imports:
 * the first declaration, those of a file before those that it imports. As `Lookup.exported` has it, without asking each file for each name.
 */
export function includedName(
  lookup: Lookup,
  file: StoredFile,
  {name, at}: {readonly name: string; readonly at: number},
): Meaning | undefined {
  const seen = lookup.once(`included ${file.id}`, () => ({...keptNames(lookup.base, file), noted: 0}));
  if (seen === undefined) return undefined;
  const end = seen.ends.get(at) ?? 0;
  const number = Math.min(seen.names.get(name) ?? Infinity, end * SYMBOLS_IN_FILE);
  const order = Math.floor(number / SYMBOLS_IN_FILE);
  const found = first(seen.named.get(name) ?? [], (one) => (one.order < order ? imported(lookup, seen, one) : undefined));
  if (found !== undefined) return found;
  note(lookup.base, seen, Math.min(order + 1, end));
  const place = order < end ? fileAt(lookup.base, seen, order) : undefined;
  return place === undefined ? undefined : {file: place, index: number % SYMBOLS_IN_FILE};
}

function imported(lookup: Lookup, seen: Seen, {order, fact}: NamedImport): Meaning | undefined {
  note(lookup.base, seen, order + 1);
  const from = fileAt(lookup.base, seen, order);
  return from === undefined ? undefined : lookup.imported(fact, from);
}

function fileAt(base: CodeBase, {files}: Included, order: number): StoredFile | undefined {
  const path = files[order]?.path;
  return path === undefined ? undefined : base.at(path);
}

interface NamedImport {
  /** The index of the file that it stands in. */
  readonly order: number;
  readonly fact: ImportFact;
}

interface Included {
  /** In the order of the text. */
  readonly files: readonly Pick<StoredFile, 'id' | 'path'>[];
  /** The first declaration of each name: the index of its file in `files`, times `SYMBOLS_IN_FILE`, and its own. */
  readonly names: ReadonlyMap<string, number>;
  /** Imports of single names. */
  readonly named: ReadonlyMap<string, readonly NamedImport[]>;
  /** How many of `files` came until the end of an import, by its index. */
  readonly ends: ReadonlyMap<number, number>;
}

/** How many of the files are noted as looked at while the names of one file are resolved. */
type Seen = Included & {noted: number};

/** Answers depend on what was looked at: all files until there. */
function note(base: CodeBase, seen: Seen, end: number): void {
  for (; seen.noted < end; seen.noted++) {
    const file = seen.files[seen.noted];
    if (file !== undefined) base.used(file);
  }
}

const kept = new WeakMap<CodeBase, {readonly files: Map<number, Included>; weight: number}>();

/** Of one state of the index: who asks makes sure of that. */
function keptNames(base: CodeBase, file: StoredFile): Included {
  const known = kept.get(base) ?? {files: new Map<number, Included>(), weight: 0};
  kept.set(base, known);
  const before = known.files.get(file.id);
  if (before !== undefined) return before;
  const made = namesIncluded(base, file);
  known.weight += made.names.size;
  if (known.weight > MOST_NAMES) {
    known.files.clear();
    known.weight = made.names.size;
  }
  known.files.set(file.id, made);
  return made;
}

/** Of all files that are kept; about 80 bytes each. */
const MOST_NAMES = 200_000;
/** More than this many files are not looked into. */
const MOST_FILES = 1500;

function namesIncluded(base: CodeBase, root: StoredFile): Included {
  const files: Pick<StoredFile, 'id' | 'path'>[] = [];
  const names = new Map<string, number>();
  const named = new Map<string, NamedImport[]>();
  const ends = new Map<number, number>();
  const visited = new Set<number>();

  function visit(file: StoredFile): void {
    if (visited.has(file.id) || files.length >= MOST_FILES) return;
    visited.add(file.id);
    const order = files.push({id: file.id, path: file.path}) - 1;
    for (const [name, index] of topNames(file)) if (!names.has(name)) names.set(name, order * SYMBOLS_IN_FILE + index);
    for (const [name, fact] of namedImports(file)) named.set(name, [...(named.get(name) ?? []), {order, fact}]);
    for (const {local, module} of file.links.imports) if (local === '*') include(module, file);
  }

  function include(module: string, from: StoredFile): void {
    for (const next of rulesOf(from.language).modules(module, from, base)) visit(next);
  }

  for (const [at, {local, module}] of root.links.imports.entries()) {
    if (local === '*') include(module, root);
    ends.set(at, files.length);
  }
  return {files, names, named, ends};
}

/** What a file declares at its top: the first of each name. */
function topNames({table: {names, parents, owners, kinds}}: StoredFile): Map<string, number> {
  const top = new Map<string, number>();
  for (const [index, name] of names.entries())
    if (parents[index] === -1 && owners[index] === undefined && kinds[index] !== 'impl' && !top.has(name)) top.set(name, index);
  return top;
}

/** The first import of each single name. */
function namedImports({links}: StoredFile): Map<string, ImportFact> {
  const named = new Map<string, ImportFact>();
  for (const fact of links.imports)
    if (fact.local !== undefined && fact.local !== '*' && !named.has(fact.local)) named.set(fact.local, fact);
  return named;
}
