import {describe, expect, it} from 'vitest';
import {FettleError, toFettleError} from '../../../src/base/errors.ts';
import type {EditSources} from '../../../src/code/edits/edit-plan.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import {afterwards, indexed} from './support.ts';

type Rename = NonNullable<EditSources['servers']>['rename'];
type ServerEdit = NonNullable<Awaited<ReturnType<Rename>>>[number];

const FILES = {
  'a.ts': 'export function start() {}\n',
  'b.ts': "import {start} from './a';\nstart();\n",
  'ignored/c.ts': "import {start} from '../a';\nstart();\n",
  '.gitignore': 'ignored/\n',
};
const BY_INDEX = {
  'a.ts': 'export function renamed() {}\n',
  'b.ts': "import {renamed} from './a';\nrenamed();\n",
};

describe('issue 6 › rename with a language server: what it says is checked', {timeout: 60_000}, () => {
  it('all places: its answer; else the index has the word', async () => {
    const {root, symbol, sources} = await indexed(FILES);
    const a = edit(`${root}/a.ts`, 0, 16);
    const whole = [a, edit(`${root}/b.ts`, 0, 8), edit(`${root}/b.ts`, 1, 0)];
    const answers: Readonly<Record<string, Rename>> = {
      whole: async () => whole,
      outside: async () => [...whole, edit(`${root}/../b.ts`, 0, 8)],
      library: async () => [...whole, edit(`${root}/node_modules/b/b.ts`, 0, 8)],
      'what git ignores': async () => [...whole, edit(`${root}/ignored/c.ts`, 0, 8)],
      'only the open file': async () => [a],
      'an older text': async () => [a, edit(`${root}/b.ts`, 0, 9), edit(`${root}/b.ts`, 1, 0)],
      'a line that is not there': async () => [...whole, edit(`${root}/b.ts`, 7, 0)],
      'says nothing': async () => [],
      dies: async () => {
        throw new FettleError({code: 'UNAVAILABLE', message: 'It is gone.'});
      },
    };
    const start = await symbol('start');
    const found: Record<string, unknown> = {};
    for (const [name, rename] of Object.entries(answers)) {
      const plan = await renameSymbol({symbol: start, newName: 'renamed'}, {...sources, servers: {rename}});
      found[name] = [plan.provedBy, afterwards(plan)];
    }
    const index = ['index', BY_INDEX];
    expect(found).toEqual({
      whole: ['language server', BY_INDEX],
      outside: index,
      library: index,
      'what git ignores': index,
      'only the open file': index,
      'an older text': index,
      'a line that is not there': index,
      'says nothing': index,
      dies: index,
    });
  });

  it('a name that is taken, and one that something looks for, are refused with a server, too', async () => {
    const text = 'export function start() {}\nfunction taken() {}\ntaken();\nstart();\n';
    const user = "import {start} from './a.js';\nequal(start.name, 'start');\n";
    const {root, symbol, sources} = await indexed({'a.js': text, 'b.js': user});
    const rename: Rename = async ({newName}) => [
      edit(`${root}/a.js`, 0, 16, newName),
      edit(`${root}/a.js`, 3, 0, newName),
      edit(`${root}/b.js`, 0, 8, newName),
      edit(`${root}/b.js`, 1, 6, newName),
    ];
    const outcome = async (newName: string): Promise<unknown> =>
      await renameSymbol({symbol: await symbol('start'), newName}, {...sources, servers: {rename}}).catch(
        (error: unknown) => toFettleError(error).message,
      );
    expect([await outcome('taken'), await outcome('renamed')]).toMatchInlineSnapshot(`
      [
        "start is not renamed: it would change what the code means: in a.js the name taken already means something else.",
        "start is not renamed: texts that are read while it runs, or run as tests, have its name: b.js:2:7.",
      ]
    `);
  });

  it('a text that it would change because of its type is data as well, but not where it names a member', async () => {
    const {root, symbol, sources} = await indexed({'a.ts': "export interface P {\n  start: 1;\n}\nconst KEYS = ['start'] as const;\n"});
    const rename: Rename = async () => [edit(`${root}/a.ts`, 1, 2), edit(`${root}/a.ts`, 3, 15)];
    const renaming = renameSymbol({symbol: await symbol('P.start'), newName: 'renamed'}, {...sources, servers: {rename}});
    await expect(renaming).rejects.toMatchObject({
      code: 'NOT_UNIQUE',
      message: expect.stringContaining('data as well: a.ts:4:16') as string,
    });
    const other = await indexed({'a.ts': "export interface P {\n  start: 1;\n}\nexport type A = P['start'];\n"});
    const both: Rename = async () => [edit(`${other.root}/a.ts`, 1, 2), edit(`${other.root}/a.ts`, 3, 19)];
    const plan = await renameSymbol(
      {symbol: await other.symbol('P.start'), newName: 'renamed'},
      {...other.sources, servers: {rename: both}},
    );
    expect(afterwards(plan)).toEqual({'a.ts': "export interface P {\n  renamed: 1;\n}\nexport type A = P['renamed'];\n"});
  });

  it('a server that hangs: who asked can leave', async () => {
    const {symbol, sources} = await indexed(FILES);
    const leaving = new AbortController();
    const rename: Rename = async (_, signal) => {
      queueMicrotask(() => leaving.abort());
      return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(toFettleError(signal.reason))));
    };
    const renaming = renameSymbol(
      {symbol: await symbol('start'), newName: 'renamed'},
      {...sources, signal: leaving.signal, servers: {rename}},
    );
    await expect(renaming).rejects.toMatchObject({code: 'CANCELLED'});
  });
});

function edit(file: string, line: number, character: number, newText = 'renamed'): ServerEdit {
  return {file, range: {start: {line, character}, end: {line, character: character + 'start'.length}}, newText};
}
