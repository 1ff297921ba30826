import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {afterwards, indexed} from './support.ts';

describe('issue 6 › rename: a name that is written twice changes twice', {timeout: 60_000}, () => {
  it('CommonJS: the key under which others import it', async () => {
    expect(
      await renamed('assign', 'put', {
        'a.js': 'var assign = function () {};\nfunction c() {}\nmodule.exports = {\n  assign: assign,\n  c: c\n};\n',
        'b.js': "var a = require('./a');\na.assign();\n",
      }),
    ).toEqual({
      'a.js': 'var put = function () {};\nfunction c() {}\nmodule.exports = {\n  put: put,\n  c: c\n};\n',
      'b.js': "var a = require('./a');\na.put();\n",
    });
    expect(await renamed('a', 'put', {'a.js': 'function a() {}\nmodule.exports.a = a;\n'})).toEqual({
      'a.js': 'function put() {}\nmodule.exports.put = put;\n',
    });
  });

  it('ES modules: an alias that is the same name', async () => {
    expect(await renamed('a', 'put', {'a.ts': 'function a() {}\nexport {a as a, a as b};\n'})).toEqual({
      'a.ts': 'function put() {}\nexport {put as put, put as b};\n',
    });
  });

  it('Python: the texts in __all__, and no others', async () => {
    const text = "__all__ = ['b', 'a',\n           \"a\"]\n\n\ndef a():\n    return 'a'\n";
    expect(await renamed('a', 'put', {'a.py': text})).toEqual({
      'a.py': "__all__ = ['b', 'put',\n           \"put\"]\n\n\ndef put():\n    return 'a'\n",
    });
  });
});

describe('issue 6 › rename: what clearly means something else is no reason to refuse', {timeout: 60_000}, () => {
  it('a function in a function is no member', async () => {
    const a = 'export function f() {\n  function settle() {}\n  settle();\n  return {settle};\n}\n';
    const files = {'a.ts': a, 'b.ts': 'export const b = (settle: () => void, x: any) => ({settle: x.settle});\n'};
    expect(await renamed('f.settle', 'end', files)).toEqual({
      'a.ts': 'export function f() {\n  function end() {}\n  end();\n  return {settle: end};\n}\n',
    });
  });

  it('Python: a constant becomes a variable by its letters', async () => {
    expect(await renamed('EMPTY', 'nothing', {'a.py': "EMPTY = ''\nprint(EMPTY)\n"})).toEqual({
      'a.py': "nothing = ''\nprint(nothing)\n",
    });
  });
});

const TOLD = 'export declare class A {\n  go(): void;\n}\nexport declare function make(): A;\n';

