import {lstatSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as breathe} from 'node:timers/promises';
import type {Listed, TreeListing} from './tree-cache.ts';
import {entriesOf, type Add, type AutoloadedFile} from './autoloaded-file.ts';
import {isRepositoryFolder, REPOSITORY_NAMES, repositoryEntries} from './scan-repository.ts';

export interface AutoloadedScan {
  /** By their path from the root. */
  readonly found: ReadonlyMap<string, AutoloadedFile>;
  /** False: there are more folders than one look takes. */
  readonly isWhole: boolean;
}

interface ScanOptions {
  readonly tree: TreeListing;
  /** Held by mounts: not looked at. */
  readonly locked: ReadonlySet<string>;
}

/** Folders with third-party packages, which are not loaded by themselves. */
export const PACKAGE_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'vendor',
  'target',
  'site-packages',
  '.venv',
  'venv',
  'env',
  '__pycache__',
]);

const MOST_FOLDERS = 20_000;
const MOST_INNER = 2000;
const BREATHE_EVERY = 1000;

/** Looks through the whole of a workspace, however deep. Bounded. Nothing is followed. */
export async function scanAutoloaded(root: string, {tree, locked}: ScanOptions): Promise<AutoloadedScan> {
  const found = new Map<string, AutoloadedFile>();
  const add: Add = (path, kind) => {
    if (!locked.has(path) && !found.has(path)) found.set(path, {kind, stamp: kind === 'unlooked' ? '' : stampOf(join(root, path))});
  };
  const folders = [''];
  for (const [index, folder] of folders.entries()) {
    if (index >= MOST_FOLDERS) return {found, isWhole: false};
    if (index % BREATHE_EVERY === BREATHE_EVERY - 1) await breathe();
    const entries = tree.list(folder);
    if (isRepositoryFolder(entries)) repositoryEntries(root, folder, add);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!locked.has(path) && isOrdinaryFolder(entry)) folders.push(path);
      else if (!locked.has(path)) addEntry(path, entry, {root, add});
    }
  }
  return {found, isWhole: true};
}

/** One that is looked into like any other. */
function isOrdinaryFolder({name, kind, counts}: Listed): boolean {
  if (kind !== 'folder' || name.includes('\uFFFD')) return false;
  return name === 'refs' || (!counts && !PACKAGE_FOLDERS.has(name));
}

function addEntry(path: string, {name, kind, counts}: Listed, {root, add}: {readonly root: string; readonly add: Add}): void {
  if (name.includes('\uFFFD')) add(path, 'unlooked');
  else if (name.toLowerCase() === '.git') {
    if (kind === 'folder') repositoryEntries(root, path, add);
    else add(path, 'pointer');
  }
  // Those of a repository are looked at with it.
  else if (!counts || REPOSITORY_NAMES.has(name)) return;
  else if (kind === 'folder') addFolder(root, path, add);
  else add(path, 'name');
}

function addFolder(root: string, folder: string, add: Add): void {
  add(folder, 'folder');
  const folders = [folder];
  let inner = 0;
  for (const at of folders) {
    for (const entry of entriesOf(join(root, at))) {
      if (inner >= MOST_INNER) return;
      inner += 1;
      const path = `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else add(path, 'inner');
    }
  }
}

/** A folder only exists or not: its entries have stamps of their own. */
function stampOf(path: string): string {
  const stats = lstatSync(path, {throwIfNoEntry: false, bigint: true});
  if (stats === undefined) return '';
  return stats.isDirectory() ? 'folder' : `${stats.ino}:${stats.ctimeNs}:${stats.size}`;
}
