import {mkdtemp, open, rm, type FileHandle} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/**
 * What a command reads on stdin, as an open file without a name: nobody has to write while the command runs, one that reads none of it is
 * no failure, and `/dev/stdin` can be opened by name, as hooks do (with the sockets that Node gives a child it cannot).
 */
export async function openInput(text: string): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'fettle-input-'));
  try {
    const file = join(folder, 'stdin');
    await using written = await open(file, 'wx', 0o600);
    await written.writeFile(text);
    return await open(file, 'r');
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}
