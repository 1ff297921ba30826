import {describe, expect, it} from 'vitest';
import {cyclesIn, roomProblems} from '../../scripts/check-rooms.ts';
import {specifiersIn} from '../../scripts/source-imports.ts';

const files = (count: number, name: (index: number) => string): [string, string[]][] =>
  Array.from({length: count}, (_, index) => [name(index), []]);

describe('rooms of src/', () => {
  it('a folder has at most 25 files of its own; tables and what is generated do not count', () => {
    const own = files(26, (index) => `tools/room/${index}.ts`);
    const apart: [string, string[]][] = [...files(30, (index) => `tools/tables/${index}.table.ts`), ['tools/tables/all.gen.ts', []]];
    expect(roomProblems({specifiers: new Map([...own, ...apart]), readmes: new Set(['tools/room'])})).toEqual([
      {path: 'tools/room', text: '26 files, at most 25: make a room of one concern'},
    ]);
    expect(roomProblems({specifiers: new Map(own.slice(1)), readmes: new Set(['tools/room'])})).toEqual([]);
  });

  it('a folder with more than 8 files has a README', () => {
    const tree = {specifiers: new Map(files(9, (index) => `sdk/room/${index}.ts`)), readmes: new Set<string>()};
    const text = '9 files and no README.md: what lives here, what may not, where to start';
    expect(roomProblems(tree)).toEqual([{path: 'sdk/room', text}]);
    expect(roomProblems({...tree, readmes: new Set(['sdk/room'])})).toEqual([]);
    expect(roomProblems({...tree, specifiers: new Map([...tree.specifiers].slice(1))})).toEqual([]);
  });

  it.each([
    ['sdk/any.ts', 15, undefined],
    ['sdk/any.ts', 16, 'imports 16 modules, at most 15: split it by concern, or pass what it needs'],
    ['sdk/thread/open-thread.ts', 30, undefined],
    ['sdk/thread/open-thread.ts', 31, 'imports 31 modules, at most 30: split it by concern, or pass what it needs'],
  ])('%s with %i imports: %s', (path, count, text) => {
    const modules = Array.from({length: count}, (_, index) => `../base/${index}.ts`);
    const specifiers = new Map([[path, [...modules, 'node:fs', '../base/../base/0.ts']]]);
    expect(roomProblems({specifiers, readmes: new Set()})).toEqual(text === undefined ? [] : [{path, text}]);
  });

  it('a file that imports itself by way of others is named with the shortest way', () => {
    const specifiers = new Map([
      ['agent/a.ts', ['./b.ts']],
      ['agent/b.ts', ['../base/c.ts', './d.ts']],
      ['base/c.ts', ['../agent/a.ts']],
      ['agent/d.ts', ['../base/c.ts']],
      ['agent/leaf.ts', ['./a.ts']],
    ]);
    const text = 'imports itself: agent/b.ts → base/c.ts → agent/a.ts; move what they share into a lower file';
    expect(roomProblems({specifiers, readmes: new Set()})).toEqual([{path: 'agent/a.ts', text}]);
  });

  it('two groups are two cycles; a file that imports itself is one', () => {
    const imports = new Map([
      ['a', ['b']],
      ['b', ['a', 'c']],
      ['c', ['d']],
      ['d', ['c']],
      ['e', ['e']],
      ['f', ['a', 'gone']],
    ]);
    expect(cyclesIn(imports)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('code is left out', () => {
    const specifiers = new Map([...files(40, (index) => `code/room/${index}.ts`), ['code/a.ts', ['./a.ts']] as [string, string[]]]);
    expect(roomProblems({specifiers, readmes: new Set()})).toEqual([]);
  });
});

it('imports are read from the text: values, types, what is passed on, what is loaded later', () => {
  const text = [
    "import {a} from './a.ts';",
    "import type {B} from '../b.ts';",
    "import './c.ts';",
    "export {d} from './d.ts';",
    "const e = async () => await import('./e.ts');",
    "import {f} from 'package';",
    "import {g} from 'node:fs';",
    "import {a2} from './a.ts';",
  ].join('\n');
  expect(specifiersIn(text)).toEqual(['./a.ts', '../b.ts', './c.ts', './d.ts', './e.ts', 'node:fs']);
});
