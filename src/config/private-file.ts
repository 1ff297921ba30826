import {randomBytes} from 'node:crypto';
import {mkdir, open, readFile, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {systemErrorCode} from '../base/errors.ts';

/** Writes a file of the owner alone (mode 0600, its folder 0700), replaced as a whole: nobody sees half of it. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), {recursive: true, mode: 0o700});
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
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

/** The text of a file; undefined where there is none. Throws what else keeps it from being read. */
export async function readPrivateFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
