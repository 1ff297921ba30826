import {readlinkSync} from 'node:fs';
import {chmod, chown, mkdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import nodeFs from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {AtomicFile, AtomicFs} from '../../src/workspace/atomic-fs.ts';
import {writeFileAtomic} from '../../src/workspace/write-file.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from './tree.ts';

const bytes = Buffer.from('the new content');
const systemError = (code: string) => Object.assign(new Error(`${code}: injected`), {code});

/** The real file system with a hook around each call: `around` may throw, or do without `call`. */
function hooked(around: (name: string, call: () => Promise<unknown>) => Promise<unknown>): AtomicFs {
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || typeof name !== 'string') return method;
        return (...args: unknown[]) =>
          around(name, async () => {
            const result: unknown = await Reflect.apply(method, target, args);
            return name === 'open' ? wrap(result as AtomicFile) : result;
          });
      },
    });
  return wrap<AtomicFs>(nodeFs);
}

const passing = (_: string, call: () => Promise<unknown>) => call();

describe('writeFileAtomic', () => {
  it('creates a file, the folders above it, and the mode that any new file gets', async () => {
    const root = await scratch({plain: ''});
    const written = await writeFileAtomic(join(root, 'a/b/new.txt'), bytes);
    const {mtimeMs, size, mode} = await stat(join(root, 'a/b/new.txt'));
    expect(written).toEqual({created: true, state: {mtimeMs, size}});
    expect(mode).toBe((await stat(join(root, 'plain'))).mode);
    expect(await treeOf(root)).toEqual({a: 'folder', 'a/b': 'folder', 'a/b/new.txt': 'the new content', plain: ''});
  });

  it('replaces a file, and gives its state back (microcode tools › write)', async () => {
    const root = await scratch({'file.txt': 'old'});
    const written = await writeFileAtomic(join(root, 'file.txt'), new Uint8Array(0));
    const {mtimeMs, size} = await stat(join(root, 'file.txt'));
    expect(written).toEqual({created: false, state: {mtimeMs, size: 0}});
    expect(size).toBe(0);
  });

  it('keeps the mode, with setuid, setgid and the sticky bit', async () => {
    const root = await scratch({'file.txt': 'old'});
    await chmod(join(root, 'file.txt'), 0o7751);
    expect((await writeFileAtomic(join(root, 'file.txt'), bytes)).state).not.toHaveProperty('lost');
    expect((await stat(join(root, 'file.txt'))).mode & 0o7777).toBe(0o7751);
  });

  it('gives setuid to no other owner, and says so', async () => {
    const root = await scratch({'file.txt': 'old'});
    const file = join(root, 'file.txt');
    await chmod(file, 0o6751);
    const fs = hooked(async (name, call) => {
      if (name === 'chown') throw systemError('EPERM');
      const result = await call();
      return name === 'stat' ? Object.assign(Object.create(Object(result)), {uid: Math.random()}) : result;
    });
    expect((await writeFileAtomic(file, bytes, {fs})).state.lost).toEqual(['setuid', 'setgid']);
    expect((await stat(file)).mode & 0o7777).toBe(0o751);
  });

  it.runIf(process.getuid?.() === 0)('keeps the owner where the system allows it', async () => {
    const root = await scratch({'file.txt': 'old'});
    await chown(join(root, 'file.txt'), 1234, 5678);
    await writeFileAtomic(join(root, 'file.txt'), bytes);
    expect(await stat(join(root, 'file.txt'))).toMatchObject({uid: 1234, gid: 5678});
  });

  it('refuses folders, a parent that is a file, and every link: the path was judged without one', async () => {
    const root = await scratch({'folder/file': 'x'});
    await symlink('nowhere', join(root, 'dangling'));
    await symlink('folder/file', join(root, 'link'));
    await symlink('folder', join(root, 'to-folder'));
    const before = await treeOf(root);
    await expect(writeFileAtomic(join(root, 'folder'), bytes)).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(writeFileAtomic(join(root, 'folder/file/x'), bytes)).rejects.toMatchObject({
      code: 'NOT_A_FILE',
      message: `${join(root, 'folder/file/x')} cannot be written: a part of its path is a file, not a folder.`,
    });
    for (const path of ['dangling', 'link', 'to-folder', 'to-folder/file', 'to-folder/new', 'to-folder/new/deep']) {
      await expect(writeFileAtomic(join(root, path), bytes)).rejects.toMatchObject({code: 'STALE'});
    }
    expect(await treeOf(root)).toEqual(before);
  });

  it('writes a file with the longest name there is', async () => {
    const root = await scratch();
    const name = 'n'.repeat(255);
    await writeFileAtomic(join(root, name), bytes);
    expect(await treeOf(root)).toEqual({[name]: 'the new content'});
  });
});

