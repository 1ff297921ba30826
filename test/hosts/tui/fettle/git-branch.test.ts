import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {gitBranch} from '../../../../src/hosts/tui/fettle/git-branch.ts';
import {scratch} from '../../../support/scratch.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

describe('gitBranch reads HEAD and starts no git', () => {
  it.each([
    ['a branch', {'.git/HEAD': 'ref: refs/heads/feature/one\n', 'sub/x': ''}, 'feature/one'],
    ['a commit', {'.git/HEAD': `${commit}\n`, 'sub/x': ''}, '012345678'],
    ['a worktree', {'.git': 'gitdir: meta/worktrees/w\n', 'meta/worktrees/w/HEAD': 'ref: refs/heads/w\n', 'sub/x': ''}, 'w'],
    ['an escape sequence', {'.git/HEAD': 'ref: refs/heads/\u001b[31mred\n', 'sub/x': ''}, expect.not.stringContaining('\u001b')],
    ['no repository', {'sub/x': ''}, undefined],
  ])('%s', async (_, files, branch) => {
    expect(gitBranch(join(await scratch(files), 'sub'))).toEqual(branch);
  });

  it('a pipe in the place of HEAD is not waited for', async () => {
    const root = await scratch({'.git/x': ''});
    execFileSync('mkfifo', [join(root, '.git/HEAD')]);
    expect(gitBranch(root)).toBeUndefined();
  });
});
