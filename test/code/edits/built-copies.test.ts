import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import type {EditSources} from '../../../src/code/edits/edit-plan.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {indexed} from './support.ts';

type Rename = NonNullable<EditSources['servers']>['rename'];

/** How a test takes `start` out of the build output of `src/a.ts`, and the places that stop its rename. */
const REFUSED: readonly (readonly [name: string, files: Readonly<Record<string, string>>, places: string])[] = [
  ['named', {'a.test.ts': "import {start} from './dist/a.js';\nstart();\n"}, 'a.test.ts:1:9; a.test.ts:2:1'],
  ['aliased', {'a.test.ts': "import {start as s} from './dist/a.js';\ns();\n"}, 'a.test.ts:1:9'],
  ['namespace', {'a.test.ts': "import * as lib from './dist/a.js';\nlib.start();\n"}, 'a.test.ts:2:5'],
  ['default', {'a.test.js': "import lib from './dist/a.js';\nlib.start();\n"}, 'a.test.js:2:5'],
  ['required names', {'a.test.cjs': "const {start} = require('./dist/a.cjs');\nstart();\n"}, 'a.test.cjs:1:8; a.test.cjs:2:1'],
  ['required module', {'a.test.js': "const lib = require('./dist/a.js');\nlib.start();\n"}, 'a.test.js:2:5'],
  ['required in place', {'a.test.js': "require('./dist/a.js').start();\n"}, 'a.test.js:1:24'],
  ['computed member', {'a.test.js': "const lib = require('./dist/a.js');\nlib['start']();\n"}, 'a.test.js:2:6'],
  ['dynamic', {'a.test.ts': "const {start} = await import('./dist/a.js');\nstart();\n"}, 'a.test.ts:1:8; a.test.ts:2:1'],
  ['exported again', {'index.ts': "export {start} from './dist/a.js';\n"}, 'index.ts:1:9'],
  [
    'ignored by git',
    {'.gitignore': 'dist/\n', 'dist/a.js': 'export {};\n', 'a.test.ts': "import {start} from './dist/a';\n"},
    'a.test.ts:1:9',
  ],
  ['committed', {'dist/a.js': 'export function start() {}\n', 'a.test.ts': "import {start} from './dist/a.js';\n"}, 'dist/a.js:1:17'],
  ['bundle', {'out/bundle.js': 'function start() {}\nmodule.exports = {start};\n'}, 'out/bundle.js:1:10'],
  ['committed library', {'lib/a.js': 'export function start() {}\n'}, 'lib/a.js:1:17'],
];

const RENAMED: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  ['member of another value', {'b.ts': 'export function f(app: any) {\n  app.start();\n}\n'}],
  [
    'another module of this project',
    {'lib/b.ts': 'export function start() {}\n', 'b.test.ts': "import {start} from './lib/b.js';\nstart();\n"},
  ],
  ['another name of the build output', {'a.test.ts': "import {stop} from './dist/a.js';\nstop();\n"}],
];

describe('issue 6 › a rename that leaves users of build output behind is refused', {timeout: 60_000}, () => {
  it.each(REFUSED)('%s: with a language server that does not know the place, and by the index', async (_, files, places) => {
    const outcomes = await renamedBoth(files);
    expect(outcomes.map((outcome) => /: ([^:]+:\d+:\d+(?:; .*)?)\.$/.exec(outcome)?.[1])).toEqual([places, places]);
  });

  it.each(RENAMED)('%s: is renamed', async (_, files) => {
    expect(await renamedBoth(files)).toEqual(['language server', 'index']);
  });
});

async function renamedBoth(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const {root, sources} = await indexed({'src/a.ts': 'export function start() {}\n', ...files});
  const symbols = await sources.graph.resolve({qualifiedName: 'start'}, sources.signal);
  const symbol = symbols.find(({path}) => path === 'src/a.ts');
  if (symbol === undefined) throw new Error('no symbol start in src/a.ts');
  const rename: Rename = async () => [{file: `${root}/src/a.ts`, range: symbol.nameRange, newText: 'renamed'}];
  const outcomes: string[] = [];
  for (const servers of [{rename}, undefined]) {
    const renaming = renameSymbol({symbol, newName: 'renamed'}, {...sources, servers});
    outcomes.push(await renaming.then(({provedBy}) => provedBy).catch((error: unknown) => toFettleError(error).message));
  }
  return outcomes;
}
