import {closeSync, openSync} from 'node:fs';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** The stdin of a child; its opener closes it. Synchronous, so that a child that ends meanwhile is not missed. */
interface Input {
  readonly stdio: number | 'ignore';
  close(): void;
}

/**
 * Opens the stdin of a command as an unnamed file: nothing has to be written while the command runs, a command that reads none of it does not
 * fail, and `/dev/stdin` can be opened by name, as hooks do (with the sockets that Node gives a child it cannot). Without a text it is empty.
 */
export async function openInput(text: string | undefined): Promise<Input> {
  if (text === undefined) return {stdio: 'ignore', close: () => undefined};
  const folder = await mkdtemp(join(tmpdir(), 'fettle-input-'));
  try {
    const file = join(folder, 'stdin');
    await writeFile(file, text, {mode: 0o600, flag: 'wx'});
    const fd = openSync(file, 'r');
    return {stdio: fd, close: () => closeSync(fd)};
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
