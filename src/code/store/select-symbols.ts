import type {DatabaseSync} from 'node:sqlite';
import {FettleError} from '../../base/errors.ts';
import type {SymbolSelector} from '../code-graph.ts';
import type {CodeSymbol} from '../symbol.ts';
import {codeSymbol, placeOfId, placeOfNumber} from './code-symbol.ts';
import type {FactsReader, StoredFile} from './facts-reader.ts';
import {nearestPaths} from './nearest-paths.ts';

/** Most symbols that one selector answers with. */
const MOST = 200;

/**
 * The symbols that a selector fits: an id one, a name as many as have it (zblade tool calls › symbol_resolve). Errors: NOT_FOUND with the
 * nearest names, BAD_ARGS where nothing is named.
 */
export function createSymbolSelection({database, reader, nearest}: Stored): (selector: SymbolSelector) => CodeSymbol[] {
  const byName = database.prepare(
    'SELECT symbol FROM named WHERE name = (SELECT id FROM name WHERE text = ?) ORDER BY rank, symbol LIMIT 5000',
  );
  return (selector) => {
    const {id, path, qualifiedName, name, kind} = selector;
    if (id !== undefined) {
      const place = placeOfId(reader, id);
      if (place === undefined) throw notFound(`There is no symbol ${id}`, nearest(nameOfId(id), undefined));
      return [codeSymbol(place.file, place.index)];
    }
    const last = name ?? qualifiedName?.split('.').at(-1);
    if (last === undefined || last === '') throw nothingNamed();
    const places = path === undefined ? everywhere(last) : inFile(fileAt(path), last);
    const fits = places.filter(({file, index}) => {
      if (kind !== undefined && file.table.kinds[index] !== kind) return false;
      return qualifiedName === undefined || file.qualified[index] === qualifiedName;
    });
    if (fits.length > 0) return fits.slice(0, MOST).map(({file, index}) => codeSymbol(file, index));
    throw notFound(`There is no symbol ${qualifiedName ?? last}${path === undefined ? '' : ` in ${path}`}`, nearest(last, path));
  };

  function everywhere(name: string): {file: StoredFile; index: number}[] {
    return byName.all(name).flatMap((row) => placeOfNumber(reader, Number(row['symbol'])) ?? []);
  }

  function fileAt(path: string): StoredFile {
    const file = reader.at(path);
    if (file !== undefined) return file;
    throw notFound(`The file ${path} is not in the index`, nearestPaths(database, path));
  }
}

interface Stored {
  readonly database: DatabaseSync;
  readonly reader: FactsReader;
  /** Ids of symbols with a similar name. */
  readonly nearest: (name: string, path: string | undefined) => readonly string[];
}

function inFile(file: StoredFile, name: string): {file: StoredFile; index: number}[] {
  return file.table.names.flatMap((own, index) => (own === name ? [{file, index}] : []));
}

export function notFound(what: string, nearest: readonly string[]): FettleError {
  const hint = nearest.length === 0 ? 'Search for a part of the name.' : `Nearest: ${nearest.join(', ')}.`;
  return new FettleError({code: 'NOT_FOUND', message: `${what}.`, hint});
}

function nameOfId(id: string): string {
  return (
    id
      .slice(id.lastIndexOf('::') + 2)
      .replace(/#.*$/s, '')
      .split('.')
      .at(-1) ?? ''
  );
}

function nothingNamed(): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: 'No symbol is named.',
    hint: 'Give an id, or a name, with a path where it is not unique.',
  });
}
