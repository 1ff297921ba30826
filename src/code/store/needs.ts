import {posix} from 'node:path';
import type {StoredFile} from './facts-reader.ts';

/**
 * Keys of what a file was resolved by: other files, names that were looked for everywhere, and ends of paths that led nowhere. When something
 * comes, goes or changes, those who looked at it are found by its keys. Two names with the same key cost a needless look, nothing else.
 */
export function fileKey(file: number): number {
  return file;
}

export function nameKey(name: string): number {
  return keyOf(`name ${name}`);
}

/** Of uses that mean nothing known. */
export function openUseKey(name: string): number {
  return keyOf(`use ${name}`);
}

/** Of all files of a folder. */
export function folderKey(path: string): number {
  return keyOf(`folder ${path}`);
}

/** Of an import that led nowhere: the last part of its path without its ending, `index` for its folder. */
export function stemKey(path: string): number {
  return keyOf(`stem ${stemOf(path)}`);
}

/** The keys that a file with this path and these names answers to. */
export function* providedKeys(path: string, names: Iterable<string>, before: StoredFile | undefined): Generator<number> {
  if (before !== undefined) yield fileKey(before.id);
  yield stemKey(path);
  yield folderKey(posix.dirname(path));
  for (const name of new Set(names)) yield nameKey(name);
}

const FOLDER_FILES = new Set(['index', '__init__', 'mod', 'init', 'main', 'lib']);

function stemOf(path: string): string {
  const parts = path.split(/[/\\]/);
  const stem = (parts.at(-1) ?? '').replace(/\..*$/s, '');
  return FOLDER_FILES.has(stem) ? (parts.at(-2) ?? stem) : stem;
}

/** A number for a text, above the ids of files and still whole: FNV-1a over its UTF-16 units, twice. */
function keyOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return 2 ** 50 + (low >>> 0) + ((high >>> 0) % 2 ** 16) * 2 ** 32;
}
