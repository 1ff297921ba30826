import {readdirSync} from 'node:fs';
import {below, nameOf, pathText, systemPath, type BytePath} from './byte-path.ts';
import {statsOf} from './capture.ts';
import type {TreeIndex} from './tree-index.ts';

/** An entry that an ignore rule excludes; entries inside an ignored folder are not checked again. */
export interface IgnoredEntry {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

export interface IgnoredSelection {
  /** Small enough to be saved, parents first. A folder is included with everything in it, or not at all. */
  readonly kept: readonly BytePath[];
  /** Not saved, but named if they disappear: folders with the names in them; for caches and files only the name. */
  readonly unkept: ReadonlyMap<BytePath, readonly string[]>;
}

/**
 * Chooses which ignored entries a look at a tree keeps: files, and folders with few entries. Caches of tools, which those make again, and
 * large folders are only listed by name: they must not be walked around every command.
 */
export function selectIgnored(root: string, found: readonly IgnoredEntry[]): IgnoredSelection {
  const kept: BytePath[] = [];
  const unkept = new Map<BytePath, readonly string[]>();
  // Files come first, so that a folder of many entries takes no room from a `.env`.
  for (const {path, isFolder} of found.toSorted((a, b) => Number(a.isFolder) - Number(b.isFolder))) {
    const room = Math.min(MAX_IN_FOLDER, MAX_ENTRIES - kept.length);
    const listed = isFolder && !CACHES.has(nameOf(path)) ? entriesBelow(root, path, room) : undefined;
    if (listed !== undefined) kept.push(path, ...listed);
    else if (!isFolder && room > 0) kept.push(path);
    else unkept.set(path, isFolder && !CACHES.has(nameOf(path)) ? namesIn(root, path) : []);
  }
  return {kept, unkept};
}

/** Largest ignored file that is saved, in bytes. Local databases are seldom small. */
export function maxIgnoredBytes(path: BytePath): number {
  return DATABASE.test(path) ? 8 * MEGABYTE : MEGABYTE;
}

/** Bytes of all ignored files that one look keeps. */
export const MAX_IGNORED_TOTAL = 64 * 1024 * 1024;

/** Lists ignored entries that were known by name only and are gone, one line each for the person. */
export function lostIgnored(root: string, {unkept = new Map()}: Pick<TreeIndex, 'unkept'>): string[] {
  return [...unkept].flatMap(([path, names]: [BytePath, readonly string[]]) => {
    const stats = statsOf(path, root);
    if (stats === undefined) return [`${pathText(path)} (ignored by git, not saved) is gone: it cannot be brought back.`];
    if (names.length === 0) return [];
    const left = stats.isDirectory() ? new Set(namesIn(root, path, Infinity)) : new Set<string>();
    const gone = names.filter((name) => !left.has(name));
    return gone.length === 0 ? [] : [`${pathText(path)} (ignored by git, not saved) lost ${listOf(gone)}: not brought back.`];
  });
}

const MEGABYTE = 1024 * 1024;
const DATABASE = /\.(?:db|db3|sqlite|sqlite3|duckdb|mdb)$/i;

/** The stamp of each entry is checked before and after every command. */
const MAX_ENTRIES = 3000;
const MAX_IN_FOLDER = 1000;
const MAX_NAMES = 1000;
const NAMES_SHOWN = 5;

/** Folders that a tool fills and fills again by itself. */
const CACHES: ReadonlySet<string> = new Set(
  (
    'node_modules bower_components __pycache__ __pypackages__ .venv venv .tox .nox .pytest_cache .mypy_cache .ruff_cache .hypothesis .cache ' +
    '.gradle .next .nuxt .svelte-kit .turbo .parcel-cache .terraform'
  ).split(' '),
);

/** Everything in a folder, parents first; undefined: more than `most`, or it may not be read. `.git` is left out. */
function entriesBelow(root: string, folder: BytePath, most: number): BytePath[] | undefined {
  const found: BytePath[] = [];
  const waiting = [folder];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const entry of listed(root, at) ?? []) {
      const path = below(at, entry.name);
      if (entry.name.toLowerCase() === '.git') continue;
      found.push(path);
      if (found.length >= most) return undefined;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return found.length < most ? found : undefined;
}

function listed(root: string, folder: BytePath): {name: string; isDirectory(): boolean}[] | undefined {
  try {
    return readdirSync(systemPath(root, folder), {withFileTypes: true, encoding: 'latin1'});
  } catch {
    return undefined; // gone since, or not for us
  }
}

function namesIn(root: string, folder: BytePath, most = MAX_NAMES): string[] {
  return (listed(root, folder) ?? []).slice(0, most).map(({name}) => name);
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map(pathText).join(', ');
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
}
