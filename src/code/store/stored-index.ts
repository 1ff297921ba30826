import type {DatabaseSync} from 'node:sqlite';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {placeOfId} from './code-symbol.ts';
import {FactsReader, type StoredFile} from './facts-reader.ts';
import {nearestPaths} from './nearest-paths.ts';
import {openForReading} from './open-database.ts';
import {createSymbolSearch} from './search-symbols.ts';
import {createSymbolSelection, notFound} from './select-symbols.ts';
import {createEdgeReader, type EdgeReader} from './symbol-edges.ts';

/** The questions to one index. */
export interface Queries {
  readonly database: DatabaseSync;
  readonly reader: FactsReader;
  readonly search: ReturnType<typeof createSymbolSearch>;
  readonly select: ReturnType<typeof createSymbolSelection>;
  readonly edges: EdgeReader;
  /** Errors: NOT_FOUND, with the nearest. */
  file(path: string): StoredFile;
  place(id: string): {readonly file: StoredFile; readonly index: number};
}

/** A database that is opened when it is there. */
export interface StoredIndex {
  /** Of one state of the index: what is written meanwhile is seen by the next question. Errors: UNAVAILABLE, and those of the question. */
  ask<T>(question: (queries: Queries) => T): T;
  /** Undefined where there is no index yet. */
  peek<T>(question: (queries: Queries) => T): T | undefined;
  close(): void;
}

export function openStoredIndex(path: string): StoredIndex {
  let opened: Queries | undefined;
  function peek<T>(question: (queries: Queries) => T): T | undefined {
    opened ??= openQueries(path);
    if (opened === undefined) return undefined;
    try {
      opened.database.exec('BEGIN');
      return question(opened);
    } catch (thrown) {
      throw explain(thrown);
    } finally {
      if (opened.database.isTransaction) opened.database.exec('COMMIT');
    }
  }
  return {
    peek,
    ask(question) {
      const answer = peek((queries) => ({is: question(queries)}));
      if (answer === undefined) throw noIndex();
      return answer.is;
    },
    close() {
      opened?.database.close();
      opened = undefined;
    },
  };
}

function openQueries(path: string): Queries | undefined {
  const database = openForReading(path);
  if (database === undefined) return undefined;
  const reader = new FactsReader(database);
  const search = createSymbolSearch(database, reader);
  const nearest = (text: string, within: string | undefined): string[] =>
    search({text, limit: 3, ...(within === undefined ? {} : {path: within})}).symbols.map(({symbol}) => symbol.id);
  const select = createSymbolSelection({database, reader, nearest});
  return {
    database,
    reader,
    search,
    select,
    edges: createEdgeReader(database, reader),
    file(path) {
      const file = reader.at(path);
      if (file === undefined) throw notFound(`The file ${path} is not in the index`, nearestPaths(database, path));
      return file;
    },
    place(id) {
      const place = placeOfId(reader, id);
      if (place !== undefined) return place;
      const [known] = select({id});
      throw notFound(`There is no symbol ${id}`, known === undefined ? [] : [known.id]);
    },
  };
}

function noIndex(): FettleError {
  const hint = 'It is built with the first question that waits for it: `fettle index build`.';
  return new FettleError({code: 'UNAVAILABLE', message: 'There is no code index of this workspace yet.', hint});
}

function explain(thrown: unknown): FettleError {
  const isSqlite = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_SQLITE_ERROR';
  if (!isSqlite) return toFettleError(thrown);
  const hint = '`fettle index build --force` makes it anew.';
  return new FettleError({code: 'UNAVAILABLE', message: 'The code index cannot be read.', hint, cause: thrown});
}
