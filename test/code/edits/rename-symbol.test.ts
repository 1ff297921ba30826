import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {afterwards, indexed} from './support.ts';

describe('renameSymbol, by the index', {timeout: 60_000}, () => {
  it('every use in every file: calls, imports, exports, types; comments and strings stay', async () => {
    expect(
      await renamed('greet', 'salute', {
        'greet.ts':
          '/** greet says hello. */\nexport function greet(name: string): string {\n  return `greet ${name}`;\n}\nexport {greet as hello};\n',
        'main.ts': "import {greet} from './greet.ts';\n\nconst text: ReturnType<typeof greet> = greet('greet');\n",
        'alias.ts': "import {greet as g} from './greet.ts';\n\ng('x');\n",
        'index.ts': "export {greet} from './greet.ts';\n",
        'far.ts': "import {greet} from './index.ts';\n\ngreet('far');\n",
        'other.ts': 'function greet() {}\n\ngreet();\n',
      }),
    ).toEqual({
      'greet.ts':
        '/** greet says hello. */\nexport function salute(name: string): string {\n  return `greet ${name}`;\n}\nexport {salute as hello};\n',
      'main.ts': "import {salute} from './greet.ts';\n\nconst text: ReturnType<typeof salute> = salute('greet');\n",
      'alias.ts': "import {salute as g} from './greet.ts';\n\ng('x');\n",
      'index.ts': "export {salute} from './greet.ts';\n",
      'far.ts': "import {salute} from './index.ts';\n\nsalute('far');\n",
    });
  });

  it('a comment goes on linking to what is renamed (JSDoc › Inline link)', async () => {
    expect(
      await renamed('greet', 'salute', {
        'a.ts': 'export function greet() {}\n\n/** Not {@link greet}: greet is another. */\nexport function part() {}\n',
      }),
    ).toEqual({'a.ts': 'export function salute() {}\n\n/** Not {@link salute}: greet is another. */\nexport function part() {}\n'});
  });

  it('a shorthand keeps the name of the member', async () => {
    expect(
      await renamed('greet', 'salute', {
        'a.ts': 'function greet() {}\n\nexport const api = {greet};\nexport const run = () => api.greet();\n',
      }),
    ).toEqual({'a.ts': 'function salute() {}\n\nexport const api = {greet: salute};\nexport const run = () => api.greet();\n'});
  });

  it('a shorthand of a member: what it is made of, and taken out as, keeps its name', async () => {
    const text =
      'interface P {\n  a: number;\n}\nconst make = (a: number): P => ({a});\nexport const take = ({a}: P) => a;\nconst {a = 1} = make(2);\nconsole.log(a);\n';
    expect(await renamed('P.a', 'put', {'a.ts': text})).toEqual({
      'a.ts': text.replace('  a: number', '  put: number').replaceAll('{a', '{put: a'),
    });
    const own = 'function a() {}\nconst all = {a, b: 1};\nall.a();\na();\nexport const c = all.b;\n';
    expect(await renamed('all.a', 'put', {'a.ts': own})).toEqual({
      'a.ts': own.replace('{a', '{put: a').replace('all.a', 'all.put'),
    });
  });

  it('a shorthand that nothing else names, and one that others import', async () => {
    expect(await renamed('greet', 'salute', {'a.ts': 'const greet = 1;\nconsole.log({greet}, {...{greet}});\n'})).toEqual({
      'a.ts': 'const salute = 1;\nconsole.log({greet: salute}, {...{greet: salute}});\n',
    });
    expect(
      await renamed('greet', 'salute', {
        'a.js': 'function greet() {}\nmodule.exports = {greet};\n',
        'b.js': "const {greet} = require('./a');\ngreet();\n",
      }),
    ).toEqual({
      'a.js': 'function salute() {}\nmodule.exports = {salute};\n',
      'b.js': "const {salute} = require('./a');\nsalute();\n",
    });
  });

  it('line ends, letters outside of the first plane: every other byte stays', async () => {
    const text = "export function greet() {}\r\nconst a = '😀'; greet();\r\n\tgreet();\n";
    expect(await renamed('greet', 'salute', {'a.ts': text})).toEqual({'a.ts': text.replaceAll('greet', 'salute')});
  });

  it('to another name and back gives the same bytes', async () => {
    const files = {
      'a.ts': 'export class Box {\n  value = 1;\n  static make() {\n    return new Box();\n  }\n}\n',
      'b.ts': "import {Box as B, Box} from './a.ts';\nexport const box = (x: Box) => B.make() ?? x;\nexport {Box} from './a.ts';\n",
    };
    const name = fc
      .stringMatching(/^[a-zA-Z_$][a-zA-Z0-9_$]{3,12}$/)
      .filter((word) => !/^(?:Box|make|value|box|static|return|export|class|const|import|from)$/.test(word));
    await fc.assert(
      fc.asyncProperty(name, async (other) => {
        const there = {...files, ...(await renamed('Box', other, files))};
        expect(there).not.toEqual(files);
        expect({...there, ...(await renamed(other, 'Box', there))}).toEqual(files);
      }),
      {numRuns: 4},
    );
  });

  it('a key of an object whose type is told', async () => {
    const files = {
      'a.ts': 'export interface P {\n  a: number;\n}\n',
      'b.ts': "import type {P} from './a.ts';\nexport const p: P = {a: 1};\nexport function f(): P {\n  return {a: 1};\n}\n",
    };
    expect(await renamed('P.a', 'other', files)).toEqual({
      'a.ts': files['a.ts'].replace('a:', 'other:'),
      'b.ts': files['b.ts'].replaceAll('{a:', '{other:'),
    });
  });

  it('a method through the types of what it is called on', async () => {
    expect(
      await renamed('Server.start', 'open', {
        'server.ts': 'export class Server {\n  start(): void {}\n  again(): void {\n    this.start();\n  }\n}\n',
        'main.ts':
          "import {Server} from './server.ts';\n\nnew Server().start();\nexport function go(server: Server): void {\n  server.start();\n}\n",
        'clock.ts': 'export class Clock {\n  start(): void {}\n}\nnew Clock().start();\n',
      }),
    ).toEqual({
      'server.ts': 'export class Server {\n  open(): void {}\n  again(): void {\n    this.open();\n  }\n}\n',
      'main.ts':
        "import {Server} from './server.ts';\n\nnew Server().open();\nexport function go(server: Server): void {\n  server.open();\n}\n",
    });
  });

  it('Python: functions and classes across modules', async () => {
    expect(
      await renamed('greet', 'salute', {
        'greet.py': 'def greet(name):\n    return name\n',
        'main.py': 'from greet import greet\n\nprint(greet("greet"))\n',
      }),
    ).toEqual({
      'greet.py': 'def salute(name):\n    return name\n',
      'main.py': 'from greet import salute\n\nprint(salute("greet"))\n',
    });
  });
});

