import {describe, expect, it} from 'vitest';
import {withIndex as openWithIndex, type IndexedToolset} from '../../support/with-index.ts';

const PROJECT = {
  'package.json': '{"name": "demo"}\n',
  'src/main.ts': "import {Server} from './server.ts';\n\nconst server = new Server();\nserver.start(80);\n",
  'src/server.ts':
    '/** Serves. */\nexport class Server {\n  /** Opens the port. */\n  start(port: number): void {\n    log(`port ${port}`);\n  }\n}\n\nfunction log(line: string): void {\n  console.log(line);\n}\n',
  'src/worker.ts': 'export function start(): void {}\n',
  'test/server.test.ts': "import {Server} from '../src/server.ts';\n\nnew Server().start(1);\n",
  '.zblade/context/project_index.md': '# Stored\n',
};

const range = (startLine: number, startCharacter: number, endLine: number, endCharacter: number) => ({
  start: {line: startLine, character: startCharacter},
  end: {line: endLine, character: endCharacter},
});
const SERVER = {
  id: 'src/server.ts::Server#class',
  name: 'Server',
  qualified_name: 'Server',
  symbol_type: 'class',
  file_path: 'src/server.ts',
  range: range(1, 0, 6, 1),
  docstring: 'Serves.',
  signature: 'export class Server',
  exported: true,
};
const START = {
  id: 'src/server.ts::Server.start#method',
  name: 'start',
  qualified_name: 'Server.start',
  symbol_type: 'method',
  file_path: 'src/server.ts',
  range: range(3, 2, 5, 3),
  parent_id: SERVER.id,
  docstring: 'Opens the port.',
  signature: 'start(port: number): void',
  exported: true,
};
const LOG = {
  id: 'src/server.ts::log#function',
  name: 'log',
  qualified_name: 'log',
  symbol_type: 'function',
  file_path: 'src/server.ts',
  range: range(8, 0, 10, 1),
  signature: 'function log(line: string): void',
  exported: false,
};
const WORKER = {
  id: 'src/worker.ts::start#function',
  name: 'start',
  qualified_name: 'start',
  symbol_type: 'function',
  file_path: 'src/worker.ts',
  range: range(0, 0, 0, 32),
  signature: 'export function start(): void',
  exported: true,
};
const called = (target: typeof START | typeof LOG, at: object) => ({
  relationship_type: 'call',
  target_name: target.name,
  target_symbol_id: target.id,
  target_symbol: target,
  ...at,
});
const CALLS = [
  called(START, {file_path: 'src/main.ts', line: 3, character: 7}),
  called(START, {file_path: 'test/server.test.ts', line: 2, character: 13}),
];
const CALLED = [called(LOG, {source_symbol: START, file_path: 'src/server.ts', line: 4, character: 4})];
const GRAPH = {symbol: START, incoming: CALLS, outgoing: CALLED, relationship_type: 'call', truncated: false};

