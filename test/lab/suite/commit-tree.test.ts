import {execFileSync} from 'node:child_process';
import {chmod, lstat, mkdir, readFile, readdir, readlink, rm, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commitAt, writeCommit} from '../../../src/lab/suite/sessions/commit-tree.ts';
import {scratch} from '../../support/scratch.ts';

const SIGNAL = new AbortController().signal;

function git(cwd: string, year: number, ...args: readonly string[]): string {
  const date = `${year}-06-01T00:00:00Z`;
  const env = {PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', HOME: cwd, GIT_COMMITTER_DATE: date};
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {cwd, env, encoding: 'utf8'}).trim();
}

/** Commits of 2020, 2021 and, on another branch, 2022; in 2023 the first branch was checked out again. */
async function repository(): Promise<{folder: string; commits: readonly string[]}> {
  const folder = await scratch();
  git(folder, 2020, 'init', '-q', '-b', 'main');
  const commits: string[] = [];
  for (const year of [2020, 2021, 2022]) {
    if (year === 2022) git(folder, year, 'checkout', '-q', '-b', 'other');
    await writeFile(join(folder, 'a.txt'), `${year}\n`);
    git(folder, year, 'add', '.');
    git(folder, year, 'commit', '-q', '-m', String(year));
    commits.push(git(folder, year, 'rev-parse', 'HEAD'));
  }
  git(folder, 2023, 'checkout', '-q', 'main');
  return {folder, commits};
}

describe('the commit of a time', () => {
  it('is what was checked out then, also on another branch', async () => {
    const {folder, commits} = await repository();
    const at = async (year: number): Promise<string | undefined> => await commitAt(folder, Date.UTC(year, 11), SIGNAL);
    expect([await at(2020), await at(2021), await at(2022), await at(2023)]).toEqual([commits[0], commits[1], commits[2], commits[1]]);
    expect(await at(2019)).toBeUndefined();
  });

  it('is the newest one from before, where the log of HEAD begins later', async () => {
    const {folder, commits} = await repository();
    await rm(join(folder, '.git/logs'), {recursive: true});
    expect(await commitAt(folder, Date.UTC(2020, 11), SIGNAL)).toBe(commits[0]);
    expect(await commitAt(folder, Date.UTC(2022, 11), SIGNAL)).toBe(commits[1]);
    expect(await commitAt(await scratch(), Date.UTC(2022, 11), SIGNAL)).toBeUndefined();
  });
});

describe('the files of a commit', () => {
  it('are written with modes and links, of the folder alone, without running anything of the repository', async () => {
    const folder = await scratch({'sub/run.sh': 'x\n', 'sub/deep/b.bin': Buffer.from([0, 10, 255]), 'other.txt': ''});
    await chmod(join(folder, 'sub/run.sh'), 0o755);
    await symlink('run.sh', join(folder, 'sub/link'));
    await writeFile(join(folder, '.gitattributes'), '* filter=evil text=auto eol=crlf\n');
    git(folder, 2020, 'init', '-q', '-b', 'main');
    git(folder, 2020, 'add', '.');
    git(folder, 2020, 'commit', '-q', '-m', 'x');
    git(folder, 2020, 'config', 'filter.evil.smudge', `touch '${folder}/ran'; cat`);
    const to = join(await scratch(), 'start');
    await mkdir(to);
    expect(await writeCommit({folder: join(folder, 'sub'), commit: git(folder, 2020, 'rev-parse', 'HEAD'), to}, SIGNAL)).toBe(3);
    expect((await readdir(to, {recursive: true})).toSorted()).toEqual(['deep', 'deep/b.bin', 'link', 'run.sh']);
    expect([
      await readFile(join(to, 'run.sh'), 'utf8'),
      (await lstat(join(to, 'run.sh'))).mode & 0o111,
      await readlink(join(to, 'link')),
    ]).toEqual(['x\n', 0o111, 'run.sh']);
    expect(await readFile(join(to, 'deep/b.bin'))).toEqual(Buffer.from([0, 10, 255]));
    expect(await readdir(folder)).not.toContain('ran');
  });
});
