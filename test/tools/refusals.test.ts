import {execFile} from 'node:child_process';
import {chmod, readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';

const SCRIPT = join(import.meta.dirname, 'support/call-tools.ts');
const run = promisify(execFile);

interface Result {
  readonly outcome: string;
  readonly text: string;
}

async function results(command: string, options: {uid?: number}, root: string, calls: [string, object][]): Promise<Result[]> {
  const {stdout} = await run('bash', ['-c', `${command} exec "$0" "$@"`, process.execPath, SCRIPT, root, JSON.stringify(calls)], options);
  return JSON.parse(stdout) as Result[];
}

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

describe('what the system refuses is a result', () => {
  it('a disk that takes no more (a limit on the size of files stands for it): the old file is whole, nothing is left behind', async () => {
    const root = await scratch({'a.txt': 'old\n'});
    const content = 'x'.repeat(40_000);
    const calls: [string, object][] = [
      ['write', {path: 'a.txt', content}],
      ['write', {path: 'b.txt', content}],
      ['edit', {path: 'a.txt', old_string: 'old', new_string: content}],
      ['write', {path: 'c.txt', content: 'small'}],
    ];
    expect(await results('ulimit -f 16;', {}, root, calls)).toMatchInlineSnapshot(`
      [
        {
          "outcome": "error",
          "text": "Error: EFBIG: file too large, write",
        },
        {
          "outcome": "error",
          "text": "Error: EFBIG: file too large, write",
        },
        {
          "outcome": "error",
          "text": "Error: EFBIG: file too large, write",
        },
        {
          "outcome": "success",
          "text": "Created c.txt (5 bytes).",
        },
      ]
    `);
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('old\n');
    expect((await readdir(root)).sort()).toEqual(['a.txt', 'c.txt']);
  });

  it('a file and a folder without permission (as root: in a process of another user)', async ({skip}) => {
    const root = await scratch({'secret.txt': 'old\n', 'dir/a.txt': 'a\n'});
    await chmod(root, 0o755);
    await chmod(join(root, 'secret.txt'), 0o000);
    await chmod(join(root, 'dir'), 0o555);
    const calls: [string, object][] = [
      ['read', {path: 'secret.txt'}],
      ['edit', {path: 'secret.txt', old_string: 'old', new_string: 'new'}],
      ['write', {path: 'dir/b.txt', content: 'b'}],
      ['grep', {pattern: 'old'}],
    ];
    const found = await results('', isRoot ? {uid: NOBODY} : {}, root, calls).catch((error: unknown) => {
      if (isRoot && String(error).includes('EACCES')) return skip('another user cannot read the sources here');
      throw error;
    });
    await chmod(join(root, 'secret.txt'), 0o644);
    await chmod(join(root, 'dir'), 0o755);
    expect(found).toMatchInlineSnapshot(`
      [
        {
          "outcome": "error",
          "text": "Error: EACCES: permission denied, open '<root>/secret.txt'
      The operating system does not allow it; check owner and mode.",
        },
        {
          "outcome": "error",
          "text": "Error: EACCES: permission denied, open '<root>/secret.txt'
      The operating system does not allow it; check owner and mode.",
        },
        {
          "outcome": "error",
          "text": "Error: The folder of <root>/dir/b.txt takes no new files, so that nothing can be written there safely.
      Change the permissions of the folder, or write elsewhere.",
        },
        {
          "outcome": "success",
          "text": "(no matches)",
        },
      ]
    `);
    expect(await readFile(join(root, 'secret.txt'), 'utf8')).toBe('old\n');
    expect(await readdir(join(root, 'dir'))).toEqual(['a.txt']);
  });
});
