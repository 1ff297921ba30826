import {mkdir, readdir, readFile, readlink, stat, symlink, chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {mergeTests} from '../../../../src/lab/rollout/tree/merge-tests.ts';
import {scratch} from '../../../support/scratch.ts';

async function entriesOf(folder: string): Promise<string[]> {
  return (await readdir(folder, {recursive: true})).toSorted();
}

describe('hidden tests', () => {
  it('are merged in order, over what stands there, with modes and links', async () => {
    const [first, second, root] = await Promise.all([
      scratch({'a.sh': 'first', 'sub/b.txt': 'first'}),
      scratch({'sub/b.txt': 'second'}),
      scratch({'tests/a.sh': 'agent', 'tests/own.txt': 'agent'}),
    ]);
    await chmod(join(first, 'a.sh'), 0o755);
    await symlink('a.sh', join(first, 'link'));
    await mergeTests([first, second], {root, to: ['tests']});
    expect(await entriesOf(join(root, 'tests'))).toEqual(['a.sh', 'link', 'own.txt', 'sub', 'sub/b.txt']);
    expect(await readFile(join(root, 'tests/a.sh'), 'utf8')).toBe('first');
    expect((await stat(join(root, 'tests/a.sh'))).mode & 0o111).toBe(0o111);
    expect(await readlink(join(root, 'tests/link'))).toBe('a.sh');
    expect(await readFile(join(root, 'tests/sub/b.txt'), 'utf8')).toBe('second');
  });

  it('can be written by their owner, also if the suite is read-only', async () => {
    const [suite, root] = await Promise.all([scratch({'run.sh': 'x'}), scratch()]);
    await chmod(join(suite, 'run.sh'), 0o555);
    await mergeTests([suite], {root, to: []});
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
  });

  it('can be read by their owner, also where root has read files that nobody else can', async () => {
    const [suite, root] = await Promise.all([scratch({'run.sh': 'x'}), scratch()]);
    await chmod(join(suite, 'run.sh'), 0o200);
    // As root any file can be copied; others cannot read the suite in the first place.
    const copied = await mergeTests([suite], {root, to: []}).then(
      async () => (await stat(join(root, 'run.sh'))).mode & 0o777,
      () => 0o600,
    );
    expect(copied).toBe(0o600);
  });

  it('never go through a link: into another folder, over a file elsewhere, or from a file that is a folder', async () => {
    const tests = await scratch({'a.txt': 'test', 'sub/b.txt': 'test', 'c.txt': 'test'});
    const outside = await scratch({'a.txt': 'outside', 'b.txt': 'outside'});
    const root = await scratch({'deep/keep.txt': 'kept', 'real/keep.txt': 'kept'});
    await symlink(outside, join(root, 'deep/tests'));
    await symlink(outside, join(root, 'real/sub'));
    await symlink(join(outside, 'a.txt'), join(root, 'real/a.txt'));
    await mkdir(join(root, 'real/c.txt/inner'), {recursive: true});
    await mergeTests([tests], {root, to: ['deep', 'tests']});
    await mergeTests([tests], {root, to: ['real']});
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('outside');
    expect(await readFile(join(outside, 'b.txt'), 'utf8')).toBe('outside');
    expect(await entriesOf(root)).toEqual(
      ['deep', 'deep/keep.txt', 'deep/tests', 'deep/tests/a.txt', 'deep/tests/c.txt', 'deep/tests/sub', 'deep/tests/sub/b.txt'].concat([
        'real',
        'real/a.txt',
        'real/c.txt',
        'real/keep.txt',
        'real/sub',
        'real/sub/b.txt',
      ]),
    );
  });
});
