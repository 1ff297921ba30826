import {mkdtemp, mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';

/** A new empty folder (its real path), removed when the test ends; `files` maps relative paths to contents. */
export async function scratch(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'fettle-test-')));
  onTestFinished(() => rm(root, {recursive: true, force: true}));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), content);
  }
  return root;
}
