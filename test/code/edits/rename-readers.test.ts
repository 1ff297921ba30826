import {execFileSync} from 'node:child_process';
import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {afterwards, indexed} from './support.ts';

/** Each in a folder of its own, with names of its own. */
const FILES = {
  'spy/a.ts': 'export function spied() {}\n',
  'spy/a.test.ts': "import * as a from './a';\nspyOn(a, 'spied');\n",
  'mock/a.ts': 'export function mocked() {}\n',
  'mock/a.test.ts': "import {mocked} from './a';\nvi.mock('./a', () => ({mocked: 1}));\nmocked();\n",
  'lazy/a.ts': 'export function lazy() {}\n',
  'lazy/b.ts': "export const b = async () => (await import('./a')).lazy();\n",
  'gen/a.js': 'class Writer {\n  asText() {}\n}\nmodule.exports = Writer;\n',
  'gen/b.js': "module.exports = (writer) => new Function('writer', 'x', 'return writer.asText(x)');\n",
  'bound/a.js': 'function outer() {\n  function bounded() {}\n  return bounded.bind(null);\n}\nexports.outer = outer;\n',
  'bound/a.test.js': 'equal(tree, `\n├── bound bounded 1 ms\n`);\n',
  'snap/a.ts': 'export class Shown {}\n',
  'snap/a.test.ts': 'expect(x).toMatchInlineSnapshot(`\n  Shown {}\n`);\n',
  'snap/b.ts': 'export class Stored {}\n',
  'snap/b.test.ts.snap': 'exports[`b`] = `\nStored {\n}\n`;\n',
  'mix/a.ts': 'export function mixed() {}\nexport type Kept = 1;\nfunction inner() {}\nexport function outside() { inner(); }\n',
  'mix/index.ts': "export * from './a.js';\n",
  'mix/b.ts': "import * as all from './index.js';\nall.outside();\nObject.assign(B.prototype, all);\n",
  'mix/c.js': 'function spread() {}\nmodule.exports = {spread};\n',
  'mix/d.js': "module.exports = {...require('./c')};\n",
  'mix/e.ts': 'export function plain() {}\n',
  'mix/f.ts': "import * as e from './e.ts';\ne.plain();\ne\n  .plain();\nexport {e};\nfunction g(e: string) {\n  return e;\n}\n",
  'names/a.ts': 'export function named() {}\nexport function titled() {}\n',
  'names/a.test.ts':
    "import {all} from './all';\nit('titled', () => {\n  const names = all.map((one) => one.name);\n  expect(names).toEqual(['named']);\n});\n",
  'given/a.ts': 'export interface Tree {\n  childNodes: number;\n  siblings: number;\n  basename: string;\n}\n',
  'given/b.ts': "import * as dom from 'dom';\nimport path from 'node:path';\nexport const a = {tree: dom, log: path.join};\nuse({path});\n",
  'node_modules/dom/index.d.ts': 'export declare function childNodes(): void;\n',
  'keys/a.ts': 'export interface Feed {\n  entries: number;\n  inlined: number;\n}\n',
  'list/a.ts': "export interface Media {\n  bitrate: number;\n}\nconst KEYS = [\n  'bitrate',\n] as const;\n",
  'keys/a.test.ts.snap': 'exports[`c`] = `\n{\n  "entries": 1,\n}\n`;\n',
  'keys/b.test.ts': 'expect(x).toMatchInlineSnapshot(`\n  {\n    "inlined": 1,\n  }\n`);\n',
  'vue/a.ts': 'export function clicked() {}\n',
  'vue/A.vue': "<script setup>\nimport {clicked} from './a';\n</script>\n",
  'html/a.js': 'function pressed() {}\n',
  'html/a.html': '<p>pressed</p>\n<a onclick="pressed()">a</a>\n',
  'zero/a.js': 'function zeroed() {}\nmodule.exports = {zeroed};\n',
  'zero/a.test.js': "require('./a').zeroed();\n// \u0000\n",
  'py/helpers.py': 'def patched():\n    pass\n\n\nLIMIT_A = 1\n',
  'py/test_helpers.py':
    "import helpers\n\n\ndef test(monkeypatch):\n    monkeypatch.setattr(helpers, 'patched', 1)\n\n\nNAMES = [\n    'LIMIT_A',\n]\n",
  'fast/__init__.py': 'from fast.plain import Fasted\n',
  'fast/plain.py': 'from _fast import scan\n\n\nclass Fasted:\n    def folded(self):\n        return scan\n',
  'own/alone.py': 'import threading\nfrom _own import x\nfrom ._version import version\n\n\ndef compiled():\n    return x\n',
  'rel/a.py': 'from ._speedups import speed\n\n\ndef sped():\n    return speed\n',
  'src/b.py': 'from ._here import fast\n\n\ndef seen():\n    return fast\n\n\ndef unseen():\n    return fast\n',
  'src/_here.c': 'PyObject *get(PyObject *m) { return PyObject_GetAttrString(m, "seen"); }\n',
  'load/a.py': 'def loaded():\n    pass\n\n\ndef run():\n    pass\n',
  'load/b.py': "import importlib\n\nm = importlib.import_module('load.a')\nm.loaded()\nrun = 1\n",
  'load/c.py': "exec('''\nmade()\n''')\n",
  'load/d.py': 'def made():\n    pass\n',
  'fix/conftest.py': "import pytest\n\n\n@pytest.fixture(scope='session')\ndef client():\n    pass\n",
  'hint/a.py': "class Hinted:\n    def f(self) -> 'list[Hinted]':\n        return []\n",
  'entry/cli.py': 'def entered():\n    pass\n',
  'entry/pyproject.toml': '[project.scripts]\na = "entry.cli:entered"\n',
  'doc/a.py': 'def told():\n    pass\n',
  'doc/a.rst': 'Text about told.\n\n>>> told()\n',
  'rs/a.rs': 'const LIMIT_B: u32 = 1;\nfn f() {\n    println!("{LIMIT_B}");\n}\n',
  'c/a.c': 'static int macroed(int a) { return a; }\n#define CALL(x) \\\n  macroed(x)\nint f(void) { return CALL(1); }\n',
  'go/a.go': 'package a\n\nfunc Exampled() {}\n',
  'go/a_test.go': 'package a\n\nfunc ExampleExampled() {}\n',
  'rb/a.rb': 'class Foo\n  before_action :auth\n\n  def auth\n  end\nend\n',
  'ex/a.ex': 'defmodule Bar do\n  def applied(x), do: x\n  def go(x), do: apply(__MODULE__, :applied, [x])\nend\n',
  'php/a.php': "<?php\nfunction mapped($x) { return $x; }\narray_map('mapped', [1]);\n",
  'sh/a.sh': 'cleanup() { rm -f x; }\ntrap cleanup EXIT\n',
  'java/A.java': 'class Looked {}\nclass B { Class<?> c = Class.forName("p.Looked"); }\n',
};