describe('what cannot be proved is refused', {timeout: 60_000}, () => {
  const BASE = {'a.ts': 'export function one() {}\nexport function two() {}\none();\n'};
  it.each([
    ['the name is taken in the file', BASE, 'two'],
    [
      'a local variable would hide it',
      {'a.ts': 'export function one() {}\nexport function f(two: number) {\n  one();\n  return two;\n}\n'},
      'two',
    ],
    ['it would capture a name that nobody declares', {'a.ts': 'export function one() {}\nparseInt("1");\n'}, 'parseInt'],
    [
      'the name is taken where it is imported',
      {...BASE, 'b.ts': "import {one} from './a.ts';\nexport function three() {}\none();\nthree();\n"},
      'three',
    ],
    ['the new text would not parse', BASE, 'class'],
  ])('%s', async (_, files, newName) => {
    expect(await refusal('one', newName, files)).toBe('NOT_UNIQUE');
  });

  it.each(['1a', 'a b', '', 'a.b', 'a;'])('%j is no name', async (newName) => {
    expect(await refusal('one', newName, BASE)).toBe('BAD_ARGS');
  });

  it('a member that others override or fulfil', async () => {
    const files = {'a.ts': 'export class A {\n  run() {}\n}\nexport class B extends A {\n  run() {}\n}\n'};
    expect(await refusal('A.run', 'go', files)).toBe('NOT_UNIQUE');
    expect(await refusal('B.run', 'go', files)).toBe('NOT_UNIQUE');
  });

  it.each([
    ['an object of which nothing is known', 'P.a', {'b.ts': 'export const give = (take: any) => take({a: 1});\n'}],
    ['a pattern of something of which nothing is known', 'P.a', {'b.ts': 'export const f = ({a}: any) => a;\n'}],
    ['a shorthand of which nothing is known', 'P.a', {'b.ts': 'export const f = (a: number): any => ({a});\n'}],
    ['a class that has it without being told', 'P.a', {'b.ts': 'export class Q {\n  a = 1;\n}\n'}],
    [
      'a base of which nothing is known',
      'C.run',
      {'b.ts': "import {Base} from 'elsewhere';\nexport class C extends Base {\n  run() {}\n}\n"},
    ],
  ])('a member: %s', async (_, name, files) => {
    expect(await refusal(name, 'other', {'a.ts': 'export interface P {\n  a: number;\n}\n', ...files})).toBe('NOT_UNIQUE');
  });

  it('a name that is written as a member means no function, and one that is not means no member', async () => {
    const files = {'a.ts': 'function log(x: any) {\n  console.log(x);\n  x.log();\n}\nlog(1);\n'};
    expect(await renamed('log', 'note', files)).toEqual({
      'a.ts': files['a.ts'].replace('function log', 'function note').replace('\nlog(1)', '\nnote(1)'),
    });
    const others = {'a.ts': 'export class A {\n  run() {}\n}\n', 'b.ts': 'run();\n'};
    expect(await renamed('A.run', 'go', others)).toEqual({'a.ts': 'export class A {\n  go() {}\n}\n'});
    const module = {'a.py': 'def log():\n    pass\n', 'b.py': 'import somewhere as s\ns.log()\n'};
    expect(await refusal('log', 'note', module)).toBe('NOT_UNIQUE');
  });

  it('a private member of such a class is its own; an equal word in a comment or a string is none', async () => {
    const text =
      "import {Base} from 'elsewhere';\n// run\nexport class C extends Base {\n  private run() {}\n  go() {\n    this.run();\n    return 'run';\n  }\n}\n";
    expect(await renamed('C.run', 'walk', {'b.ts': text})).toEqual({
      'b.ts': text.replace('private run', 'private walk').replace('this.run', 'this.walk'),
    });
  });

  it('uses of which nothing says what they mean', async () => {
    const files = {'a.ts': 'export class A {\n  run() {}\n}\n', 'b.ts': 'export function f(x: any) {\n  x.run();\n}\n'};
    expect(await refusal('A.run', 'go', files)).toBe('NOT_UNIQUE');
  });
});

async function renamed(name: string, newName: string, files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const {symbol, sources} = await indexed(files);
  return afterwards(await renameSymbol({symbol: await symbol(name), newName}, sources));
}

async function refusal(name: string, newName: string, files: Readonly<Record<string, string>>): Promise<string> {
  return await renamed(name, newName, files).then(
    (after) => JSON.stringify(after),
    (error: unknown) => toFettleError(error).code,
  );
}

describe('a language server that overlooks uses of a member (issue 6: refused where it cannot be proved)', () => {
  it('proves nothing: what the index cannot tell is asked about', async () => {
    const {symbol, sources} = await indexed({
      'a.ts': 'export interface P {\n  a: number;\n}\n',
      'b.ts': 'export const f = (x: any) => x.a;\n',
    });
    const edit = {file: `${sources.root}/a.ts`, range: {start: {line: 1, character: 2}, end: {line: 1, character: 3}}, newText: 'other'};
    const renaming = renameSymbol({symbol: await symbol('P.a'), newName: 'other'}, {...sources, servers: {rename: async () => [edit]}});
    await expect(renaming).rejects.toMatchObject({code: 'NOT_UNIQUE'});
  });
});
