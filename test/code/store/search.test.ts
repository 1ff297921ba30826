import {describe, expect, it} from 'vitest';
import {splitIdentifier} from '../../../src/code/store/humps.ts';
import {FactsReader} from '../../../src/code/store/facts-reader.ts';
import {openForReading} from '../../../src/code/store/open-database.ts';
import {createSymbolSearch} from '../../../src/code/store/search-symbols.ts';
import type {SymbolQuery} from '../../../src/code/code-graph.ts';
import {closing, indexFiles} from '../index-files.ts';

const FILES = {
  'src/graph.ts':
    'export function openCodeGraph() {}\nexport function open() {}\nfunction opener() {}\nexport class Reopen { open() {} close() {} }\nexport const open_code_golf = 1;\nexport const per_cent = 1;\nexport const perXcent = 1;\n',
  'src/deeper/other.ts': 'function open() {}\n',
  'test/graph.test.ts': 'export function open() {}\n',
};

async function search(): Promise<(query: Partial<SymbolQuery>) => string[]> {
  const database = openForReading(await indexFiles(FILES));
  if (database === undefined) throw new Error('There is no index.');
  closing(database);
  const ask = createSymbolSearch(database, new FactsReader(database));
  return (query) => ask({text: '', limit: 10, ...query}).symbols.map(({symbol, score}) => `${symbol.id} ${score}`);
}

describe('search by name (zblade tool calls › symbol_search; issue: ranked, fuzzy, camel-hump)', () => {
  it('exact before beginning, humps, infix and errors; of one name exported, shorter, shallower first, tests last', async () => {
    const ask = await search();
    expect(ask({text: 'open'})).toMatchInlineSnapshot(`
      [
        "src/graph.ts::open#function 1",
        "src/graph.ts::Reopen.open#method 1",
        "src/deeper/other.ts::open#function 1",
        "test/graph.test.ts::open#function 1",
        "src/graph.ts::opener#function 0.917",
        "src/graph.ts::openCodeGraph#function 0.881",
        "src/graph.ts::open_code_golf#constant 0.879",
        "src/graph.ts::Reopen#class 0.517",
      ]
    `);
  });

  it('camel humps, in any writing of the name; letters alone are first letters', async () => {
    const ask = await search();
    expect({ocg: ask({text: 'ocg'}), OpCoGr: ask({text: 'OpCoGr'}), oCG: ask({text: 'oCG'})}).toMatchInlineSnapshot(`
      {
        "OpCoGr": [
          "src/graph.ts::openCodeGraph#function 0.696",
        ],
        "oCG": [
          "src/graph.ts::openCodeGraph#function 0.673",
          "src/graph.ts::open_code_golf#constant 0.671",
        ],
        "ocg": [
          "src/graph.ts::openCodeGraph#function 0.673",
          "src/graph.ts::open_code_golf#constant 0.671",
        ],
      }
    `);
  });

  it('one and two typing errors, when nothing fits better', async () => {
    const ask = await search();
    expect({one: ask({text: 'openCodGraph'}), two: ask({text: 'opnCodeGrph'}), swapped: ask({text: 'Roepen'}), far: ask({text: 'xyzzy'})})
      .toMatchInlineSnapshot(`
      {
        "far": [],
        "one": [
          "src/graph.ts::openCodeGraph#function 0.742",
        ],
        "swapped": [
          "src/graph.ts::Reopen#class 0.25",
        ],
        "two": [
          "src/graph.ts::openCodeGraph#function 0.25",
        ],
      }
    `);
  });

  it('`_` and `%` mean themselves', async () => {
    const ask = await search();
    expect([ask({text: 'per_cent'}), ask({text: 'per%cent'}), ask({text: '%'}), ask({text: "';--"}), ask({text: '"'})])
      .toMatchInlineSnapshot(`
      [
        [
          "src/graph.ts::per_cent#constant 1",
        ],
        [
          "src/graph.ts::per_cent#constant 0.75",
        ],
        [],
        [],
        [],
      ]
    `);
  });

  it('only of a kind, a file, a folder, or in something; the limit is told', async () => {
    const ask = await search();
    expect({
      kind: ask({text: 'open', kind: 'method'}),
      file: ask({text: 'open', path: 'src/deeper/other.ts'}),
      folder: ask({text: 'open', path: 'test'}),
      scope: ask({text: 'Reopen.open'}),
      limit: ask({text: 'open', limit: 1}),
    }).toMatchInlineSnapshot(`
      {
        "file": [
          "src/deeper/other.ts::open#function 1",
        ],
        "folder": [
          "test/graph.test.ts::open#function 1",
        ],
        "kind": [
          "src/graph.ts::Reopen.open#method 1",
        ],
        "limit": [
          "src/graph.ts::open#function 1",
        ],
        "scope": [
          "src/graph.ts::Reopen.open#method 1",
        ],
      }
    `);
  });

  it.each([
    ['openCodeGraph', ['open', 'code', 'graph']],
    ['HTTPServer2', ['http', 'server', '2']],
    ['SCREAMING_CASE', ['screaming', 'case']],
    ['$__x', ['x']],
    ['größeÄndern', ['größe', 'ändern']],
  ])('the words of %s', (name, words) => {
    expect(splitIdentifier(name)).toEqual(words);
  });
});
