import type {DatabaseSync} from 'node:sqlite';
import type {IndexedFile, IndexStatus} from '../code-graph.ts';
import type {FactsReader} from './facts-reader.ts';
import {fileOf} from './symbol-number.ts';

export type StoredStatus = Omit<IndexStatus, 'state' | 'progress'>;

export function statusOf(database: DatabaseSync): StoredStatus {
  const sums = database
    .prepare('SELECT count(*) AS files, total(symbols) AS symbols, total(relations) AS relations, total(broken > 0) AS broken FROM file')
    .get();
  const languages = database.prepare('SELECT language, count(*) AS files FROM file GROUP BY language ORDER BY files DESC, language').all();
  const built = database.prepare("SELECT value FROM meta WHERE key = 'built'").get()?.['value'];
  const skipped = database.prepare('SELECT count(*) AS files FROM skipped').get();
  const number = (value: unknown): number => Number(value ?? 0);
  return {
    files: number(sums?.['files']),
    symbols: number(sums?.['symbols']),
    relations: number(sums?.['relations']),
    broken: number(sums?.['broken']),
    skipped: number(skipped?.['files']),
    ...(built === undefined ? {} : {builtAt: number(built)}),
    languages: Object.fromEntries(languages.map((row) => [String(row['language']), number(row['files'])])),
  };
}

/** All files by path, with the files that each uses symbols of. */
export function indexedFiles(database: DatabaseSync, reader: FactsReader): IndexedFile[] {
  const rows = database.prepare('SELECT id FROM file ORDER BY path').all();
  const places = new Map(rows.map((row, at) => [Number(row['id']), at]));
  return rows.flatMap((row) => {
    const file = reader.get(Number(row['id']));
    if (file === undefined) return [];
    const uses = new Set<number>();
    for (const target of file.edges) {
      const at = places.get(fileOf(target));
      if (target !== 0 && at !== undefined && fileOf(target) !== file.id) uses.add(at);
    }
    const exported = file.table.exported.filter((mark) => mark).length;
    return {path: file.path, language: file.language, symbols: file.table.names.length, exported, uses: [...uses].sort((a, b) => a - b)};
  });
}
