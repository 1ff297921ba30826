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
    ['what Python calls', 'P.__len__', {'a.py': 'class P:\n    def __len__(self):\n        return 1\n'}],
    ['a key that is a text', 'o.a', {'a.js': "var o = {'a': 1};\no.a;\n"}],
    ['a package, which is a folder', 'ships', {'a.go': 'package ships\n'}],
    ['a name in the body of its class', 'C.T', {'a.py': 'class C:\n    T = 1\n    U = f(T)\n'}],
    ['a module under its whole path', 'A', {'h/p.py': 'class A:\n    pass\n', 'm.py': 'import h.p\n\nh.p.A()\n', 'h/__init__.py': ''}],
  ])('%s', async (_, name, files) => {
    expect(await outcome(name, 'other', files)).toBe('NOT_UNIQUE');
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
