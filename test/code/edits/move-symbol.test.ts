import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {moveToFile} from '../../../src/code/edits/move-to-file.ts';
import {FettleError} from '../../../src/base/errors.ts';
import {afterwards, indexed} from './support.ts';

const FILES = {
  'a.ts':
    "import {join, sep} from 'node:path';\nimport type {Name} from './types/name.ts';\n\n/** Joins. */\nexport function both(a: Name, b: Name): string {\n  return join(a, b);\n}\n\nexport const line = sep;\n",
  'types/name.ts': 'export type Name = string;\n',
  'lib/b.ts': "import {both} from '../a.ts';\n\nexport const first = both('a', 'b');\n",
  'c.ts': "import {both, line} from './a.ts';\n\nboth(line, line);\n",
  'd.ts': "import {both as two} from './a.ts';\ntwo('', '');\n",
};

describe('a declaration is moved into another file (issue 6: "move")', {timeout: 60_000}, () => {
  it('with the imports that it needs; those who import it follow', async () => {
    expect(await moved('both', 'lib/b.ts', FILES)).toEqual({
      'a.ts': "import {sep} from 'node:path';\n\nexport const line = sep;\n",
      'c.ts': "import {line} from './a.ts';\nimport {both} from './lib/b.ts';\n\nboth(line, line);\n",
      'd.ts': "import {both as two} from './lib/b.ts';\ntwo('', '');\n",
      'lib/b.ts':
        "import {join} from 'node:path';\nimport type {Name} from '../types/name.ts';\n\nexport const first = both('a', 'b');\n\n/** Joins. */\nexport function both(a: Name, b: Name): string {\n  return join(a, b);\n}\n",
    });
  });

  it('into a new file; its old file imports it where it goes on using it', async () => {
    const files = {'a.ts': 'interface Box {\n  size: number;\n}\n\nexport const box: Box = {size: 1};\n'};
    expect(await moved('Box', 'box.ts', files)).toEqual({
      'a.ts': "import type {Box} from './box';\n\nexport const box: Box = {size: 1};\n",
      'box.ts': 'export interface Box {\n  size: number;\n}\n',
    });
  });

  it('what it needs of its old file is imported from there', async () => {
    const files = {'a.ts': 'export const one = 1;\nexport function plus(x: number) {\n  return x + one;\n}\n', 'b.ts': 'export {};\n'};
    expect(await moved('plus', 'b.ts', files)).toEqual({
      'a.ts': 'export const one = 1;\n',
      'b.ts': "import {one} from './a';\n\nexport {};\n\nexport function plus(x: number) {\n  return x + one;\n}\n",
    });
  });

  it.each([
    ['it uses what its file keeps to itself', 'f', {'a.ts': 'const own = 1;\nexport function f() {\n  return own;\n}\n'}],
    ['both files would import each other', 'f', {'a.ts': 'export const one = 1;\nexport function f() {\n  return one;\n}\nf();\n'}],
    ['the name is taken there', 'f', {'a.ts': 'export function f() {}\n', 'b.ts': 'export const f = 1;\n'}],
    [
      'a name means something else there',
      'f',
      {'a.ts': 'export function f() {\n  return parseInt("1");\n}\n', 'b.ts': 'export const parseInt = 1;\n'},
    ],
    ['it is the default', 'f', {'a.ts': 'export default function f() {}\n'}],
    ['others export it again', 'f', {'a.ts': 'export function f() {}\n', 'c.ts': "export {f} from './a.ts';\n"}],
    ['it is used as a member of its module', 'f', {'a.ts': 'export function f() {}\n', 'c.ts': "import * as a from './a.ts';\na.f();\n"}],
    ['it is exported apart', 'f', {'a.ts': 'function f() {}\nexport {f};\n'}],
    ['these are no ES modules', 'f', {'a.js': 'function f() {}\nmodule.exports = {f};\n'}],
    ['it belongs to a class', 'A.f', {'a.ts': 'export class A {\n  f() {}\n}\n'}],
  ])('refused: %s', async (_, name, files) => {
    expect(await moved(name, 'b.ts', {'b.ts': 'export {};\n', ...files}).catch((error: unknown) => toFettleError(error).code)).toBe(
      'BAD_ARGS',
    );
  });
});

async function moved(name: string, file: string, files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const {symbol, sources} = await indexed(files);
  const read: typeof sources.read = async (path) => {
    if (path in files) return await sources.read(path);
    throw new FettleError({code: 'NOT_FOUND', message: path});
  };
  return afterwards(await moveToFile({symbol: await symbol(name), file}, {...sources, read}));
}
