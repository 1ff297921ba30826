import type {DatabaseSync} from 'node:sqlite';
import type {IndexProgress} from '../code-graph.ts';
import {IndexWriter} from '../store/index-writer.ts';
import {changedSources, hasOtherSettings, type Stored} from './changed-sources.ts';
import type {Listing, SourceFile} from './list-sources.ts';
import {parseFiles} from './parse-files.ts';
import {parseBatch, parseText, type Parsed} from './parse-source.ts';
import {contentHash} from './read-source.ts';
import {settleOpen} from './settle-open.ts';

export interface Update {
  readonly root: string;
  readonly database: DatabaseSync;
  /** All sources, or those that may have changed. */
  readonly sources: readonly SourceFile[];
  /** Paths that are no sources any more. */
  readonly removed: readonly string[];
  readonly settings?: Listing['settings'];
  /** Texts that go before the disk. */
  readonly overlays: ReadonlyMap<string, {readonly language: string; readonly text: string}>;
  readonly entry: URL;
  readonly progress: (done: IndexProgress) => void;
  /** `symbols`: of few changed files only these; what they leave open is resolved later. Relations else. */
  readonly upTo?: UpTo | undefined;
}

/** How much of an index somebody waits for. */
export type UpTo = 'symbols' | 'relations';

/** Below this many files the threads would take longer to start than the files to parse. */
const FEW_FILES = 12;

/**
 * Brings the index to the state of the files. Killed at any moment it leaves a database that the next update finishes: facts and what they
 * leave open are written together, and open files are resolved until there are none.
 */
export async function updateIndex(update: Update, signal: AbortSignal): Promise<void> {
  const {database, root, settings, progress} = update;
  const writer = new IndexWriter(database);
  const {todo, stored} = changedSources(database, update);
  let done = 0;
  const total = todo.length;
  progress({done, total});
  const take = (parsed: readonly Parsed[]): void => {
    writer.transaction(() => parsed.forEach((one) => store(writer, one)));
    done += parsed.length;
    progress({done, total});
  };
  writer.transaction(() => {
    for (const path of update.removed) writer.removeFile(path);
    if (settings !== undefined && hasOtherSettings(database, settings)) {
      writer.setMeta('settings', settings.join('\n'));
      writer.openAll();
    }
  });
  await parseOverlays(update, {stored, take}, signal);
  if (todo.length > FEW_FILES) await parseFiles({root, files: todo, entry: update.entry}, take, signal);
  else if (todo.length > 0) take(await parseBatch({root, files: todo}, signal));
  signal.throwIfAborted();
  const isEnough = update.upTo === 'symbols' && todo.length <= FEW_FILES && writer.meta('built') !== undefined;
  if (!isEnough) await settleOpen(update, signal);
  writer.transaction(() => {
    writer.indexNames();
    writer.setMeta('built', Date.now());
  });
}

interface Taking {
  readonly stored: ReadonlyMap<string, Stored>;
  readonly take: (parsed: readonly Parsed[]) => void;
}

async function parseOverlays({overlays}: Update, {stored, take}: Taking, signal: AbortSignal): Promise<void> {
  for (const [path, {language, text}] of overlays) {
    const hash = contentHash(text);
    // No file has this time: when the text goes, the file counts as changed.
    if (stored.get(path)?.hash !== hash)
      take([{is: 'parsed', file: await parseText({path, language, hash, size: -1, mtime: -1}, text, signal)}]);
  }
}

function store(writer: IndexWriter, parsed: Parsed): void {
  if (parsed.is === 'parsed') writer.storeFile(parsed.file);
  else if (parsed.is === 'same') writer.touchFile(parsed.stamp);
  else if (parsed.is === 'skipped') writer.skipFile(parsed.path, parsed.why, parsed);
  else writer.removeFile(parsed.path);
}
