import {mkdir, rename, rm, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import type {Operation} from '../../../src/tools/operation.ts';
import {applyEnvelope} from '../../../src/tools/operations/edit/apply-envelope.ts';
import {editText} from '../../../src/tools/operations/edit/edit-text.ts';
import {ended} from '../../../src/tools/operations/exec/exit-result.ts';
import {copyPath} from '../../../src/tools/operations/fs/copy-path.ts';
import {deletePath} from '../../../src/tools/operations/fs/delete-path.ts';
import {listFolderOperation} from '../../../src/tools/operations/fs/list-folder.ts';
import {makeFolder} from '../../../src/tools/operations/fs/make-folder.ts';
import {movePath} from '../../../src/tools/operations/fs/move-path.ts';
import {pathInfo} from '../../../src/tools/operations/fs/path-info.ts';
import {readFile} from '../../../src/tools/operations/fs/read-file.ts';
import {readMany} from '../../../src/tools/operations/fs/read-many.ts';
import {writeFile} from '../../../src/tools/operations/fs/write-file.ts';
import {findFilesOperation} from '../../../src/tools/operations/search/find-files.ts';
import {findNames} from '../../../src/tools/operations/search/find-names.ts';
import {searchText} from '../../../src/tools/operations/search/search-text.ts';
import {scratch} from '../../support/scratch.ts';
import {treeOf} from '../../workspace/tree.ts';
import {realWorkspace, type RealWorkspace} from '../support/real-context.ts';

let work: RealWorkspace;
let outside: string;

beforeEach(async () => {
  outside = await scratch({'in.txt': 'secret\n', 'deep/x.txt': 'secret\n'});
  work = await realWorkspace({'sub/in.txt': 'in\n', 'sub/deep/x.txt': 'x\n', 'other.txt': 'other\n'});
});

type Deed = () => Promise<unknown>;

/** Resolves an operation, and gives what runs it: between the two stands the decision of a person. */
async function resolved<Args, Result>(operation: Operation<Args, Result>, args: Args): Promise<Deed> {
  const {run} = await operation.resolve(args, work.ctx);
  return async () => await ended(run(work.ctx));
}

const MANY = {dialect: 'bash' as const, exclude: [], maxFiles: 10, maxBytesPerFile: 1000, lineNumbers: false};
const envelope = (body: string) => ({patch: `*** Begin Patch\n${body}\n*** End Patch`});
const exact = {form: 'exact' as const, oldText: 'in', newText: 'out', replaceAll: false};

/** How each operation is called with a file; those that are told of its folder take that one. */
const OF_FILE: Record<string, (path: string) => Promise<Deed>> = {
  read: (path) => resolved(readFile, {path, maxBytes: 1000}),
  'read whole': (path) => resolved(readFile, {path, maxBytes: 1000, whole: true}),
  'read many': (path) => resolved(readMany, {...MANY, patterns: [path]}),
  info: (path) => resolved(pathInfo, {path}),
  grep: (path) => resolved(searchText, {path, pattern: '.', maxMatches: 10, maxLineChars: 100}),
  write: (path) => resolved(writeFile, {path, content: 'x', ifChanged: 'overwrite'}),
  append: (path) => resolved(writeFile, {path, content: 'x', ifChanged: 'overwrite', mode: 'append'}),
  edit: (path) => resolved(editText, {path, edit: exact}),
  'envelope update': (path) => resolved(applyEnvelope, envelope(`*** Update File: ${path}\n-in\n+out`)),
};

const IN_FOLDER: Record<string, (folder: string) => Promise<Deed>> = {
  ...Object.fromEntries(Object.entries(OF_FILE).map(([name, call]) => [name, (folder: string) => call(`${folder}/in.txt`)])),
  list: (path) => resolved(listFolderOperation, {path, limit: 10, hidden: false}),
  glob: (path) => resolved(findFilesOperation, {path, pattern: '*', dialect: 'gitignore', order: 'path', limit: 10, hidden: false}),
  'find names': (path) => resolved(findNames, {path, part: 'x', limit: 10}),
  'grep in it': (path) => resolved(searchText, {path, pattern: '.', maxMatches: 10, maxLineChars: 100}),
  'write a new file': (path) => resolved(writeFile, {path: `${path}/new.txt`, content: 'x', ifChanged: 'overwrite'}),
  mkdir: (path) => resolved(makeFolder, {path: `${path}/new/deep`}),
  delete: (path) => resolved(deletePath, {path: `${path}/in.txt`, recursive: false}),
  'delete a folder': (path) => resolved(deletePath, {path: `${path}/deep`, recursive: true}),
  'move from': (path) => resolved(movePath, {source: `${path}/in.txt`, destination: 'stolen.txt'}),
  'move to': (path) => resolved(movePath, {source: 'other.txt', destination: `${path}/new.txt`}),
  'copy from': (path) => resolved(copyPath, {source: `${path}/in.txt`, destination: 'stolen.txt'}),
  'copy to': (path) => resolved(copyPath, {source: 'other.txt', destination: `${path}/new.txt`}),
  'envelope add': (path) => resolved(applyEnvelope, envelope(`*** Add File: ${path}/new.txt\n+x`)),
  'envelope delete': (path) => resolved(applyEnvelope, envelope(`*** Delete File: ${path}/in.txt`)),
  'envelope move': (path) => resolved(applyEnvelope, envelope(`*** Update File: other.txt\n*** Move to: ${path}/new.txt\n-other\n+x`)),
};

/** Nothing of what is outside was told or changed, and nothing came into the workspace. */
async function expectRefused(deed: Deed): Promise<void> {
  const before = [await treeOf(outside), await treeOf(work.root)];
  const outcome = await deed().catch(toFettleError);
  expect([outcome, [await treeOf(outside), await treeOf(work.root)]]).toEqual([expect.objectContaining({code: 'STALE'}), before]);
  expect(JSON.stringify(outcome)).not.toContain('secret');
}

describe('a path that leads elsewhere since it was judged (CVE-2026-39861, CVE-2026-21523)', () => {
  it.each(Object.keys(IN_FOLDER))('%s: its folder was swapped for a link', async (name) => {
    const deed = await IN_FOLDER[name]?.('sub');
    await rename(join(work.root, 'sub'), join(await scratch({}), 'sub'));
    await symlink(outside, join(work.root, 'sub'));
    if (deed !== undefined) await expectRefused(deed);
  });

  it.each(Object.keys(OF_FILE))('%s: the file itself was swapped for a link', async (name) => {
    const deed = await OF_FILE[name]?.('sub/in.txt');
    await rm(join(work.root, 'sub/in.txt'));
    await symlink(join(outside, 'in.txt'), join(work.root, 'sub/in.txt'));
    if (deed !== undefined) await expectRefused(deed);
  });

  it('a file that was judged is not deleted as the folder that took its place', async () => {
    const deed = await resolved(deletePath, {path: 'sub/in.txt', recursive: false});
    await rm(join(work.root, 'sub/in.txt'));
    await mkdir(join(work.root, 'sub/in.txt/kept'), {recursive: true});
    await expectRefused(deed);
  });
});
