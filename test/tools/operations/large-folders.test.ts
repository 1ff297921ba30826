import {mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Policy} from '../../../src/policy/decision.ts';
import type {ApprovalRequest} from '../../../src/tools/dispatch/dispatch.ts';
import {treeFiles} from '../../../src/workspace/tree-files.ts';
import {scratch} from '../../support/scratch.ts';
import {ALLOW_ALL, openToolset} from '../support/open-toolset.ts';

const COUNT = 5100;

async function large(): Promise<string> {
  const root = await scratch({'big/deep/last.pem': ''});
  await Promise.all(Array.from({length: COUNT}, (_, index) => writeFile(join(root, `big/${index}.txt`), '')));
  return root;
}

describe('folders of more than 5,000 files', () => {
  it('are moved and deleted; the folder stands for its files in what is told', async () => {
    const root = await large();
    const tools = await openToolset('blade', root);
    const moved = await tools.call('move_file', {source: 'big', destination: 'moved'});
    expect([moved.outcome, moved.changes]).toEqual([
      'success',
      [
        {path: join(root, 'big'), kind: 'delete'},
        {path: join(root, 'moved'), kind: 'add'},
      ],
    ]);
    expect(await readdir(join(root, 'moved'))).toHaveLength(COUNT + 1);
    const deleted = await tools.call('delete_file', {path: 'moved', recursive: true});
    expect([deleted.outcome, deleted.changes]).toEqual(['success', [{path: join(root, 'moved'), kind: 'delete'}]]);
  });

  it('each file is judged: a rule for the last one holds for all', async () => {
    const root = await large();
    const policy: Policy = {...ALLOW_ALL, rules: [{text: 'write:*.pem', effect: 'deny', source: 'test'}]};
    const tools = await openToolset('blade', root, {policy: () => policy});
    expect((await tools.call('move_file', {source: 'big', destination: 'moved'})).outcome).toBe('denied');
    expect((await tools.call('delete_file', {path: 'big', recursive: true})).outcome).toBe('denied');
    expect((await readdir(root)).toSorted()).toEqual(['big']);
  });

  it('a person is shown the first 50 names, and how many more there are', async () => {
    const asked: ApprovalRequest[] = [];
    const tools = await openToolset('blade', await large(), {
      policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}),
      approve: async (request) => {
        asked.push(request);
        return {decision: 'deny'};
      },
    });
    await tools.call('delete_file', {path: 'big', recursive: true});
    const subjects = asked[0]?.subjects ?? [];
    expect([subjects.length, subjects.at(-1)]).toEqual([51, {kind: 'name', name: `… and ${COUNT + 2 - 50} more`}]);
  });
});

describe('treeFiles', () => {
  const never = new AbortController().signal;

  it('has a bound for files and folders together, and for its time', async () => {
    const root = await scratch({'a/b.txt': ''});
    await mkdir(join(root, 'a/empty/deeper'), {recursive: true});
    expect(await treeFiles(root, {maxEntries: 4, timeoutMs: 5000}, never)).toEqual([join(root, 'a/b.txt')]);
    await expect(treeFiles(root, {maxEntries: 3, timeoutMs: 5000}, never)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: `${root} holds more than 3 files and folders. Nothing was changed.`,
    });
    await expect(treeFiles(root, {maxEntries: 9, timeoutMs: -1}, never)).rejects.toMatchObject({code: 'TIMEOUT'});
  });
});