/** What the guard against loops says of calls in several spellings is left out. */
async function withIndex(name: string, files: Readonly<Record<string, string>>): Promise<IndexedToolset> {
  const tools = await openWithIndex(name, files);
  return {
    ...tools,
    async json(tool, args) {
      const found = await tools.json(tool, args);
      return typeof found === 'string' ? found.replace(/\n\[the same call [^]*$/, '') : {...(found as object), notes: undefined};
    },
  };
}

const ids = (found: unknown): unknown => (found as {results: {id: string}[]}).results.map(({id}) => id);

describe('zblade tool calls › Local Code-Intelligence Tools, over a real index', {timeout: 60_000}, () => {
  it('symbol_search: "Search indexed symbols by name or qualified name", best first; file, kind, limit', async () => {
    const {json} = await withIndex('blade', PROJECT);
    expect(await json('symbol_search', {query: 'start'})).toEqual({
      query: 'start',
      results: [
        {...WORKER, score: 1},
        {...START, score: 1},
      ],
      _meta: {tool: 'symbol_search', count: 2, truncated: false},
    });
    for (const name of ['path', 'file', 'file_path'])
      expect(ids(await json('symbol_search', {query: 'start', [name]: 'src/worker.ts'}))).toEqual([WORKER.id]);
    for (const name of ['kind', 'symbol_type'])
      expect(ids(await json('symbol_search', {query: 'start', [name]: 'method'}))).toEqual([START.id]);
    expect(ids(await json('symbol_search', {query: 'Server.start'}))).toEqual([START.id]);
    expect(ids(await json('symbol_search', {query: 'start', path: 'src'}))).toEqual([WORKER.id, START.id]);
    expect(await json('symbol_search', {query: 'start', limit: 1})).toEqual({
      query: 'start',
      results: [{...WORKER, score: 1}],
      _meta: {tool: 'symbol_search', count: 1, truncated: true},
    });
    expect(await json('symbol_search', {query: 'nothing_like_it'})).toEqual({
      query: 'nothing_like_it',
      results: [],
      _meta: {tool: 'symbol_search', count: 0, truncated: false},
    });
  });

  it('symbol_outline: says where the name is when decorators stand before its line', async () => {
    const {json} = await withIndex('blade', {'app.py': '@app.route("/")\n@cached\ndef home():\n    pass\n\ndef plain(): pass\n'});
    const {outline} = (await json('symbol_outline', {path: 'app.py'})) as {outline: {name: string; range: object; name_range?: object}[]};
    expect(outline.map(({name, range: whole, name_range: named}) => [name, whole, named])).toEqual([
      ['home', range(0, 0, 3, 8), range(2, 4, 2, 8)],
      ['plain', range(5, 0, 5, 17), undefined],
    ]);
  });

  it('limit: "Defaults to `20`, capped at `100`"', async () => {
    const many = Array.from({length: 120}, (_, index) => `export function same${index}(): void {}\nsame0();\n`).join('');
    const {json} = await withIndex('blade', {'many.ts': many});
    const count = async (args: object): Promise<unknown> => ((await json('symbol_search', args)) as {_meta: object})._meta;
    expect(await count({query: 'same'})).toEqual({tool: 'symbol_search', count: 20, truncated: true});
    expect(await count({query: 'same', limit: 1000})).toEqual({tool: 'symbol_search', count: 100, truncated: true});
    const incoming = async (args: object): Promise<number> => {
      const found = (await json('symbol_graph', {path: 'many.ts', name: 'same0', ...args})) as {incoming: unknown[]};
      return found.incoming.length;
    };
    expect([await incoming({}), await incoming({limit: 1000})]).toEqual([20, 100]);
  });

  it('symbol_resolve: "by ID, or by file plus name"; what the words could mean besides is told', async () => {
    const {json} = await withIndex('blade', PROJECT);
    const one = {symbol: START, _meta: {tool: 'symbol_resolve', count: 1}};
    for (const name of ['symbol_id', 'id']) expect(await json('symbol_resolve', {[name]: START.id})).toEqual(one);
    for (const name of ['path', 'file', 'file_path'])
      expect(await json('symbol_resolve', {[name]: 'src/server.ts', name: 'start'})).toEqual(one);
    expect(await json('symbol_resolve', {path: 'src/server.ts', qualified_name: 'Server.start'})).toEqual(one);
    expect(await json('symbol_resolve', {name: 'start'})).toEqual({
      symbol: WORKER,
      duplicates: [START],
      _meta: {tool: 'symbol_resolve', count: 2},
    });
    expect(await json('symbol_resolve', {path: 'src/server.ts'})).toBe(
      'tool_error: No symbol was named.\nGive symbol_id, or path with qualified_name or name.',
    );
    expect(await json('symbol_resolve', {path: 'src/server.ts', qualified_name: 'Other.start'})).toBe(
      `tool_error: There is no symbol Other.start in src/server.ts.\nNearest: ${START.id}.`,
    );
  });

  it('symbol_outline: "the hierarchical symbol outline for one file"', async () => {
    const {json} = await withIndex('blade', PROJECT);
    const outline = {
      path: 'src/server.ts',
      outline: [
        {...SERVER, children: [{...START, children: []}]},
        {...LOG, children: []},
      ],
    };
    for (const name of ['path', 'file', 'file_path']) expect(await json('symbol_outline', {[name]: 'src/server.ts'})).toEqual(outline);
    expect(await json('symbol_outline', {path: 'src/none.ts'})).toBe(
      'tool_error: src/none.ts does not exist.\nFind it with glob, or list the folder.',
    );
  });

  it('symbol_graph: "incoming and outgoing graph edges for a symbol", calls unless another kind is asked for', async () => {
    const {json} = await withIndex('blade', PROJECT);
    for (const name of ['symbol_id', 'id']) expect(await json('symbol_graph', {[name]: START.id})).toEqual(GRAPH);
    for (const name of ['path', 'file', 'file_path'])
      expect(await json('symbol_graph', {[name]: 'src/server.ts', name: 'start'})).toEqual(GRAPH);
    expect(await json('symbol_graph', {path: 'src/server.ts', qualified_name: 'Server.start'})).toEqual(GRAPH);
    const contains = {
      symbol: START,
      incoming: [
        {
          ...called(START, {source_symbol: SERVER, file_path: 'src/server.ts', line: 3, character: 2}),
          relationship_type: 'contains',
        },
      ],
      outgoing: [],
      relationship_type: 'contains',
      truncated: false,
    };
    for (const name of ['relationship_type', 'relationship', 'edge_kind', 'kind'])
      expect(await json('symbol_graph', {id: START.id, [name]: 'contains'})).toEqual(contains);
    expect(await json('symbol_graph', {id: START.id, limit: 1})).toMatchObject({incoming: [{target_name: 'start'}], truncated: true});
    expect(await json('symbol_graph', {id: START.id, kind: 'handles'})).toBe(
      'tool_error: unknown relationship type: handles\nKnown: call, import, export, extends, implements, contains, reference, uses_type.',
    );
    expect(await json('symbol_graph', {path: 'src/server.ts'})).toMatch(/^tool_error: No symbol was named\./);
  });

  it('symbol_references: "Present in tool schema definitions", and answered: declaration first, then every use', async () => {
    const {json} = await withIndex('blade', PROJECT);
    const declared = {...called(START, {file_path: 'src/server.ts', line: 3, character: 2}), relationship_type: 'reference'};
    const all = {symbol: START, references: [declared, ...CALLS], unproven: [], truncated: false};
    for (const args of [
      {symbol_id: START.id},
      {id: START.id},
      {path: 'src/server.ts', name: 'start'},
      {file: 'src/server.ts', qualified_name: 'Server.start'},
    ])
      expect(await json('symbol_references', args)).toEqual(all);
    expect(await json('symbol_references', {id: START.id, limit: 1})).toEqual({...all, references: [declared], truncated: true});
  });

  it('an id stays when lines move; what was just written is found', async () => {
    const {json, call} = await withIndex('blade', PROJECT);
    expect(await json('symbol_resolve', {id: START.id})).toMatchObject({symbol: {range: START.range}});
    await call('write_file', {path: 'src/server.ts', content: `// new\n${PROJECT['src/server.ts']}export const added = 1;\n`});
    expect(await json('symbol_resolve', {id: START.id})).toMatchObject({symbol: {range: range(4, 2, 6, 3)}});
    expect(ids(await json('symbol_search', {query: 'added'}))).toEqual(['src/server.ts::added#constant']);
  });
});

describe(
  'zblade tool calls › Project Index Tools, "a semantic overview generated by the local language service"',
  {timeout: 60_000},
  () => {
    it('the generated one first, then what is stored; windows of it, of a sub-root too', async () => {
      const {json, root} = await withIndex('blade', PROJECT);
      const name = root.slice(root.lastIndexOf('/') + 1);
      const generated = `# ${name}: overview

## Languages
- typescript: 4 files, 5 symbols
- json: 1 file, 1 symbol

## Folders
- src/: 3 files, 5 symbols
- test/: 1 file, 0 symbols

## Entry points
- src/server.ts
- src/main.ts

## Important modules
- src/server.ts: Server
- src/worker.ts: start

## Tests
- test/: 1 file

## Configuration
- package.json
`;
      const content = `${generated}\n# Stored\n`;
      const whole = {
        workspace_root: root,
        index_path: '.zblade/context/project_index.md',
        source: 'semantic_index+file',
        total_chars: content.length,
        offset: 0,
        end: content.length,
        returned_chars: content.length,
        has_more: false,
        next_offset: null,
        content,
      };
      expect(await json('get_project_index_overview', {})).toEqual({tool: 'get_project_index_overview', max_chars: 6000, ...whole});
      expect(await json('get_project_index_chunk', {})).toEqual({tool: 'get_project_index_chunk', max_chars: 4000, ...whole});
      expect(await json('get_project_index_chunk', {offset: 2, max_chars: 3})).toEqual({
        ...whole,
        tool: 'get_project_index_chunk',
        max_chars: 3,
        offset: 2,
        end: 5,
        returned_chars: 3,
        has_more: true,
        next_offset: 5,
        content: content.slice(2, 5),
      });
      expect(await json('get_project_index_overview', {path: 'src', max_chars: 20_000})).toMatchObject({
        workspace_root: `${root}/src`,
        index_path: null,
        source: 'semantic_index',
        max_chars: 12_000,
        content: expect.stringMatching(/^# .*\/src: overview\n\n## Languages\n- typescript: 3 files, 5 symbols\n/),
      });
    });
  },
);
