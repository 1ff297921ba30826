import nodeFs from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {treeOf} from '../../../workspace/checkpoints/support.ts';
import {ALLOW_ALL} from '../../support/open-toolset.ts';
import {withIndex} from '../../support/with-index.ts';

const FILES = {
  'greet.ts': 'export function greet(): string {\n  return "hello";\n}\n',
  'main.ts': "import {greet} from './greet.ts';\n\ngreet();\n",
};
const RENAME = {action: 'rename', symbol: 'greet', new_name: 'salute'};
const RENAMED = {
  'greet.ts': FILES['greet.ts'].replace('greet', 'salute'),
  'main.ts': "import {salute} from './greet.ts';\n\nsalute();\n",
};

async function contents(root: string, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'latin1')] as const)));
}

afterEach(() => void vi.restoreAllMocks());

describe('edit_symbol', {timeout: 60_000}, () => {
  it('a rename in two files: told as a preview first, then done, each file as a change', async () => {
    const {call, text, root} = await withIndex('fettle', FILES);
    expect(await text('edit_symbol', {...RENAME, preview: true})).toBe(`rename greet.ts::greet#function: 2 files, proved by index
--- a/greet.ts
+++ b/greet.ts
@@ -1,3 +1,3 @@
-export function greet(): string {
+export function salute(): string {
   return "hello";
 }
--- a/main.ts
+++ b/main.ts
@@ -1,3 +1,3 @@
-import {greet} from './greet.ts';
+import {salute} from './greet.ts';
 
-greet();
+salute();
`);
    expect(await contents(root, Object.keys(FILES))).toEqual(FILES);
    const done = await call('edit_symbol', RENAME);
    expect(done.text).toBe('Done: rename greet.ts::greet#function: 2 files, proved by index.\ngreet.ts\nmain.ts');
    expect(done.changes).toEqual([
      {path: join(root, 'greet.ts'), kind: 'update'},
      {path: join(root, 'main.ts'), kind: 'update'},
    ]);
    expect(await contents(root, Object.keys(FILES))).toEqual(RENAMED);
  });

  it.each([
    ['CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['a byte order mark', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Latin-1', (text: string) => Buffer.from(`${text}// caf\u00e9\n`, 'latin1')],
  ])('every byte of a file in %s that is not a name stays', async (_, encode) => {
    const files = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, encode(text)]));
    const {call, root} = await withIndex('fettle', files);
    const done = await call('edit_symbol', RENAME);
    const after = Object.fromEntries(Object.entries(RENAMED).map(([name, text]) => [name, encode(text).toString('latin1')]));
    const before = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, bytes.toString('latin1')]));
    // What is not indexed cannot be renamed; then nothing is touched.
    expect(await contents(root, Object.keys(FILES))).toEqual(done.isError ? before : after);
    expect([_, done.isError]).toEqual([_, _ === 'UTF-16']);
  });

  it('a write that fails in the middle: nothing is changed', async () => {
    const {call, root} = await withIndex('fettle', FILES);
    const before = treeOf(root);
    const {renameSync} = nodeFs;
    let done = 0;
    vi.spyOn(nodeFs, 'renameSync').mockImplementation((from, to) => {
      done += 1;
      if (done === 2) throw Object.assign(new Error('EIO: i/o error'), {code: 'EIO'});
      renameSync(from, to);
    });
    expect((await call('edit_symbol', RENAME)).isError).toBe(true);
    // The first one, the one that failed, and the first one again.
    expect([done, treeOf(root)]).toEqual([3, before]);
  });

  it('STALE: a file that changes while a person decides is not written, nor is any other', async () => {
    const changed = `${FILES['main.ts']}greet();\n`;
    const {call, root} = await withIndex('fettle', FILES, {
      policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}),
      approve: async () => {
        await writeFile(join(root, 'main.ts'), changed);
        return {decision: 'allow'};
      },
    });
    expect((await call('edit_symbol', RENAME)).structured).toMatchObject({code: 'STALE'});
    expect(await contents(root, Object.keys(FILES))).toEqual({...FILES, 'main.ts': changed});
  });

  it('a person is asked about every file; what rules deny in one of them is done in none', async () => {
    const asked: (readonly string[])[] = [];
    const denied = await withIndex('fettle', FILES, {
      policy: () => ({...ALLOW_ALL, rules: [{text: 'edit:main.ts', effect: 'deny', source: 'user'}]}),
    });
    expect((await denied.call('edit_symbol', RENAME)).structured).toMatchObject({code: 'DENIED'});
    expect(await contents(denied.root, Object.keys(FILES))).toEqual(FILES);
    const protectedFiles = {
      'greet.ts': FILES['greet.ts'],
      '.github/main.ts': "import {greet} from '../greet.ts';\n\ngreet();\n",
      '.vscode/a.ts': "import {greet} from '../greet.ts';\n",
    };
    const {call} = await withIndex('fettle', protectedFiles, {
      policy: () => ({mode: 'accept-edits', rules: [], fallback: 'ask'}),
      approve: async ({subjects}) => {
        asked.push(subjects.flatMap((subject) => (subject.kind === 'path' ? subject.relative : [])));
        return {decision: 'deny'};
      },
    });
    expect((await call('edit_symbol', RENAME)).structured).toMatchObject({code: 'DENIED'});
    expect(asked).toEqual([['.github/main.ts', '.vscode/a.ts', 'greet.ts']]);
  });

  it('semantic_patch of apply_patch is the same change (zblade tool calls › apply_patch)', async () => {
    const {call, root} = await withIndex('blade', FILES);
    const patch = {id: 'p', description: 'd', file_path: 'greet.ts', operation: 'replace', target: {name: 'greet', type: 'function'}};
    const done = await call('apply_patch', {semantic_patch: {...patch, content: 'export function greet(): string {\n  return "hi";\n}'}});
    expect([done.isError, done.changes]).toEqual([false, [{path: join(root, 'greet.ts'), kind: 'update'}]]);
    expect(await contents(root, Object.keys(FILES))).toEqual({...FILES, 'greet.ts': FILES['greet.ts'].replace('hello', 'hi')});
  });
});