describe('issue 6 › rename: refused where names are read', {timeout: 60_000}, () => {
  it.each([
    ['the keys of an object that goes elsewhere', 'obj.x', {'a.js': 'var obj = {x: 1};\nconsole.log(obj.x, obj);\n'}],
    ['keys that a text reads', 'P.a', {'a.ts': "export interface P {\n  a: number;\n}\nexport type A = P['a'];\n"}],
    ['getattr', 'P.a', {'a.py': "class P:\n    def a(self):\n        pass\n\n\ngetattr(P(), 'a')\n"}],
    [
      'getattr of a computed name',
      'P.on_a',
      {'a.py': "class P:\n    def on_a(self):\n        pass\n\n    def go(self, name):\n        getattr(self, 'on_' + name)()\n"},
    ],
    [
      'a function that a parameter of the one around may be',
      'f.a',
      {'a.py': 'def f(a=None):\n    if a is None:\n        def a():\n            pass\n    return a()\n'},
    ],
    ['or a variable', 'f.a', {'a.py': 'def f(c):\n    a = None\n    if c:\n        def a():\n            pass\n    return a\n'}],
    [
      'a module that its package has because it imports from it',
      'make',
      {
        'pkg/__init__.py': 'from .tools import *\n\ntools.signs.make()\n',
        'pkg/tools.py': 'def run():\n    pass\n',
        'pkg/signs.py': 'def make():\n    pass\n',
      },
    ],
    ['a default with the name of its parameter', 'a', {'a.py': 'a = {}\n\n\ndef f(b, a=a):\n    return a\n'}],
    [
      'what a class looks for in itself by a computed name, though it is used as well',
      'P.ON_A',
      {
        'a.py':
          'class P:\n    def ON_A(self):\n        pass\n\n    ON_B = ON_A\n\n    def go(self, name):\n        getattr(self, name)()\n',
      },
    ],
    ['what Python calls', 'P.__len__', {'a.py': 'class P:\n    def __len__(self):\n        return 1\n'}],
    ['a key that is a text', 'o.a', {'a.js': "var o = {'a': 1};\no.a;\n"}],
    ['a package, which is a folder', 'ships', {'a.go': 'package ships\n'}],
    ['keys of data', 'P.a', {'a.ts': 'export interface P {\n  a: number;\n}\n', 'b.json': '[\n  {"a": 1}\n]\n'}],
    ['a text in JavaScript', 'A.go', {'a.js': "class A {\n  go() {}\n}\nfor (const key of keys) if (key === 'go') use(key);\n"}],
    ['the name of a class while it runs', 'A', {'a.js': "class A {}\nexports.is = (x) => x.constructor.name === 'A';\n"}],
    ['the name of a function while it runs', 'a', {'a.py': "def a():\n    pass\n\n\nassert a.__name__ == 'a'\n"}],
    ['a type that a text of Go shows', 'A', {'a.go': 'package p\n\ntype A struct{}\n\nconst S = "p.A{}"\n'}],
    ['a class that a text of Python shows', 'A', {'a.py': "class A:\n    pass\n\n\nassert repr(A()) == 'A()'\n"}],
    ['an example in a comment that tests run', 'a', {'a.py': 'def a():\n    """\n    >>> a()\n    """\n'}],
    ['an example in the doc comment of Rust', 'a', {'a.rs': '/// ```\n/// a();\n/// ```\npub fn a() {}\n'}],
    [
      'a base of which nothing is known: `_` is a habit only',
      'A._read',
      {'a.js': "const {Readable} = require('node:stream');\nclass A extends Readable {\n  _read() {}\n}\n"},
    ],
    [
      'such a base of a class below',
      'A.run',
      {'a.py': 'from x import Other\n\n\nclass A:\n    def run(self):\n        pass\n\n\nclass B(A, Other):\n    pass\n'},
    ],
    ['code that a .d.ts tells of', 'A.go', {'a.js': 'function A() {}\nA.prototype.go = function () {};\n', 'a.d.ts': TOLD}],
    ['a .d.ts that tells of code', 'A.go', {'a.d.ts': TOLD, 'b.js': 'function A() {}\nA.prototype.go = function () {};\n'}],
    ['a function of a .d.ts, whose code may be anywhere', 'make', {'a.d.ts': TOLD}],
  ])('%s', async (_, name, files) => {
    expect(await outcome(name, 'other', files)).toBe('NOT_UNIQUE');
  });
});

