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

/** Files to be parsed: by size and time at first; the thread that reads a file compares its content. */
export function changedSources({sources, overlays}: Candidates, stored: ReadonlyMap<string, Stored>): (ToParse & {size: number})[] {
  return sources.flatMap(({path, language, size, mtime}) => {
    const known = stored.get(path);
    if (overlays.has(path) || (known?.size === size && known.mtime === mtime)) return [];
    return [{path, language, size, hash: known?.hash}];
  });
}

/** What is stored of those that may have changed. */
export function storedFiles(database: DatabaseSync, {sources, overlays}: Candidates): Map<string, Stored> {
  if (sources.length + overlays.size >= FEW_QUESTIONS) return new Map(database.prepare(STORED).all().map(storedFile));
  const one = database.prepare(`SELECT * FROM (${STORED}) WHERE path = ?`);
  const paths = [...sources.map(({path}) => path), ...overlays.keys()];
  return new Map(paths.flatMap((path) => one.all(path).map(storedFile)));
}

/** Below this many files, to ask for each costs less than to read them all. */
const FEW_QUESTIONS = 100;
const STORED = "SELECT path, hash, size, mtime FROM file UNION ALL SELECT path, '', size, mtime FROM skipped";

function storedFile(row: Record<string, unknown>): [string, Stored] {
  return [String(row['path']), {hash: String(row['hash']), size: Number(row['size']), mtime: Number(row['mtime'])}];
}

/** Whether settings that lead imports elsewhere are not those that the index was made with. */
export function hasOtherSettings(database: DatabaseSync, settings: readonly string[]): boolean {
  const made = database.prepare("SELECT value FROM meta WHERE key = 'settings'").get()?.['value'];
  return settings.join('\n') !== (made ?? '');
}
