import {mkdir, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {findFiles} from '../../src/search/files.ts';
import {listFolder} from '../../src/search/list-folder.ts';
import {compareCodePoints} from '../../src/search/path-order.ts';
import {scratch} from '../support/scratch.ts';
import {filesQuery, never} from './support.ts';

describe('listing files', () => {
  it('orders whole paths by code points', async () => {
    const root = await scratch({'a/x': '', 'a.ts': '', 'a-b/y': '', '\uFFFD': '', '🚀': '', B: '', 'a b': ''});
    const {paths} = await findFiles(filesQuery({root}), {}, never());
    expect(paths).toEqual(['B', 'a b', 'a-b/y', 'a.ts', 'a/x', '\uFFFD', '🚀']);
  });

  it('compareCodePoints agrees with UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), fc.string({unit: 'binary'}), (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  it('newest first, ties by path, and says when it was cut ("microcode tools › glob": up to 200, newest first)', async () => {
    const root = await scratch({a: '', b: '', c: '', d: ''});
    for (const [name, seconds] of Object.entries({a: 10, b: 30, c: 30, d: 20})) await utimes(join(root, name), seconds, seconds);
    const query = filesQuery({root, order: 'newest', limit: 3});
    expect(await findFiles(query, {}, never())).toEqual({paths: ['b', 'c', 'd'], truncated: true});
    expect(await findFiles({...query, limit: 4}, {}, never())).toEqual({paths: ['b', 'c', 'd', 'a'], truncated: false});
    expect(await findFiles({...query, limit: 0}, {}, never())).toEqual({paths: [], truncated: true});
  });

  it('lists links and does not follow them; a glob follows them only inside the root', async () => {
    const outside = await scratch({'secret.ts': ''});
    const root = await scratch({'real/x.ts': ''});
    await symlink('real', join(root, 'in'));
    await symlink(outside, join(root, 'out'));
    await symlink('.', join(root, 'loop'));
    expect((await findFiles(filesQuery({root}), {}, never())).paths).toEqual(['in', 'loop', 'out', 'real/x.ts']);
    const globbed = await findFiles(filesQuery({root, match: {dialect: 'bash', pattern: '*/*.ts'}}), {}, never());
    expect(globbed.paths).toEqual(['in/x.ts', 'real/x.ts']);
  });

  it('does not enter ignored folders, and never lists .git', async () => {
    const root = await scratch({
      '.git/HEAD': '',
      '.git/objects/a': '',
      '.git/refs/a': '',
      '.gitignore': 'out/\n!out/keep\n',
      'out/keep': '',
      'sub/.git': 'x',
      a: '',
    });
    expect((await findFiles(filesQuery({root}), {}, never())).paths).toEqual(['.gitignore', 'a']);
  });

  it('a hidden name is listed when asked for or included by an ignore file, as ripgrep has it', async () => {
    const root = await scratch({'.ignore': '!.env.example\n', '.env': '', '.env.example': ''});
    expect((await findFiles(filesQuery({root, hidden: false}), {}, never())).paths).toEqual(['.env.example']);
  });

  it('names a missing root, a file as root, and an abort', async () => {
    const root = await scratch({a: ''});
    const aborted = AbortSignal.abort();
    await expect(findFiles(filesQuery({root: join(root, 'no')}), {}, never())).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(findFiles(filesQuery({root: join(root, 'a')}), {}, never())).rejects.toMatchObject({code: 'BAD_ARGS'});
    await expect(findFiles(filesQuery({root}), {}, aborted)).rejects.toMatchObject({code: 'CANCELLED'});
  });

  it('finds what lies deep, down to the longest path that the system can name', async () => {
    const root = await scratch();
    const deep = join(root, ...Array.from({length: 600}, () => 'd'));
    await mkdir(deep, {recursive: true});
    await writeFile(join(deep, 'f'), '');
    expect((await findFiles(filesQuery({root}), {}, never())).paths).toEqual([`${'d/'.repeat(600)}f`]);
  });
});

describe('listFolder ("microcode tools › ls": one level, .gitignore honoured, up to 500)', () => {
  const files = {'.git/HEAD': '', '.git/objects/a': '', '.git/refs/a': '', '.gitignore': '*.log\n/d/out\n', 'd/.gitignore': 'x\n'};

  it('kinds, order, hidden names, rules of the parents', async () => {
    const root = await scratch({...files, 'd/a.log': '', 'd/out/f': '', 'd/x': '', 'd/b/c': '', 'd/B': '', 'd/.h': ''});
    await symlink('nowhere', join(root, 'd', 'l'));
    const all = {root, ignoreFiles: true, hidden: false, limit: 500};
    const shown = [
      {name: 'B', kind: 'file'},
      {name: 'b', kind: 'directory'},
      {name: 'l', kind: 'link'},
    ];
    expect(await listFolder('d', all, never())).toEqual({entries: shown, truncated: false});
    expect(await listFolder(join(root, 'd'), {...all, limit: 2}, never())).toEqual({entries: shown.slice(0, 2), truncated: true});
    const open = await listFolder('d', {...all, ignoreFiles: false, hidden: true}, never());
    expect(open.entries.map(({name}) => name)).toEqual(['.gitignore', '.h', 'B', 'a.log', 'b', 'l', 'out', 'x']);
    expect((await listFolder('.', {...all, hidden: true}, never())).entries.map(({name}) => name)).toEqual(['.gitignore', 'd']);
  });

  it('names a missing folder and an abort', async () => {
    const root = await scratch();
    const options = {root, ignoreFiles: true, hidden: false, limit: 1};
    await expect(listFolder('no', options, never())).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(listFolder('.', options, AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
  });
});
