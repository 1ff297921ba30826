import type {DatabaseSync} from 'node:sqlite';
import type {SourceFile} from './list-sources.ts';
import type {ToParse} from './parse-source.ts';

/** What an update looks at. */
export interface Candidates {
  /** All sources, or those that may have changed. */
  readonly sources: readonly SourceFile[];
  /** Texts that go before the disk. */
  readonly overlays: ReadonlyMap<string, unknown>;
}

/** What is stored of a file: of which content, bytes, and when that was written, ms. */
export interface Stored {
  readonly hash: string;
  readonly size: number;
  readonly mtime: number;
}

export interface Changed {
  /** Files to be parsed: by size and time at first; the thread that reads a file compares its content. */
  readonly todo: readonly (ToParse & {readonly size: number})[];
  /** What is stored of these and of the overlays. */
  readonly stored: ReadonlyMap<string, Stored>;
}

/** Compares what may have changed with what is stored. Of what is the same nothing is kept: a repository may have a million files. */
export function changedSources(database: DatabaseSync, {sources, overlays}: Candidates): Changed {
  const changed = new Map<string, SourceFile>();
  for (const source of sources) if (!overlays.has(source.path)) changed.set(source.path, source);
  const stored = new Map<string, Stored>();
  for (const row of storedRows(database, {sources, overlays})) {
    const [path, size, mtime] = [String(row['path']), Number(row['size']), Number(row['mtime'])];
    const source = changed.get(path);
    if (source?.size === size && source.mtime === mtime) changed.delete(path);
    else if (source !== undefined || overlays.has(path)) stored.set(path, {hash: String(row['hash']), size, mtime});
  }
  const todo = Array.from(changed.values(), ({path, language, size}) => ({path, language, size, hash: stored.get(path)?.hash}));
  return {todo, stored};
}

/** Below this many files, to ask for each costs less than to read them all. */
const FEW_QUESTIONS = 100;
const STORED = "SELECT path, hash, size, mtime FROM file UNION ALL SELECT path, '', size, mtime FROM skipped";

function* storedRows(database: DatabaseSync, {sources, overlays}: Candidates): Generator<Record<string, unknown>, void, undefined> {
  if (sources.length + overlays.size >= FEW_QUESTIONS) return yield* database.prepare(STORED).iterate();
  const one = database.prepare(`SELECT * FROM (${STORED}) WHERE path = ?`);
  for (const {path} of sources) yield* one.iterate(path);
  for (const path of overlays.keys()) yield* one.iterate(path);
}

/** Whether settings that lead imports elsewhere are not those that the index was made with. */
export function hasOtherSettings(database: DatabaseSync, settings: readonly string[]): boolean {
  const made = database.prepare("SELECT value FROM meta WHERE key = 'settings'").get()?.['value'];
  return settings.join('\n') !== (made ?? '');
}