describe('expect', () => {
  it('refuses a file that changed, or is gone', async () => {
    const root = await scratch({'file.txt': 'old'});
    const file = join(root, 'file.txt');
    const {mtimeMs, size} = await stat(file);
    await expect(writeFileAtomic(file, bytes, {expect: {mtimeMs: mtimeMs - 1, size}})).rejects.toMatchObject({code: 'STALE'});
    await expect(writeFileAtomic(file, bytes, {expect: {mtimeMs, size: 4}})).rejects.toMatchObject({code: 'STALE'});
    await expect(writeFileAtomic(join(root, 'gone'), bytes, {expect: {mtimeMs, size}})).rejects.toMatchObject({code: 'STALE'});
    expect(await treeOf(root)).toEqual({'file.txt': 'old'});
    await expect(writeFileAtomic(file, bytes, {expect: {mtimeMs, size}})).resolves.toMatchObject({created: false});
  });

  it('notices a change that happens while the new content is written', async () => {
    const root = await scratch({'file.txt': 'old'});
    const file = join(root, 'file.txt');
    const {mtimeMs, size} = await stat(file);
    const fs = hooked(async (name, call) => {
      if (name === 'sync') await writeFile(file, 'by somebody else');
      return call();
    });
    await expect(writeFileAtomic(file, bytes, {expect: {mtimeMs, size}, fs})).rejects.toMatchObject({code: 'STALE'});
    expect(await treeOf(root)).toEqual({'file.txt': 'by somebody else'});
  });
});

