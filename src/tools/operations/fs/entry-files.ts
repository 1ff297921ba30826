import {join, relative, sep} from 'node:path';
import type {Subject} from '../../../policy/decision.ts';
import {treeFiles} from '../../../workspace/tree-files.ts';
import type {ToolContext} from '../../context.ts';
import {entrySubject, type NamedEntry} from './named-entry.ts';

/**
 * All files of a folder are looked at, up to this number: a rule for any of them decides on the whole folder,
 * and undo needs all of them. Evaluating takes 9 µs per file.
 */
const LIMITS = {maxEntries: 100_000, timeoutMs: 20_000};

/** Most files that are reported of a change; beyond that the folder represents all. */
const MAX_REPORTED = 5000;

/**
 * Returns the absolute paths of all files and links in an entry, or of the entry itself. Throws TOO_LARGE for a
 * folder of more than 100,000, TIMEOUT.
 */
export async function entryFiles({path, stats}: NamedEntry, ctx: ToolContext): Promise<readonly string[]> {
  if (stats?.isDirectory() !== true) return [path];
  return treeFiles(path, LIMITS, ctx.signal);
}

/** Returns the entry and all files in it, for the policy. */
export function entrySubjects(entry: NamedEntry, files: readonly string[], write: boolean): readonly Subject[] {
  const below = files.filter((file) => file !== entry.path).map((file) => ({...entry, path: file, relative: shown(entry, file)}));
  return [entry, ...below].map((one) => entrySubject(one, write));
}

/** Returns the files to report for a change of an entry; only the entry itself if there are too many. */
export function reportedFiles(entry: Pick<NamedEntry, 'path'>, files: readonly string[]): readonly string[] {
  return files.length > MAX_REPORTED ? [entry.path] : files;
}

/** Returns the destination of a file of the source. */
export function carriedTo(file: string, source: NamedEntry, target: NamedEntry): string {
  return file === source.path ? target.path : join(target.path, relative(source.path, file));
}

function shown(entry: NamedEntry, file: string): string {
  return [entry.relative, ...relative(entry.path, file).split(sep)].join('/');
}