describe('issue 6 › rename: refused where something may look for the name', {timeout: 60_000}, () => {
  it('in code that runs or replaces it by its name, and in files that are not indexed', async () => {
    expect(await outcomes(FILES, NAMES)).toEqual({
      spied: 'spy/a.test.ts:2:11',
      mocked: 'mock/a.test.ts:2:24',
      lazy: ['lazy/a.ts', 'lazy/b.ts'],
      'Writer.asText': 'gen/b.js:1:73',
      'outer.bounded': 'bound/a.test.js:2:11',
      Shown: 'snap/a.test.ts:2:3',
      Stored: 'snap/b.test.ts.snap:2:1',
      mixed: 'mix/b.ts:3:28',
      outside: 'mix/b.ts:3:28',
      Kept: ['mix/a.ts'],
      inner: ['mix/a.ts'],
      spread: 'mix/d.js:1:30',
      plain: ['mix/e.ts', 'mix/f.ts'],
      named: 'names/a.test.ts:4:27',
      titled: ['names/a.ts'],
      'Tree.childNodes': 'given/b.ts:3:25',
      'Tree.siblings': ['given/a.ts'],
      'Tree.basename': 'given/b.ts:4:6',
      'Media.bitrate': 'list/a.ts:5:4',
      'Feed.entries': 'keys/a.test.ts.snap:3:1',
      'Feed.inlined': 'keys/b.test.ts:3:6',
      clicked: 'vue/A.vue:2:9',
      pressed: 'html/a.html:2:13',
      zeroed: 'zero/a.test.js:1:16',
      patched: 'py/test_helpers.py:5:35',
      LIMIT_A: 'py/test_helpers.py:9:6',
      Fasted: 'fast/plain.py:1:6',
      'Fasted.folded': 'fast/plain.py:1:6',
      compiled: 'own/alone.py:2:6',
      sped: 'rel/a.py:1:6',
      seen: 'src/_here.c:1:63',
      unseen: ['src/b.py'],
      loaded: 'load/b.py:4:3',
      made: 'load/c.py:2:1',
      client: 'pytest hands it to whoever asks for it by its name',
      Hinted: 'hint/a.py:2:26',
      entered: 'entry/pyproject.toml:2:12',
      told: 'doc/a.rst:3:5',
      LIMIT_B: 'rs/a.rs:3:16',
      macroed: ['c/a.c'],
      Exampled: 'go/a_test.go:3:13',
      'Foo.auth': ['rb/a.rb'],
      'Bar.applied': 'ex/a.ex:3:37',
      mapped: 'php/a.php:3:12',
      cleanup: 'sh/a.sh:2:6',
      Looked: 'java/A.java:2:41',
    });
  });

  it('what a module keeps to itself, no other file names; a module that is loaded by its name is followed', async () => {
    const files = {
      'a.js': "var kept = require('debug')('a');\nfunction shown() { kept(); }\nexports.shown = shown;\n",
      'b.js': "var kept = require('path').resolve;\nvar shown = kept(require('./c').other, x.kept);\n",
      'c.js': 'exports.other = 1;\n',
      'd.ts': 'declare global {\n  interface Wide {}\n}\nfunction made() {}\nexport const f = made;\n',
      'e.ts': "const w: Wide = {};\nexport const g = (await import('node:fs')).made;\n",
      'f.js': 'function everywhere() {}\n',
      'g.js': 'x\n  .y(everywhere);\n',
      'i.js': 'var kept = 1;\nimport(kept);\n',
      'h.js': "function built() {}\nexports.h = new Function('return built()');\n",
      'j.html': '<script>kept()</script>\n',
      'k.ts': 'export function real() {}\nexport function doubled() {}\n',
      'l.ts': 'export const other = 1;\n',
      'l.test.ts':
        "jest.doMock('./l', () => ({other: 2}));\nconst fs = jest.requireActual<any>('node:fs');\nconst {real} = fs;\nreal();\nreal.real;\n",
      'm.test.ts': "vi.mock('./k');\nconst {doubled} = vi.hoisted(() => make());\ndoubled();\n",
    };
    expect(await outcomes(files, ['kept', 'shown', 'made', 'Wide', 'everywhere', 'built', 'real', 'doubled'])).toEqual({
      real: ['k.ts'],
      doubled: 'm.test.ts:2:8',
      kept: ['a.js'],
      shown: ['a.js'],
      made: ['d.ts'],
      Wide: 'e.ts:1:10',
      everywhere: 'g.js:2:6',
      built: 'h.js:2:34',
    });
  });

  it('other texts with that word are no reason', async () => {
    const files = {
      'a.ts': 'export function start() {}\n',
      'b.test.ts': "import {start} from './a';\n// start, then stop\nit('start', () => start());\n",
      'a.html': '<p class="start">start</p>\n',
      'a.yml': 'run: npm start\n',
      'README.md': '`start()`\n\n```\n>>> start()\n```\n',
      'b.py': "def begin():\n    return 'begin'\n\n\n__all__ = ['begin']\n",
      'c.py': "MODES = {'begin': 1}\n",
      'b.rs': 'const FIRST: u32 = 1;\nfn f() {\n    println!("FIRST {}", FIRST);\n}\n',
      'b.sh': '# finish it\nfinish() { :; }\nfinish\n',
      'ignored.vue': "<script>import {start} from './a'</script>\n",
      '.gitignore': 'ignored.vue\n',
    };
    expect(await outcomes(files, ['start', 'begin', 'FIRST', 'finish'])).toEqual({
      start: ['a.ts', 'b.test.ts'],
      begin: ['b.py'],
      FIRST: ['b.rs'],
      finish: ['b.sh'],
    });
  });

  it('what is a pipe or a link in a package is not read', async () => {
    const files = {'a.ts': FILES['given/a.ts'], 'b.ts': FILES['given/b.ts'], 'node_modules/dom/index.js': 'exports.childNodes = 1;\n'};
    const {root, symbol, sources} = await indexed(files);
    execFileSync('mkfifo', [join(root, 'node_modules/dom/pipe.js')]);
    await symlink('/dev/zero', join(root, 'node_modules/dom/zero.js'));
    expect(afterwards(await renameSymbol({symbol: await symbol('Tree.siblings'), newName: 'others'}, sources))).toEqual({
      'a.ts': files['a.ts'].replace('siblings', 'others'),
    });
  });
});

const NAMES =
  'spied mocked lazy Writer.asText outer.bounded Shown Stored mixed outside Kept inner spread plain named titled Tree.childNodes Tree.siblings Tree.basename Media.bitrate Feed.entries Feed.inlined clicked pressed zeroed patched LIMIT_A Fasted Fasted.folded compiled sped seen unseen loaded made client Hinted entered told LIMIT_B macroed Exampled Foo.auth Bar.applied mapped cleanup Looked'.split(
    ' ',
  );

/** By name: the files that would change, or the first reason why none does. */
async function outcomes(files: Readonly<Record<string, string>>, names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const {symbol, sources} = await indexed(files);
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const renaming = renameSymbol({symbol: await symbol(name), newName: 'renamed'}, sources);
    found[name] = await renaming.then(
      (plan) => Object.keys(afterwards(plan)),
      (error: unknown) =>
        /: ([^:]+(?::\d+:\d+)?)[;.][^:]*$/.exec(toFettleError(error).message.split('; ')[0]?.replace(/\.?$/, '.') ?? '')?.[1],
    );
  }
  return found;
}
