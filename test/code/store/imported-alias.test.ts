import {describe, expect, it} from 'vitest';
import {openStoredIndex} from '../../../src/code/store/stored-index.ts';
import {referencesAt} from '../../../src/code/store/references-at.ts';
import {indexFiles} from '../index-files.ts';

/** Places of what the name behind each of these words means, `path:line:character` from 1; in the file that is named before it. */
async function placesOf(
  files: Readonly<Record<string, string>>,
  asked: readonly (readonly [string, string])[],
  limit = 100,
): Promise<string[][]> {
  const index = openStoredIndex(await indexFiles(files));
  try {
    return asked.map(([path, words]) => {
      const lines = (files[path] ?? '').slice(0, (files[path] ?? '').indexOf(words)).split('\n');
      const at = {line: lines.length - 1, character: lines.at(-1)?.length ?? 0};
      const found = index.ask((queries) => referencesAt(queries, {file: queries.file(path), at}, {limit}));
      return (found?.places ?? []).map(({path: file, range}) => `${file}:${range.start.line + 1}:${range.start.character + 1}`).toSorted();
    });
  } finally {
    index.close();
  }
}

describe('references of an imported name (issue 6, "references agree with the TypeScript compiler API")', () => {
  it('a name that an import gives is that of its file alone; that of the module means all', async () => {
    const files = {
      'a.ts': 'export interface Item {}\nexport const one: Item = {};\n',
      'b.ts': "import type {Item as Thing} from './a.ts';\nexport const two: Thing = {};\n",
      'c.ts': "import type {Item} from './a.ts';\nexport const three: Item = {};\n",
    };
    const all = ['a.ts:1:18', 'a.ts:2:19', 'b.ts:1:14', 'b.ts:1:22', 'b.ts:2:19', 'c.ts:1:14', 'c.ts:2:21'];
    expect(
      await placesOf(files, [
        ['b.ts', 'Thing = '],
        ['b.ts', 'Thing}'],
        ['b.ts', 'Item as'],
        ['c.ts', 'Item = '],
        ['a.ts', 'Item {}'],
      ]),
    ).toEqual([['b.ts:1:22', 'b.ts:2:19'], ['b.ts:1:22', 'b.ts:2:19'], all, all, all]);
    // However few are asked for, those of the file are found.
    expect(await placesOf(files, [['b.ts', 'Thing = ']], 1)).toEqual([['b.ts:1:22']]);
  });

  it('a name that is given on the way is that of those who import it by that name', async () => {
    const files = {
      'a.ts': 'export function make(): void {}\nmake();\n',
      'index.ts': "export {make as create} from './a.ts';\n",
      'b.ts': "import {create} from './index.ts';\ncreate();\n",
      'c.ts': "import {make} from './a.ts';\nmake();\n",
    };
    expect(await placesOf(files, [['b.ts', 'create();']])).toEqual([['b.ts:1:9', 'b.ts:2:1', 'index.ts:1:17']]);
  });

  it('a default has the name of its statement, or any where it has none', async () => {
    const files = {
      'named.ts': 'const rule = 1;\nexport default rule;\n',
      'made.ts': "import {make} from './make.ts';\nexport default make({rule: 1});\n",
      'make.ts': 'export function make<T>(all: T): T { return all; }\n',
      'whole.ts': 'export default class Rule {}\n',
      'use.ts':
        "import other from './named.ts';\nimport made from './made.ts';\nimport Rule from './whole.ts';\nexport const all = [other, made, Rule];\n",
      'same.ts': "import rule from './named.ts';\nexport const one = rule;\n",
    };
    expect(
      await placesOf(files, [
        ['use.ts', 'other,'],
        ['same.ts', 'rule;'],
        ['use.ts', 'made,'],
        ['use.ts', 'Rule]'],
        ['made.ts', 'rule:'],
      ]),
    ).toEqual([
      ['use.ts:1:8', 'use.ts:4:21'],
      ['same.ts:1:8', 'same.ts:2:20', 'use.ts:1:8', 'use.ts:4:21'],
      ['made.ts:2:8', 'made.ts:2:8', 'use.ts:2:8', 'use.ts:4:28'],
      ['use.ts:3:8', 'use.ts:4:34', 'whole.ts:1:22', 'whole.ts:1:22'],
      ['made.ts:2:22'],
    ]);
  });

  it('what one file imports as a default and hands on by a name is no default of others', async () => {
    const files = {
      'a.ts': 'const inner = 1;\nexport default inner;\n',
      'index.ts': "import outer from './a.ts';\nexport {outer};\n",
      'b.ts': "import {outer} from './index.ts';\nexport const one = outer;\n",
      'c.ts': "import outer from './a.ts';\nexport const two = outer;\n",
    };
    expect(await placesOf(files, [['b.ts', 'outer;']])).toEqual([
      ['b.ts:1:9', 'b.ts:2:20', 'index.ts:1:8', 'index.ts:2:9', 'index.ts:2:9'],
    ]);
  });

  it('an import means a type and a value of one name both; in their file each has its own', async () => {
    const files = {
      'a.ts':
        'export interface Ask { name: string }\nexport namespace Ask { export const one = 1; }\nexport const first: Ask = {name: `${Ask.one}`};\n',
      'b.ts': "import {Ask} from './a.ts';\nexport const second: Ask = {name: `${Ask.one}`};\n",
    };
    const both = ['a.ts:1:18', 'a.ts:2:18', 'a.ts:3:21', 'a.ts:3:37', 'b.ts:1:9', 'b.ts:2:22', 'b.ts:2:38'];
    expect(
      await placesOf(files, [
        ['b.ts', 'Ask = '],
        ['b.ts', 'Ask.one'],
        ['b.ts', 'Ask}'],
        ['a.ts', 'Ask = '],
      ]),
    ).toEqual([both, both, both, ['a.ts:1:18', 'a.ts:3:21', 'b.ts:1:9', 'b.ts:2:22']]);
  });
});