describe('issue 6 › rename: what is proved now', {timeout: 60_000}, () => {
  it('a type in a namespace: what its neighbours extend is no base of it', async () => {
    const text =
      'export namespace n {\n  export interface A extends Promise<string> {}\n  export interface B {}\n  export type C = B;\n}\n';
    expect(await renamed('n.B', 'other', {'a.ts': text})).toEqual({
      'a.ts': text.replace('interface B', 'interface other').replace('= B', '= other'),
    });
  });

  it('Python: a function in a function, also one that is declared twice', async () => {
    const text =
      "def f(c):\n    # a is\n    if c:\n        def a():\n            return c.a\n    else:\n        def a():\n            return 'a'\n    return a()\n";
    expect(await renamed('f.a', 'put', {'a.py': text})).toEqual({
      'a.py': text.replaceAll('def a', 'def put').replace('return a()', 'return put()'),
    });
  });

  it('a computed name changes with the words in it', async () => {
    const text = 'enum Kind {\n  A = 1,\n}\nexport interface Of {\n  [Kind.A]: string;\n}\nexport const of = {[Kind.A]() {}};\n';
    expect(await renamed('Kind', 'Sort', {'a.ts': text})).toEqual({'a.ts': text.replaceAll('Kind', 'Sort')});
    expect(await renamed('Kind.A', 'First', {'a.ts': text})).toEqual({'a.ts': text.replaceAll(/\bA\b/g, 'First')});
  });

  it('Go: the members of another package, and of a value, are none of this one; a method may have the name of a function', async () => {
    const a = 'package p\n\ntype Flag struct{}\n\nfunc Usage() {}\n\nfunc (f *Flag) Int() {}\n\nfunc Int() {}\n';
    const b = 'package p\n\nimport goflag "flag"\n\nfunc Add(flag *goflag.Flag) {\n\tflag.Usage()\n\tInt()\n}\n';
    const files = {'p/a.go': a, 'p/b.go': b};
    expect(await renamed('Flag', 'Option', files)).toEqual({'p/a.go': a.replaceAll('Flag', 'Option')});
    expect(await renamed('Usage', 'Help', files)).toEqual({'p/a.go': a.replace('Usage', 'Help')});
    expect(await renamed('Flag.Int', 'Whole', files)).toEqual({'p/a.go': a.replace(') Int', ') Whole')});
    const back = {'p/a.go': a.replace(') Int', ') Whole')};
    expect(await renamed('Flag.Whole', 'Int', back)).toEqual({'p/a.go': a});
    const other = 'package q\n\nimport "m/p"\n\nfunc Do() {\n\tfor _, one := range p.All() {\n\t\tone.Usage()\n\t}\n}\n';
    expect(await outcome('Usage', 'Help', {...files, 'q/c.go': other})).toBe('NOT_UNIQUE');
  });

  it('Rust and C: what is a member of a value is no function', async () => {
    const rust = 'fn len() -> usize {\n    0\n}\n\nfn f(x: &X) -> usize {\n    x.y().len() + (0..len()).count()\n}\n';
    expect(await renamed('len', 'size', {'a.rs': rust})).toEqual({'a.rs': rust.replace('fn len', 'fn size').replace('..len', '..size')});
    const c = 'int run(void) { return 0; }\nint f(struct x *a) { return a->y.run + a->run + run(); }\n';
    expect(await renamed('run', 'go', {'a.c': c})).toEqual({'a.c': c.replace('int run', 'int go').replace('+ run()', '+ go()')});
  });

  it('members of what the language has mean none of the code: where the type is checked, and of modules of Node', async () => {
    const a = 'export class Ids {\n  has() {}\n}\n';
    const uses =
      "import fs from 'node:fs';\nconst IDS = new Set(['a']);\nclass C {\n  of = new Map<string, number>();\n  f(ids: WeakSet<object>) {\n" +
      "    IDS.has('a');\n    this.of.has('a');\n    ids.has(this);\n    fs.has;\n  }\n}\nnew C().f(new WeakSet());\n";
    expect(await renamed('Ids.has', 'put', {'a.ts': a, 'b.ts': uses})).toEqual({'a.ts': a.replace('has', 'put')});
    const open = {
      'a text that a name may be': "export const f = (ids: Set<string> | Ids) => ids.has('a');\n",
      'what such a type does not have': "export const f = (text: string) => text.has('a');\n",
      'a type of the same name': "import {Set} from './set';\nexport const f = (ids: Set<string>) => ids.has('a');\n",
    };
    for (const [what, text] of Object.entries(open))
      expect([what, await outcome('Ids.has', 'put', {'a.ts': a, 'b.ts': text})]).toEqual([what, 'NOT_UNIQUE']);
    const script = 'let ids = new Set();\nids = other();\nids.has(1);\n';
    expect(await outcome('Ids.has', 'put', {'a.ts': a, 'b.js': script})).toBe('NOT_UNIQUE');
    const added = 'interface Set<T> {\n  has(): void;\n}\nexport const f = (ids: Set<string>) => ids.has();\n';
    expect(await outcome('Set.has', 'put', {'a.ts': added})).toEqual({'a.ts': added.replaceAll('has', 'put')});
  });

  it('a class beside: what it has of the same name is its own', async () => {
    const text = 'class A {}\nclass B extends A {\n  run() {}\n}\nclass C extends A {\n  run() {}\n}\nnew B().run();\nnew C().run();\n';
    expect(await renamed('B.run', 'go', {'a.ts': text})).toEqual({
      'a.ts': text.replace('run() {}', 'go() {}').replace('new B().run', 'new B().go'),
    });
  });

  it('Python: a name in the body of its class, a module under its whole path, __private below a base of which nothing is known', async () => {
    expect(await renamed('C.T', 'other', {'a.py': 'class C:\n    T = 1\n    U = f(T)\n'})).toEqual({
      'a.py': 'class C:\n    other = 1\n    U = f(other)\n',
    });
    const files = {'h/p.py': 'class A:\n    pass\n', 'm.py': 'import h.p\n\nh.p.A()\n', 'h/__init__.py': ''};
    expect(await renamed('A', 'other', files)).toEqual({'h/p.py': 'class other:\n    pass\n', 'm.py': 'import h.p\n\nh.p.other()\n'});
    const text = 'from x import Other\n\n\nclass A(Other):\n    def __run(self):\n        self.__run()\n';
    expect(await renamed('A.__run', '__go', {'a.py': text})).toEqual({'a.py': text.replaceAll('__run', '__go')});
  });
});

async function renamed(name: string, newName: string, files: Readonly<Record<string, string>>) {
  const {symbol, sources} = await indexed(files);
  return afterwards(await renameSymbol({symbol: await symbol(name), newName}, sources));
}

/** The code of the refusal, or the new texts. */
async function outcome(name: string, newName: string, files: Readonly<Record<string, string>>): Promise<unknown> {
  return await renamed(name, newName, files).catch((error: unknown) => toFettleError(error).code);
}
