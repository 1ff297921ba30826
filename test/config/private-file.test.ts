import {chmod, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../src/base/errors.ts';
import {readSecretFile} from '../../src/config/private-file.ts';
import {scratch} from '../support/scratch.ts';

async function read(file: string): Promise<string> {
  return await readSecretFile(file).catch((thrown: unknown) => {
    const {code, message, hint} = toFettleError(thrown);
    return `${code}: ${message.replaceAll(file, 'FILE')} ${hint?.replaceAll(file, 'FILE') ?? ''}`;
  });
}

describe('a file with a secret', () => {
  it.each([
    [0o600, 'secret\n'],
    [0o400, 'secret\n'],
    [0o644, 'DENIED: The secret in FILE is not used: the file can be read by others (mode 0644). Run `chmod 600 FILE`.'],
    [0o640, 'DENIED: The secret in FILE is not used: the file can be read by others (mode 0640). Run `chmod 600 FILE`.'],
    [0o604, 'DENIED: The secret in FILE is not used: the file can be read by others (mode 0604). Run `chmod 600 FILE`.'],
    [0o620, 'DENIED: The secret in FILE is not used: the file can be read by others (mode 0620). Run `chmod 600 FILE`.'],
  ])('of mode %o', async (mode, expected) => {
    const file = join(await scratch(), 'token');
    await writeFile(file, 'secret\n');
    await chmod(file, mode);
    expect(await read(file)).toBe(expected);
  });

  it('is not read through a link, nor from a folder; one that is not there is named', async () => {
    const folder = await scratch();
    await writeFile(join(folder, 'token'), 'secret\n', {mode: 0o600});
    await symlink('token', join(folder, 'link'));
    await mkdir(join(folder, 'folder'));
    expect(await read(join(folder, 'link'))).toBe('DENIED: The secret in FILE is not used: the file is a link. Name the file itself.');
    expect(await read(join(folder, 'folder'))).toBe('NOT_A_FILE: FILE is not a regular file. Write the token into a file.');
    expect(await read(join(folder, 'missing'))).toMatch(/^NOT_FOUND: /);
  });
});
