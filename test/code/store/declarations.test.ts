import {expect, it} from 'vitest';
import {placeOfId} from '../../../src/code/store/code-symbol.ts';
import {definitionsAt} from '../../../src/code/store/definition-at.ts';
import {FactsReader} from '../../../src/code/store/facts-reader.ts';
import {openForReading} from '../../../src/code/store/open-database.ts';
import {createEdgeReader} from '../../../src/code/store/symbol-edges.ts';
import {closing, indexFiles} from '../index-files.ts';

async function stored(files: Readonly<Record<string, string>>) {
  const database = openForReading(await indexFiles(files));
  if (database === undefined) throw new Error('There is no index.');
  closing(database);
  return {database, reader: new FactsReader(database)};
}

const C = {
  'store.h': 'int store_new(void);\n',
  'store.c': '#include "store.h"\nint store_new(void) {\n  return 1;\n}\n',
  'main.c': '#include "store.h"\nint main(void) { return store_new(); }\n',
  'other.c': 'static int store_new(void) { return 2; }\nint other(void) { return store_new(); }\n',
};

it('C: what a header announces and another file defines is one thing, what a file keeps to itself is not (issue: symbol_references works)', async () => {
  const {database, reader} = await stored(C);
  const place = placeOfId(reader, 'store.h::store_new#function');
  if (place === undefined) throw new Error('There is no such symbol.');
  const {places} = createEdgeReader(database, reader).references(place, {limit: 100});
  expect(places.map(({path, range}) => `${path}:${range.start.line + 1}`)).toEqual(['store.c:2', 'store.h:1', 'main.c:2']);
  const main = reader.at('main.c');
  if (main === undefined) throw new Error('There is no such file.');
  const found = definitionsAt({database, reader}, main, {line: 1, character: 26}) ?? [];
  expect(found.map(({path, range}) => `${path}:${range.start.line + 1}`)).toEqual(['store.c:2', 'store.h:1']);
});

it('Go: a method that stands outside of its type has its declaration and its uses (issue: symbol_references works)', async () => {
  const {database, reader} = await stored({
    'go.mod': 'module example.com/a\n',
    'a.go': 'package a\n\ntype Store struct{}\n\nfunc (s *Store) Save() {}\n\nfunc run(s *Store) { s.Save() }\n',
  });
  const place = placeOfId(reader, 'a.go::Store.Save#method');
  if (place === undefined) throw new Error('There is no such symbol.');
  const {places} = createEdgeReader(database, reader).references(place, {limit: 100});
  expect(places.map(({path, range}) => `${path}:${range.start.line + 1}:${range.start.character}`)).toEqual(['a.go:5:16', 'a.go:7:23']);
});
