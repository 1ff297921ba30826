import type {DatabaseSync} from 'node:sqlite';
import {placeOfNumber} from './code-symbol.ts';
import {OUTSIDE, type FactsReader, type StoredFile} from './facts-reader.ts';
import {fileOf, isModuleNumber} from './symbol-number.ts';

/** A symbol where it is declared. */
export interface Place {
  readonly file: StoredFile;
  readonly index: number;
}

/**
 * All declarations of what is declared here, also those of other files: in C and C++ a header announces what another file defines. They are one
 * thing where they have one name and one of their files includes the other, directly or through others.
 */
export function everyDeclaration({database, reader}: Stored, place: Place): Place[] {
  const own = declarationsOf(place);
  const {file, index} = place;
  if (!LANGUAGES.has(file.language) || !APART.has(file.table.kinds[index] ?? '') || isPrivate(place)) return own;
  const alike = database
    .prepare('SELECT symbol FROM named WHERE name = (SELECT id FROM name WHERE text = ?) LIMIT 500')
    .all(file.table.names[index] ?? '')
    .flatMap((row) => placeOfNumber(reader, Number(row['symbol'])) ?? [])
    .filter((other) => other.file.id !== file.id && isAlike(place, other));
  const apart = alike.filter((other) => includes(reader, file, other.file) || includes(reader, other.file, file));
  // What defines it stands before what only announces it.
  return apart.length === 0 ? own : [...own, ...apart].toSorted((a, b) => linesOf(b) - linesOf(a));
}

/** Declarations that are one thing for who uses them: overloads, an interface in two parts. */
export function declarationsOf({file, index}: Place): Place[] {
  const {names, owners, parents} = file.table;
  const parent = owners[index] === undefined ? (parents[index] ?? -1) : OUTSIDE;
  const same = file.named(parent, names[index] ?? '').filter((at) => owners[at] === owners[index]);
  return same.toSorted((a, b) => a - b).map((at) => ({file, index: at}));
}

function linesOf({file, index}: Place): number {
  const range = file.details[index]?.range;
  return range === undefined ? 0 : range.end.line - range.start.line;
}

interface Stored {
  readonly database: DatabaseSync;
  readonly reader: FactsReader;
}

const LANGUAGES: ReadonlySet<string> = new Set(['c', 'cpp']);
const APART: ReadonlySet<string> = new Set(['function', 'method', 'variable', 'property']);

/** Not seen outside of its file; a static member of a class is. */
function isPrivate({file: {table}, index}: Place): boolean {
  return table.exported[index] !== true && table.owners[index] === undefined && (table.parents[index] ?? -1) < 0;
}

function isAlike(place: Place, other: Place): boolean {
  if (!LANGUAGES.has(other.file.language) || !APART.has(other.file.table.kinds[other.index] ?? '') || isPrivate(other)) return false;
  const [a, b] = [fullName(place), fullName(other)];
  // Where a file opens a namespace, its name is left out.
  return a === b || (a.includes('.') && b.endsWith(`.${a}`)) || (b.includes('.') && a.endsWith(`.${b}`));
}

function fullName({file, index}: Place): string {
  const {owners, parents, names} = file.table;
  const owner = owners[index];
  const parent = parents[index] ?? -1;
  const path = [parent < 0 ? '' : (file.qualified[parent] ?? ''), owner ?? '', names[index] ?? ''];
  return path
    .filter((part) => part !== '')
    .join('.')
    .replaceAll('::', '.');
}

function includes(reader: FactsReader, from: StoredFile, wanted: StoredFile): boolean {
  const seen = new Set([from.id]);
  for (const id of seen) {
    if (id === wanted.id) return true;
    const file = reader.get(id);
    if (file === undefined || seen.size > MOST_FILES) return false;
    const skipped = file.uses.length;
    for (let at = 0; at < file.links.imports.length; at++) {
      const target = file.edges[skipped + at] ?? 0;
      if (isModuleNumber(target)) seen.add(fileOf(target));
    }
  }
  return false;
}

const MOST_FILES = 400;
