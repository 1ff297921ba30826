import {execFileSync} from 'node:child_process';
import {chmod, mkdir, rename, symlink, truncate} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {treeDigest} from '../../../src/lab/suite/tree-digest.ts';
import {scratch} from '../../support/scratch.ts';

const SIGNAL = new AbortController().signal;

async function problemOf(folder: string, limits?: Parameters<typeof treeDigest>[2]): Promise<string> {
  const problem = await treeDigest(folder, SIGNAL, limits).then(
    () => 'none',
    (error: Error) => error.message,
  );
  return problem.replaceAll(folder, 'TREE');
}

describe('the digest of a tree', () => {
  it('tells contents, names, executable bits and links', async () => {
    const folder = await scratch({'a/x': '1', 'a/y/z': '2'});
    const seen: string[] = [];
    const note = async (): Promise<unknown> => seen.push(await treeDigest(folder, SIGNAL));
    await note();
    await note();
    await chmod(join(folder, 'a/x'), 0o755);
    await note();
    await rename(join(folder, 'a/x'), join(folder, 'a/w'));
    await note();
    await symlink('w', join(folder, 'a/x'));
    await note();
    await mkdir(join(folder, 'b'));
    await note();
    expect(seen[1]).toBe(seen[0]);
    expect(new Set(seen).size).toBe(seen.length - 1);
  });

  it('allows links that stay in the tree', async () => {
    const folder = await scratch({'a/x': '1'});
    await symlink('../a/x', join(folder, 'a/inner'));
    await symlink('gone', join(folder, 'dangling'));
    expect(await problemOf(folder)).toBe('none');
  });

  it.each([
    ['..', 'TREE/l: a link that leads out of TREE (to ..)'],
    ['../other', 'TREE/l: a link that leads out of TREE (to ../other)'],
    ['/etc/passwd', 'TREE/l: a link that leads out of TREE (to /etc/passwd)'],
  ])('refuses a link to %s', async (target, problem) => {
    const folder = await scratch();
    await symlink(target, join(folder, 'l'));
    expect(await problemOf(folder)).toBe(problem);
  });

  it('refuses a link that leads out by way of another link, and an absolute one that leads back', async () => {
    const folder = await scratch({'a/b/c/x': ''});
    await symlink('a/b/c', join(folder, 'deep'));
    expect(await problemOf(folder)).toBe('none');
    await symlink('deep/../../../..', join(folder, 'out'));
    expect(await problemOf(folder)).toBe('TREE/out: a link that leads out of TREE (to deep/../../../..)');
    const other = await scratch({x: ''});
    await symlink(join(other, 'x'), join(other, 'y'));
    expect(await problemOf(other)).toBe('TREE/y: a link that leads out of TREE (to TREE/x)');
    expect(await problemOf(join(other, 'y'))).toMatch(/a link that leads out/);
  });

  it('refuses FIFOs at once', async () => {
    const folder = await scratch();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await problemOf(folder)).toBe('TREE/pipe: a device, socket or FIFO, which a task may not have');
  });

  it('refuses more than its limits, without reading it', async () => {
    const folder = await scratch({a: '12345', b: '12345'});
    const limits = {entries: 3, fileBytes: 5, totalBytes: 10};
    expect(await problemOf(folder, limits)).toBe('none');
    expect(await problemOf(folder, {...limits, entries: 2})).toBe('TREE: more than 2 entries');
    expect(await problemOf(folder, {...limits, fileBytes: 4})).toBe('TREE/a: 5 bytes, at most 4');
    expect(await problemOf(folder, {...limits, totalBytes: 9})).toBe('TREE: more than 9 bytes');
    await truncate(join(folder, 'a'), 2 ** 40);
    expect(await problemOf(folder)).toBe('TREE/a: 1099511627776 bytes, at most 268435456');
  });
});
