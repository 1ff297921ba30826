import {chmod, link, lstat, readFile, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../../support/scratch.ts';
import {openToolset} from '../support/open-toolset.ts';
import {EDIT_CASES} from './edit-cases.ts';

describe.each(['microcode', 'fettle'])(
  'microcode tools › edit, "must match exactly (whitespace included)": %s, byte for byte',
  (toolset) => {
    it.each(EDIT_CASES)('$name', async ({before, oldText, newText, all, after, code}) => {
      const root = await scratch({'f.txt': before});
      const tools = await openToolset(toolset, root);
      const args = {path: 'f.txt', old_string: oldText, new_string: newText, ...(all === true ? {replace_all: true} : {})};
      const {isError, structured} = await tools.call('edit', args);
      const expected = Buffer.from(after ?? before);
      const found = await readFile(join(root, 'f.txt'));
      expect({isError, same: found.equals(expected), names: await readdir(root)}).toEqual({
        isError: after === undefined,
        same: true,
        names: ['f.txt'],
      });
      if (code !== undefined) expect(structured).toMatchObject({code});
    });
  },
);

describe('what an edit leaves as it is', () => {
  const edit = {old_string: 'a', new_string: 'b'};

  it('a chain of links: the file at its end is changed, the links stay', async () => {
    const root = await scratch({'real/f.txt': 'a\n'});
    await symlink('real', join(root, 'folder'));
    await symlink('folder/f.txt', join(root, 'one'));
    await symlink('one', join(root, 'two'));
    expect(await (await openToolset('microcode', root)).text('edit', {path: 'two', ...edit})).toBe('edited real/f.txt (1 replacement)');
    expect(await readFile(join(root, 'real/f.txt'), 'utf8')).toBe('b\n');
    expect((await Promise.all(['folder', 'one', 'two'].map((name) => lstat(join(root, name))))).map((one) => one.isSymbolicLink())).toEqual(
      [true, true, true],
    );
  });

  it('a dangling link and a loop of links are refused, nothing is created', async () => {
    const root = await scratch();
    await symlink('nowhere', join(root, 'dangling'));
    await symlink('loop', join(root, 'loop'));
    const tools = await openToolset('microcode', root);
    for (const path of ['dangling', 'loop']) {
      expect((await tools.call('edit', {path, ...edit})).structured).toMatchObject({code: 'NOT_FOUND'});
      expect((await tools.call('write', {path, content: 'x'})).structured).toMatchObject({code: 'NOT_FOUND'});
    }
    expect(await readdir(root)).toEqual(['dangling', 'loop']);
  });

  it('of a hard link the other name, which may lie outside', async () => {
    const root = await scratch({f: 'a\n'});
    await link(join(root, 'f'), join(root, 'g'));
    await (await openToolset('microcode', root)).call('edit', {path: 'f', ...edit});
    expect([await readFile(join(root, 'f'), 'utf8'), await readFile(join(root, 'g'), 'utf8')]).toEqual(['b\n', 'a\n']);
  });

  it.each([0o755, 0o600, 0o640, 0o777, 0o444])('mode %o (as far as the file may be written)', async (mode) => {
    const root = await scratch({f: 'a\n'});
    await chmod(join(root, 'f'), mode);
    const {isError} = await (await openToolset('microcode', root)).call('edit', {path: 'f', ...edit});
    expect([(await stat(join(root, 'f'))).mode & 0o7777, isError]).toEqual([mode, mode === 0o444 && process.getuid?.() !== 0]);
  });

  it('a file that is not there, an empty path, a folder', async () => {
    const root = await scratch({'d/f': 'a\n'});
    const tools = await openToolset('microcode', root);
    const codeOf = async (path: string) => (await tools.call('edit', {path, ...edit})).structured;
    expect(await Promise.all(['none', '', 'd'].map(codeOf))).toMatchObject([{code: 'NOT_FOUND'}, {code: 'BAD_ARGS'}, {code: 'NOT_A_FILE'}]);
  });

  it('a file larger than can be edited is refused with a hint', async () => {
    const root = await scratch();
    await writeFile(join(root, 'f'), Buffer.alloc(20_000_001, 'a'));
    expect((await (await openToolset('microcode', root)).call('edit', {path: 'f', ...edit})).structured).toMatchObject({code: 'TOO_LARGE'});
  });
});
