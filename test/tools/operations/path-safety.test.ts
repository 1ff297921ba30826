import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {applyEnvelope} from '../../../src/tools/operations/edit/apply-envelope.ts';
import {copyPath} from '../../../src/tools/operations/fs/copy-path.ts';
import {deletePath} from '../../../src/tools/operations/fs/delete-path.ts';
import {editText} from '../../../src/tools/operations/edit/edit-text.ts';
import {makeFolder} from '../../../src/tools/operations/fs/make-folder.ts';
import {movePath} from '../../../src/tools/operations/fs/move-path.ts';
import {pathInfo} from '../../../src/tools/operations/fs/path-info.ts';
import {readMany} from '../../../src/tools/operations/fs/read-many.ts';
import {readFile} from '../../../src/tools/operations/fs/read-file.ts';
import {writeFile} from '../../../src/tools/operations/fs/write-file.ts';
import {confined} from '../../../src/tools/dispatch/confined-workspace.ts';
import type {Operation} from '../../../src/tools/operation.ts';
import {scratch} from '../../support/scratch.ts';
import {treeOf} from '../../workspace/tree.ts';
import {realWorkspace, type RealWorkspace} from '../support/real-context.ts';
import {outcomeOf} from '../support/run-operation.ts';

let work: RealWorkspace;
let outside: string;

beforeEach(async () => {
  outside = await scratch({'secret.txt': 'secret\n', 'folder/x.txt': 'x\n'});
  work = await realWorkspace({'in.txt': 'in\n', 'folder/y.txt': 'y\n'});
  await symlink(outside, join(work.root, 'out'));
  await symlink(join(outside, 'secret.txt'), join(work.root, 'secret-link.txt'));
  await mkdir(join(work.root, 'sub'));
});

const blocks = '<<<<<<< SEARCH\nsecret\n=======\nopen\n>>>>>>> REPLACE\n';
const patches = [{oldText: 'secret', newText: 'open'}];
const envelope = (body: string) => ({patch: `*** Begin Patch\n${body}\n*** End Patch`});

/** As a tool of scope 'inside' runs it. */
function inside<Args, Result>(operation: Operation<Args, Result>, args: Args): Promise<unknown> {
  return outcomeOf(operation, args, {ctx: confined({pathScope: 'inside'}, work.ctx)});
}

/** How each operation is called with a path; as toolsets publish them that stay in the workspace. */
const CALLS: Record<string, (path: string) => Promise<unknown>> = {
  read: (path) => inside(readFile, {path, maxBytes: 1000}),
  'read many': (path) => inside(readMany, {...MANY, patterns: [path]}),
  info: (path) => inside(pathInfo, {path}),
  write: (path) => inside(writeFile, {path, content: 'x', ifChanged: 'overwrite'}),
  append: (path) => inside(writeFile, {path, content: 'x', ifChanged: 'overwrite', mode: 'append'}),
  edit: (path) => inside(editText, {path, edit: {form: 'exact', oldText: 'secret', newText: 'open', replaceAll: false}}),
  blocks: (path) => inside(editText, {path, edit: {form: 'blocks', content: blocks, fuzzy: true, onMultiple: 'first'}}),
  patches: (path) => inside(editText, {path, edit: {form: 'patches', patches}}),
  delete: (path) => work.outcome(deletePath, {path, recursive: true}),
  mkdir: (path) => work.outcome(makeFolder, {path}),
  'move from': (path) => work.outcome(movePath, {source: path, destination: 'stolen'}),
  'move to': (path) => work.outcome(movePath, {source: 'in.txt', destination: path}),
  'copy from': (path) => work.outcome(copyPath, {source: path, destination: 'stolen'}),
  'copy to': (path) => work.outcome(copyPath, {source: 'in.txt', destination: path}),
  'envelope add': (path) => work.outcome(applyEnvelope, envelope(`*** Add File: ${path}\n+x`)),
  'envelope delete': (path) => work.outcome(applyEnvelope, envelope(`*** Delete File: ${path}`)),
  'envelope update': (path) => work.outcome(applyEnvelope, envelope(`*** Update File: ${path}\n-secret\n+open`)),
  'envelope move': (path) => work.outcome(applyEnvelope, envelope(`*** Update File: in.txt\n*** Move to: ${path}\n-in\n+out`)),
};
const MANY = {dialect: 'bash' as const, exclude: [], maxFiles: 10, maxBytesPerFile: 1000, lineNumbers: false};

describe.each(Object.keys(CALLS))('D5.8, zblade tool calls › path safety: %s', (name) => {
  const call = (path: string) => CALLS[name]?.(path);

  it('../x, absolute outside, link inside → outside, "", NUL: refused, nothing changed anywhere', async () => {
    const before = [await treeOf(work.root), await treeOf(outside)];
    const paths = [
      '../x',
      `${outside}/secret.txt`,
      `${outside}/new.txt`,
      'sub/../../x',
      'out/secret.txt',
      'out/new.txt',
      'out/folder',
      '/',
    ];
    for (const path of paths) expect([path, await call(path)]).toEqual([path, expect.objectContaining({code: 'OUTSIDE_SCOPE'})]);
    for (const path of ['', 'a\0b']) expect([path, await call(path)]).toEqual([path, expect.objectContaining({code: 'BAD_ARGS'})]);
    expect(await call('/proc/self/environ')).toMatchObject({code: expect.stringMatching(/^(OUTSIDE_SCOPE|NOT_A_FILE)$/)});
    expect([await treeOf(work.root), await treeOf(outside)]).toEqual(before);
  });

  it('nothing outside changes by way of a link at the end of the path', async () => {
    await call('secret-link.txt');
    await call('out');
    expect(await treeOf(outside)).toEqual({folder: 'folder', 'folder/x.txt': 'x\n', 'secret.txt': 'secret\n'});
  });
});

describe('the workspace itself', () => {
  it.each(['.', './', 'sub/..', 'folder/../.'])('%s is not deleted, moved or copied', async (path) => {
    const before = await treeOf(work.root);
    expect(await CALLS['delete']?.(path)).toMatchObject({code: 'BAD_ARGS', message: `${path} is the workspace itself.`});
    expect(await CALLS['move from']?.(path)).toMatchObject({code: 'BAD_ARGS'});
    expect(await CALLS['copy from']?.(path)).toMatchObject({code: 'BAD_ARGS'});
    expect(await deletePath.resolve({path: work.root, recursive: true}, work.ctx).catch(toFettleError)).toMatchObject({code: 'BAD_ARGS'});
    expect(await treeOf(work.root)).toEqual(before);
  });
});
