import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {extname, join} from 'node:path';
import {removeTree} from '../tree/remove-tree.ts';

/**
 * Removes what would be loaded instead of a hidden test that now lies in the tree, since its name has another ending: a package, a compiled module, a
 * file that another language has made of it. Names of tests can be guessed.
 * @param tests - a folder of hidden tests
 * @param at - where it was merged into, a real path of real folders
 */
export async function removeShadows(tests: string, at: string): Promise<void> {
  const [hidden, there] = await Promise.all([readdir(tests, {withFileTypes: true}), readdir(at, {withFileTypes: true})]);
  const names = new Set(hidden.map(({name}) => name));
  const shadows = hidden.filter((entry) => entry.isFile()).map(({name}) => shadowOf(name));
  for (const entry of there) {
    if (names.has(entry.name)) continue;
    const found = await Promise.all(shadows.map(async (isShadow) => await isShadow(entry, at)));
    if (found.includes(true)) await removeTree(join(at, entry.name));
  }
  for (const {name} of hidden.filter((entry) => entry.isDirectory())) await removeShadows(join(tests, name), join(at, name));
}

type IsShadow = (entry: Dirent, at: string) => Promise<boolean>;

function shadowOf(name: string): IsShadow {
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  if (ending === '.py') return async (entry, at) => await comesBeforePython(entry, {stem, at});
  if (SCRIPTS.has(ending))
    return async (entry) => !entry.isDirectory() && (entry.name === stem || SCRIPTS.has(endingAfter(stem, entry.name)));
  return async () => false;
}

/** Packages come first, then extension modules, then sources (importlib.machinery.FileFinder). */
async function comesBeforePython(entry: Dirent, {stem, at}: {stem: string; at: string}): Promise<boolean> {
  if (entry.name !== stem) return /^(?:\.[^/]+)?\.(?:so|pyd|pyc)$/.test(endingAfter(stem, entry.name));
  const inside = entry.isDirectory() ? await readdir(join(at, entry.name)).catch((): string[] => []) : [];
  return !entry.isDirectory() || inside.some((name) => name.startsWith('__init__.'));
}

/** Empty for another stem. */
function endingAfter(stem: string, name: string): string {
  return name.startsWith(`${stem}.`) ? name.slice(stem.length) : '';
}

const SCRIPTS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx', '.node']);
