import {describe, expect, it} from 'vitest';
import type {CodeSymbol} from '../../../../../src/code/symbol.ts';
import {createFindMentions} from '../../../../../src/hosts/tui/fettle/mentions/find-mentions.ts';
import type {OfferedResource} from '../../../../../src/mcp/tools/offered-resource.ts';
import type {SymbolQuestion} from '../../../../../src/sdk/mentions/symbol-source.ts';
import {createSearchEngine} from '../../../../../src/search/create-engine.ts';
import {createFindFiles} from '../../../../../src/hosts/tui/fettle/mentions/find-files.ts';
import {scratch} from '../../../../support/scratch.ts';
import {never} from '../session-support.ts';

const FILES = {'src/parse-date.ts': 'parse\n', 'src/parseDate.ts': '', 'docs:notes.md': '', 'C#/parse.cs': '', 'README.md': ''};
const symbol = (qualifiedName: string, kind: CodeSymbol['kind'], line: number): CodeSymbol => {
  const range = {start: {line, character: 0}, end: {line: line + 1, character: 0}};
  const name = qualifiedName.split('.').at(-1) ?? '';
  return {id: '', name, qualifiedName, kind, path: 'src/date.ts', range, nameRange: range, signature: '', exported: true};
};
const SYMBOLS = [symbol('parseDate', 'function', 11), symbol('Reader.parse', 'method', 29), symbol('prase', 'enum_member', 0)];
const RESOURCES: readonly OfferedResource[] = [
  {server: 'docs', uri: 'file:///notes.txt', name: 'How to parse dates', mimeType: 'text/plain'},
  {server: 'rows', uri: 'row://1', name: '', mimeType: ''},
];

interface Asked {
  readonly symbols: SymbolQuestion[];
  resources: number;
}

interface Found {
  readonly resources?: () => Promise<readonly OfferedResource[]>;
  readonly symbols?: readonly CodeSymbol[];
}

async function finder({resources = async () => RESOURCES, symbols = SYMBOLS}: Found = {}) {
  const root = await scratch(FILES);
  const asked: Asked = {symbols: [], resources: 0};
  let now = 0;
  const mentions = {
    symbols: {
      async find(question: SymbolQuestion) {
        asked.symbols.push(question);
        return symbols;
      },
    },
    async resources() {
      asked.resources += 1;
      return await resources();
    },
  };
  const find = createFindMentions({
    files: createFindFiles(root),
    mentions: () => mentions,
    engine: createSearchEngine(),
    root,
    now: () => now,
    soon: () => async (found) => await found.catch(() => []),
  });
  return {
    asked,
    pass: (ms: number) => (now += ms),
    values: async (query: string) => (await find(query, never)).map(({value}) => value),
    find,
  };
}

describe('what can be mentioned behind @', () => {
  it.each([
    [
      'files, symbols and resources in one list, files first where they are as good',
      'parse',
      [
        'C#/parse.cs',
        'src/parseDate.ts',
        'src/parse-date.ts',
        'src/date.ts:30 (Reader.parse)',
        'src/date.ts:12 (parseDate)',
        'docs:file:///notes.txt',
      ],
    ],
    ['a symbol that fits better stands above a file', 'reader.p', ['src/date.ts:30 (Reader.parse)']],
    [
      '# narrows to symbols, as the index ranks them; a path with # stays within reach',
      '#parse',
      ['src/date.ts:12 (parseDate)', 'src/date.ts:30 (Reader.parse)', 'src/date.ts:1 (prase)', 'C#/parse.cs'],
    ],
    [
      'the name of a server narrows to its resources; a file of that name stays within reach',
      'docs:',
      ['docs:notes.md', 'docs:file:///notes.txt'],
    ],
    ['another word with a colon narrows nothing', 'doc:', ['docs:notes.md', 'docs:file:///notes.txt']],
    ['a path asks for no symbols', 'src/parse-', ['src/parse-date.ts']],
    [
      'nothing typed: files alone',
      '',
      ['README.md', 'docs:notes.md', 'C#/', 'src/', 'C#/parse.cs', 'src/parseDate.ts', 'src/parse-date.ts'],
    ],
    ['/ searches contents', '/parse', ['src/parse-date.ts:1']],
    ['nothing fits', 'zzz', []],
  ])('%s: %j', async (_, query, values) => {
    expect(await (await finder()).values(query)).toEqual(values);
  });

  it('each says what it is', async () => {
    const {find} = await finder();
    expect((await find('parse', never)).slice(2)).toEqual([
      {value: 'src/parse-date.ts', label: 'src/parse-date.ts'},
      {value: 'src/date.ts:30 (Reader.parse)', label: 'Reader.parse', detail: 'method · src/date.ts:30'},
      {value: 'src/date.ts:12 (parseDate)', label: 'parseDate', detail: 'function · src/date.ts:12'},
      {value: 'docs:file:///notes.txt', label: 'docs:file:///notes.txt', detail: 'How to parse dates · text/plain'},
    ]);
    expect((await find('#x', never)).find(({label}) => label === 'prase')?.detail).toBe('enum member · src/date.ts:1');
  });

  it('servers are asked once a minute, symbols not for a single character; an index may be built where files are few', async () => {
    const {asked, pass, values} = await finder();
    for (const query of ['', 'p', 'pa', 'src/']) await values(query);
    expect(asked).toEqual({symbols: [{text: 'pa', limit: 30, mayBuild: true}], resources: 1});
    pass(60_001);
    await values('p');
    expect(asked.resources).toBe(2);
  });

  it('the name of a symbol is one short line, whatever it is in the code', async () => {
    const named = symbol(`'a\u001b[2J\n\u202e${'b'.repeat(200)}'`, 'property', 0);
    const {find} = await finder({symbols: [named]});
    expect((await find('#a', never))[0]?.value).toBe(`src/date.ts:1 ('a \\u202e${'b'.repeat(111)})`);
  });

  it('servers that fail take nothing from the list', async () => {
    const {values} = await finder({resources: async () => await Promise.reject(new Error('gone'))});
    expect([await values('READM'), await values('docs:')]).toEqual([['README.md'], ['docs:notes.md']]);
  });
});
