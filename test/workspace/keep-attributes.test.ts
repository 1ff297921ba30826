import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {chmod, open, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {copyAttributes, findAttributes} from '../../src/workspace/keep-attributes.ts';
import {writeFileAtomic} from '../../src/workspace/write-file.ts';
import {scratch} from '../support/scratch.ts';

/** Python is what sets and lists them: no other program for it is everywhere. */
function python(script: string, ...args: readonly string[]): string {
  return execFileSync('python3', ['-c', `import os, struct, sys\n${script}`, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const set = (file: string, name: string, hex: string) =>
  python('os.setxattr(sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3]))', file, name, hex);
const list = (file: string) =>
  python('for n in sorted(os.listxattr(sys.argv[1])): print(n + "=" + os.getxattr(sys.argv[1], n).hex())', file).trim().split('\n');

/** user::rw- user:1234:rw- group::r-- mask::rw- other::--- */
const ACCESS_LIST = '0200000001000600ffffffff02000600d204000004000400ffffffff10000600ffffffff20000000ffffffff';
const CAPABILITY = '0100000200040000000000000000000000000000';

const why = (() => {
  const root = mkdtempSync(join(tmpdir(), 'fettle-test-'));
  try {
    writeFileSync(join(root, 'probe'), '');
    set(join(root, 'probe'), 'user.probe', '31');
    execFileSync('/bin/cp', ['--attributes-only', '--preserve=mode,xattr', join(root, 'probe'), join(root, 'copy')], {stdio: 'ignore'});
    return undefined;
  } catch {
    return 'no python3, no GNU cp, or a file system without extended attributes';
  } finally {
    rmSync(root, {recursive: true});
  }
})();
const suffix = why === undefined ? '' : ` (skipped: ${why})`;

describe.runIf(why === undefined)(`what a file has besides its content${suffix}`, () => {
  it.each([
    ['a user attribute', [['user.origin', '6869']]],
    ['an access control list', [['system.posix_acl_access', ACCESS_LIST]]],
    [
      'both',
      [
        ['system.posix_acl_access', ACCESS_LIST],
        ['user.origin', '6869'],
      ],
    ],
  ] as const)('%s survives one write after another', async (_, attributes) => {
    const file = join(await scratch({'file.txt': 'old'}), 'file.txt');
    await chmod(file, 0o640);
    for (const [name, hex] of attributes) set(file, name, hex);
    const [before, {mode}] = [list(file), await stat(file)];
    for (const text of ['one', 'two', 'three']) {
      expect((await writeFileAtomic(file, Buffer.from(text))).state).not.toHaveProperty('lost');
      expect({attributes: list(file), mode: (await stat(file)).mode}).toEqual({attributes: before, mode});
    }
  });

  it('what is added after a write of this process is seen', async () => {
    const file = join(await scratch({'file.txt': 'old'}), 'file.txt');
    await writeFileAtomic(file, Buffer.from('one'));
    set(file, 'user.origin', '6869');
    await writeFileAtomic(file, Buffer.from('two'));
    expect(list(file)).toEqual(['user.origin=6869']);
  });

  it.runIf(process.getuid?.() === 0)('capabilities of a program survive with its setuid bit, for root', async () => {
    const file = join(await scratch({program: 'old'}), 'program');
    await chmod(file, 0o4755);
    set(file, 'security.capability', CAPABILITY);
    const before = list(file);
    expect((await writeFileAtomic(file, Buffer.from('new'))).state).not.toHaveProperty('lost');
    expect({attributes: list(file), mode: (await stat(file)).mode & 0o7777}).toEqual({attributes: before, mode: 0o4755});
  });

  it('tells which could not be kept', async () => {
    const folder = await scratch({'file.txt': 'old'});
    const file = join(folder, 'file.txt');
    set(file, 'user.origin', '6869');
    set(file, 'system.posix_acl_access', ACCESS_LIST);
    execFileSync('mkfifo', [join(folder, 'takes-none')]);
    await using to = await open(join(folder, 'takes-none'), 'r+');
    const stats = await stat(file);
    const found = await findAttributes(file, stats);
    expect(found).toEqual({accessList: true});
    if (found === undefined) return;
    expect(await copyAttributes(file, stats, {found, to: to.fd, withAccessList: false})).toEqual(['access control list', 'user.origin']);
  });

  it('finds nothing on a file that has none', async () => {
    const file = join(await scratch({'file.txt': 'old'}), 'file.txt');
    expect(await findAttributes(file, await stat(file))).toBeUndefined();
  });
});
