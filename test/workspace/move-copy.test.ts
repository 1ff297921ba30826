import {chmod, mkdir, stat, symlink, writeFile} from 'node:fs/promises';
import nodeFs from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {copyEntry, type EntryFs} from '../../src/workspace/copy-entry.ts';
import {deleteEntry} from '../../src/workspace/delete-entry.ts';
import {moveEntry} from '../../src/workspace/move-entry.ts';
import {treeFiles} from '../../src/workspace/tree-files.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from './tree.ts';

const {signal} = new AbortController();
const systemError = (code: string) => Object.assign(new Error(`${code}: injected`), {code});

async function sample(): Promise<string> {
  const root = await scratch({'from/run.sh': 'sh', 'from/deep/a.txt': 'a', 'other.txt': 'o'});
  await chmod(join(root, 'from/run.sh'), 0o750);
  await symlink('../other.txt', join(root, 'from/link'));
  await symlink('nowhere', join(root, 'from/dangling'));
  await mkdir(join(root, 'from/empty'));
  return root;
}

const COPIED = {
  'to/here': 'folder',
  'to/here/dangling': '-> nowhere',
  'to/here/deep': 'folder',
  'to/here/deep/a.txt': 'a',
  'to/here/empty': 'folder',
  'to/here/link': '-> ../other.txt',
  'to/here/run.sh': 'sh',
};

describe('copyEntry', () => {
  it('copies trees with modes, links as links, and makes the folders above', async () => {
    const root = await sample();
    await copyEntry(join(root, 'from'), join(root, 'to/here'), signal);
    expect(await treeOf(root)).toMatchObject({...COPIED, 'from/run.sh': 'sh'});
    expect((await stat(join(root, 'to/here/run.sh'))).mode & 0o777).toBe(0o750);
  });
  it('copies a link alone as a link, a file as a file', async () => {
    const root = await sample();
    await copyEntry(join(root, 'from/link'), join(root, 'link'), signal);
    await copyEntry(join(root, 'from/run.sh'), join(root, 'run.sh'), signal);
    expect(await treeOf(root)).toMatchObject({link: '-> ../other.txt', 'run.sh': 'sh'});
  });
  it('never replaces, and leaves nothing half-made', async () => {
    const root = await sample();
    const before = await treeOf(root);
    await expect(copyEntry(join(root, 'from'), join(root, 'other.txt'), signal)).rejects.toMatchObject({code: 'BAD_ARGS'});
    const late: EntryFs = {...nodeFs, rename: () => Promise.reject(systemError('EIO'))};
    await expect(copyEntry(join(root, 'from'), join(root, 'to'), signal, late)).rejects.toMatchObject({code: 'IO'});
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('moveEntry', () => {
  it('moves trees', async () => {
    const root = await sample();
    await moveEntry(join(root, 'from'), join(root, 'to/here'), signal);
    expect(await treeOf(root)).toEqual({...COPIED, to: 'folder', 'other.txt': 'o'});
  });
  it('to another device: copies, then deletes', async () => {
    const root = await sample();
    const fs: EntryFs = {...nodeFs, rename: () => Promise.reject(systemError('EXDEV'))};
    await moveEntry(join(root, 'from'), join(root, 'to/here'), signal, fs);
    expect(await treeOf(root)).toEqual({...COPIED, to: 'folder', 'other.txt': 'o'});
    expect((await stat(join(root, 'to/here/run.sh'))).mode & 0o777).toBe(0o750);
  });
  it('to another device that is full: the original stays', async () => {
    const root = await sample();
    const before = await treeOf(root);
    const fs: EntryFs = {...nodeFs, rename: () => Promise.reject(systemError('EXDEV')), open: () => Promise.reject(systemError('ENOSPC'))};
    await expect(moveEntry(join(root, 'from'), join(root, 'to'), signal, fs)).rejects.toMatchObject({code: 'IO'});
    expect(await treeOf(root)).toEqual(before);
  });
  it('never replaces', async () => {
    const root = await sample();
    const before = await treeOf(root);
    await expect(moveEntry(join(root, 'from/run.sh'), join(root, 'other.txt'), signal)).rejects.toMatchObject({code: 'BAD_ARGS'});
    expect(await treeOf(root)).toEqual(before);
  });
});

describe('deleteEntry and treeFiles', () => {
  it('links are deleted, never what they lead to; files below are listed without following', async () => {
    const root = await sample();
    const outside = await scratch({'kept.txt': 'kept'});
    await symlink(outside, join(root, 'from/out'));
    expect(await treeFiles(join(root, 'from'), {maxEntries: 100, timeoutMs: 5000}, signal)).toEqual(
      ['dangling', 'deep/a.txt', 'link', 'out', 'run.sh'].map((path) => join(root, 'from', path)),
    );
    await expect(treeFiles(join(root, 'from'), {maxEntries: 4, timeoutMs: 5000}, signal)).rejects.toMatchObject({code: 'TOO_LARGE'});
    await deleteEntry(join(root, 'from/link'), signal);
    expect(await treeOf(root)).toMatchObject({'other.txt': 'o'});
    await deleteEntry(join(root, 'from'), signal);
    expect(await treeOf(root)).toEqual({'other.txt': 'o'});
    expect(await treeOf(outside)).toEqual({'kept.txt': 'kept'});
  });
  it('is cancelled before anything happens', async () => {
    const root = await sample();
    await writeFile(join(root, 'x'), '');
    await expect(deleteEntry(join(root, 'x'), AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await treeOf(root)).toMatchObject({x: ''});
  });
});