describe('faults', () => {
  it('goes on after short writes', async () => {
    const root = await scratch();
    const fs = hooked(passing);
    const short: AtomicFs = {
      ...nodeFs,
      open: async (path, flags, mode) => {
        const file = await fs.open(path, flags, mode);
        return new Proxy(file, {
          get: (target, name) =>
            name === 'write'
              ? (all: Uint8Array, offset: number) => target.write(all.subarray(0, offset + 4), offset)
              : Reflect.get(target, name),
        });
      },
    };
    await writeFileAtomic(join(root, 'file.txt'), bytes, {fs: short});
    expect(await treeOf(root)).toEqual({'file.txt': 'the new content'});
  });

  it('gives up when the disk takes no byte', async () => {
    const root = await scratch({'file.txt': 'old'});
    const fs = hooked(async (name, call) => (name === 'write' ? {bytesWritten: 0} : call()));
    await expect(writeFileAtomic(join(root, 'file.txt'), bytes, {fs})).rejects.toMatchObject({code: 'IO'});
    expect(await treeOf(root)).toEqual({'file.txt': 'old'});
  });

  const steps = async (file: string) => {
    const names: string[] = [];
    const fs = hooked((name, call) => {
      names.push(name);
      return call();
    });
    await writeFileAtomic(file, bytes, {fs});
    return names;
  };

  it('takes these steps', async () => {
    const root = await scratch({'file.txt': 'old'});
    expect(await steps(join(root, 'file.txt'))).toEqual([
      'lstat',
      'access',
      'open',
      'write',
      'stat',
      'chmod',
      'sync',
      'stat',
      'close',
      'rename',
    ]);
    expect(await steps(join(root, 'new.txt'))).toEqual(['lstat', 'open', 'write', 'sync', 'stat', 'close', 'rename']);
  });

  it.each(['ENOSPC', 'EIO', 'EACCES', 'EDQUOT'])('leaves the old file, and nothing else, whichever step fails with %s', async (code) => {
    for (const name of ['file.txt', 'new.txt']) {
      const count = (await steps(join(await scratch({'file.txt': 'old'}), name))).length;
      for (let failing = 0; failing < count; failing++) {
        const root = await scratch({'file.txt': 'old'});
        let step = 0;
        let failed = '';
        const fs = hooked(async (called, call) => {
          if (step++ !== failing) return call();
          failed = called;
          if (called === 'close') await call(); // a descriptor is closed even if that reports an error
          throw systemError(code);
        });
        const outcome = await writeFileAtomic(join(root, name), bytes, {fs}).catch((error: unknown) => error);
        expect(outcome, failed).toMatchObject({code: code === 'EACCES' ? 'DENIED' : 'IO'});
        expect(await treeOf(root), failed).toEqual({'file.txt': 'old'});
      }
    }
  });

  it('has the old or the new content when a step reports an error after it was done', async () => {
    const count = (await steps(join(await scratch({'file.txt': 'old'}), 'file.txt'))).length;
    for (let failing = 0; failing < count; failing++) {
      const root = await scratch({'file.txt': 'old'});
      let step = 0;
      const fs = hooked(async (name, call) => {
        const result = await call();
        if (step++ === failing && name !== 'open') throw systemError('EIO');
        return result;
      });
      const outcome = await writeFileAtomic(join(root, 'file.txt'), bytes, {fs}).catch((error: unknown) => error);
      const tree = await treeOf(root);
      expect(Object.keys(tree), String(outcome)).toEqual(['file.txt']);
      expect(['old', 'the new content']).toContain(tree['file.txt']);
    }
  });

  it('refuses a write-protected file, and a folder that takes no new file', async () => {
    const root = await scratch({'file.txt': 'old'});
    const failingAt = (step: string, code: string) =>
      hooked(async (name, call) => (name === step ? Promise.reject(systemError(code)) : call()));
    const write = (fs: AtomicFs) => writeFileAtomic(join(root, 'file.txt'), bytes, {fs});
    await expect(write(failingAt('access', 'EACCES'))).rejects.toMatchObject({code: 'DENIED'});
    await expect(write(failingAt('open', 'EROFS'))).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('takes no new files'),
    });
    expect(await treeOf(root)).toEqual({'file.txt': 'old'});
  });

  it('writes as somebody else than the owner too', async () => {
    const root = await scratch({'file.txt': 'old'});
    const file = join(root, 'file.txt');
    const fs = hooked(async (name, call) => {
      if (name === 'chown') throw systemError('EPERM');
      const result = await call();
      return name === 'stat' ? Object.assign(Object.create(Object(result)), {uid: Math.random()}) : result;
    });
    await expect(writeFileAtomic(file, bytes, {fs})).resolves.toMatchObject({created: false});
    expect(await readFile(file, 'utf8')).toBe('the new content');
  });

  it('lets nobody read the new content meanwhile who could not read the old one', async () => {
    const root = await scratch({'secret.txt': 'old'});
    await chmod(join(root, 'secret.txt'), 0o600);
    const modes: number[] = [];
    const fs: AtomicFs = {
      ...nodeFs,
      open: (path, flags, mode) => {
        modes.push(mode);
        expect(readlinkSync(dirname(path))).toBe(root);
        return nodeFs.open(path, flags, mode);
      },
    };
    await writeFileAtomic(join(root, 'secret.txt'), bytes, {fs});
    await mkdir(join(root, 'sub'));
    await writeFileAtomic(join(root, 'new.txt'), bytes, {fs});
    expect(modes).toEqual([0o600, 0o666]);
  });
});
