import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {hiddenFolders} from '../../../../src/lab/rollout/place/hidden-folders.ts';
import type {RolloutRequest} from '../../../../src/lab/rollout/rollout-request.ts';
import {scratch} from '../../../support/scratch.ts';

function hiddenIn(
  folder: string,
  {hidden, start, tests = []}: {hidden: readonly string[]; start?: object; tests?: readonly string[]},
): string[] {
  const request = {
    folders: {scratch: join(folder, 'scratch'), hidden},
    agent: {env: {HOME: join(folder, 'home')}},
    task: {start: start ?? {kind: 'empty'}, steps: [{verify: {tests}}]},
  } as unknown as Pick<RolloutRequest, 'folders' | 'agent' | 'task'>;
  return hiddenFolders(request).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
}

describe('what no program of a rollout sees', () => {
  it('is keys of the person, the suite by its real path, its tests, the scratch folders and a mirror', async () => {
    const folder = await scratch({'home/.ssh/id': '', 'real/t/tests/x': '', 'elsewhere/y': '', 'scratch/1/x': '', 'mirror/HEAD': ''});
    await symlink(join(folder, 'real'), join(folder, 'suite'));
    const start = {kind: 'git', repository: join(folder, 'mirror'), commit: 'c'};
    expect(hiddenIn(folder, {hidden: [join(folder, 'suite'), join(folder, 'gone')], start, tests: [join(folder, 'elsewhere')]})).toEqual([
      'home/.ssh',
      'scratch',
      'real',
      'mirror',
      'elsewhere',
    ]);
  });

  it('is also the history of a suite in a repository, and that of a linked worktree', async () => {
    const folder = await scratch({'repository/suite/t/x': ''});
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {cwd: join(folder, 'repository')});
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'a');
    git('worktree', 'add', '-q', join(folder, 'tree'));
    expect(hiddenIn(folder, {hidden: [join(folder, 'repository/suite')]})).toEqual(['repository/suite', 'repository/.git']);
    expect(hiddenIn(folder, {hidden: [join(folder, 'tree/suite')]})).toEqual(['tree/suite', 'tree/.git', 'repository/.git']);
  });

  it('does not wait for a FIFO, nor believe a large file', async () => {
    const folder = await scratch({'b/suite/x': ''});
    await mkdir(join(folder, 'a/suite'), {recursive: true});
    execFileSync('mkfifo', [join(folder, 'a/.git')]);
    await writeFile(join(folder, 'b/.git'), `gitdir: /\n${' '.repeat(5000)}`);
    expect(hiddenIn(folder, {hidden: [join(folder, 'a/suite'), join(folder, 'b/suite')]})).toEqual([
      'a/suite',
      'a/.git',
      'b/suite',
      'b/.git',
    ]);
  });
});
