import {execFile} from 'node:child_process';
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {LAUNCHER, place} from './support.ts';

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  args: readonly string[],
  {env, cwd}: {readonly env: Readonly<Record<string, string>>; readonly cwd: string},
): Promise<Ended> {
  const script = 'cd "$1" && { [ -z "$2" ] || rmdir "$1"; } && shift 2 && exec "$@"';
  const gone = env['GONE'] ?? '';
  return await new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', script, 'sh', cwd, gone, process.execPath, LAUNCHER, ...args],
      {env, timeout: 30_000},
      (error, stdout, stderr) => resolve({code: error === null ? 0 : (error.code ?? null), stdout, stderr}),
    ).stdin?.end();
  });
}

describe('odd surroundings: one line and a hint, never a stack trace', () => {
  it.each([['config', 'show'], ['sessions', 'list'], ['doctor'], ['exec', 'hi']])('HOME=/proc/1: %s %s', async (...args) => {
    const {work, env} = await place();
    const {FETTLE_HOME: _, NODE_COMPILE_CACHE: __, ...rest} = env;
    expect(await run(args, {env: {...rest, HOME: '/proc/1'}, cwd: work})).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'fettle: /proc/1/.config/fettle is in a kernel file system: nothing can be stored there.\n' +
        '  hint: Set FETTLE_HOME, or the XDG variables, to a folder on a disk.\n',
    });
  });

  it('doctor: no folder for temporary files', async () => {
    const {work, env} = await place({file: ''});
    const {code, stdout} = await run(['doctor'], {env: {...env, TMPDIR: join(work, 'file')}, cwd: work});
    const said = `temporary files cannot be written in ${join(work, 'file')} (ENOTDIR). Set TMPDIR to a folder that you can write.`;
    expect([code, stdout.split('\n').filter((line) => /commands:|sandbox:|mkdtemp/.test(line))]).toEqual([
      1,
      [`bad   commands: ${said}`, `note  sandbox: ${said}`],
    ]);
  });

  it('a working folder that was deleted; -C names another one', async () => {
    const {work, env} = await place();
    const deleted = async (...args: string[]): Promise<Ended> => {
      const cwd = await mkdtemp(join(tmpdir(), 'fettle-gone-'));
      return await run(args, {env: {...env, GONE: 'yes'}, cwd});
    };
    expect(await deleted('exec', 'hi')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'fettle: The working folder was deleted.\n  hint: Change to a folder that exists, or name one: fettle -C FOLDER …\n',
    });
    expect((await deleted('--help')).code).toBe(0);
    expect((await deleted('-C', work, 'config', 'path')).code).toBe(0);
  });
});
