import {randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {lstat, mkdir, open, readFile, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {FettleError, systemErrorCode} from '../base/errors.ts';

/** Writes a file of the owner alone (mode 0600, its folder 0700), atomically: nobody sees half of it. */
export async function writePrivateFile(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), {recursive: true, mode: 0o700});
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, {force: true});
    throw thrown;
  }
}

/** Reads the text of a file; undefined if there is none. Throws any other error of reading. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/**
 * The text of a file that holds a secret and was made by a person. Throws DENIED if others can read or replace it: a link, a file of another
 * user, a mode that is open to group or others; NOT_A_FILE for a folder or a pipe. Where the system knows no owners, nothing is asked of them.
 */
export async function readSecretFile(file: string): Promise<string> {
  if ((await lstat(file)).isSymbolicLink()) throw exposed(file, 'is a link', 'Name the file itself.');
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await handle.stat();
    if (!found.isFile())
      throw new FettleError({code: 'NOT_A_FILE', message: `${file} is not a regular file.`, hint: 'Write the token into a file.'});
    const uid = process.getuid?.();
    if (uid !== undefined && found.uid !== uid) throw exposed(file, 'belongs to another user', `Make one of your own: cp, then chmod 600.`);
    if (uid !== undefined && (found.mode & 0o077) !== 0) {
      throw exposed(file, `can be read by others (mode 0${(found.mode & 0o777).toString(8)})`, `Run \`chmod 600 ${file}\`.`);
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function exposed(file: string, why: string, hint: string): FettleError {
  return new FettleError({code: 'DENIED', message: `The secret in ${file} is not used: the file ${why}.`, hint});
}
