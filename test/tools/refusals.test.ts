import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
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

/** Calls tools in a process that a shell starts with `exec PREFIX node …`, behind `limits`. */
async function results(
  {limits = '', prefix = ''}: {readonly limits?: string; readonly prefix?: string},
  root: string,
  calls: [string, object][],
): Promise<Result[]> {
  const {stdout} = await run('bash', ['-c', `${limits} exec ${prefix} "$0" "$@"`, process.execPath, SCRIPT, root, JSON.stringify(calls)]);
  return JSON.parse(stdout) as Result[];
}

const isRoot = process.getuid?.() === 0;
/** Root without the right to pass over permissions. Another user could not reach a checkout below a private folder. */
const WITHOUT_OVERRIDE = 'setpriv --bounding-set=-dac_override,-dac_read_search';

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
    expect(await results({limits: 'ulimit -f 16;'}, root, calls)).toMatchInlineSnapshot(`
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

  it('a file and a folder without permission (as root: without the right to pass over it)', async ({skip}) => {
    if (isRoot && !existsSync('/usr/bin/setpriv')) return skip('setpriv is missing: root cannot be refused anything here');
    const root = await scratch({'secret.txt': 'old\n', 'dir/a.txt': 'a\n'});
    await chmod(join(root, 'secret.txt'), 0o000);
    await chmod(join(root, 'dir'), 0o555);
    const calls: [string, object][] = [
      ['read', {path: 'secret.txt'}],
      ['edit', {path: 'secret.txt', old_string: 'old', new_string: 'new'}],
      ['write', {path: 'dir/b.txt', content: 'b'}],
      ['grep', {pattern: 'old'}],
    ];
    const found = await results(isRoot ? {prefix: WITHOUT_OVERRIDE} : {}, root, calls);
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
