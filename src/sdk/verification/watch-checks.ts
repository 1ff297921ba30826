import {createHash} from 'node:crypto';
import {lstatSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {checkChanges, type ChangedPath, type CheckChange} from '../../agent/verification/check-changes.ts';
import {checkFiles, type NamedFile} from '../../agent/verification/check-files.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {markPaths} from './snapshot-tree.ts';
import {runChanges} from '../subagents/run-diff.ts';

export interface CheckWatchOptions {
  readonly session: SessionSettings;
  readonly threadId: string;
  /** Absolute and real. */
  readonly root: string;
}

/** Finds the files that a check depends on and a run has changed. */
export interface CheckWatch {
  /** @param commands those named at the end; those named at the beginning count, too */
  changes(commands: readonly string[], signal: AbortSignal): Promise<FoundChanges>;
}

export interface FoundChanges {
  readonly changes: readonly CheckChange[];
  /** The reason why there may be others; undefined: there are none. */
  readonly unknown?: string | undefined;
}

/**
 * Records the files that the commands name before the run changes anything: a rewritten script may name other files later. Files are compared
 * by content, so it also works if nothing is saved for undo (`.gitignore`, `checkpoints.keep = "off"`).
 */
export async function watchChecks(options: CheckWatchOptions, commands: readonly string[], signal: AbortSignal): Promise<CheckWatch> {
  const {session, root} = options;
  const named = namedBy(commands, root);
  const paths = new Set(named.map(({path}) => path));
  const before = contentMarks(root, paths);
  const keeps = session.settings.checkpoints.keep !== 'off';
  const changedSince = keeps ? undefined : await markPaths(session, root, signal);
  return {
    async changes(last, later) {
      const all = [...named, ...namedBy(last, root)];
      const kept = keeps ? runChanges(options) : await changedSince?.(later);
      const after = contentMarks(root, paths);
      const seen = [...paths].flatMap((path) => changedPath(path, before.get(path), after.get(path)));
      const changed = new Map([...seen, ...(kept ?? [])].map((one) => [one.path, one]));
      const changes = checkChanges([...changed.values()].toSorted(byPath), all).slice(0, MAX_REPORTED);
      return {changes, ...(kept === undefined ? {unknown: 'the folder is too large to be compared.'} : {})};
    },
  };
}

const MAX_REPORTED = 100;

function namedBy(commands: readonly string[], root: string): readonly NamedFile[] {
  const read = (path: string): string | undefined => textOf(join(root, path));
  return commands.flatMap((command) => checkFiles(command, read));
}

const MAX_TEXT = 256 * 1024;
/** Larger files, and those beyond this total, are compared by size and time of last change. */
const MAX_READ = 1024 * 1024;
const MAX_FILES_READ = 200;

function textOf(file: string): string | undefined {
  try {
    const stats = lstatSync(file);
    return stats.isFile() && stats.size <= MAX_TEXT ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined; // missing, or not readable
  }
}

/** Returns the existing files, each with a mark of its content. */
function contentMarks(root: string, paths: Iterable<string>): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const path of paths) {
    const mark = contentMark(join(root, path), marks.size < MAX_FILES_READ);
    if (mark !== undefined) marks.set(path, mark);
  }
  return marks;
}

function contentMark(file: string, reads: boolean): string | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return undefined;
    if (!reads || stats.size > MAX_READ) return `${stats.size} ${stats.ctimeMs}`;
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

function changedPath(path: string, before: string | undefined, after: string | undefined): readonly ChangedPath[] {
  if (before === after) return [];
  return [{path, change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed'}];
}

function byPath(a: ChangedPath, b: ChangedPath): number {
  return a.path < b.path ? -1 : 1;
}
