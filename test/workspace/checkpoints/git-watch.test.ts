import {execFileSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {kept, type Kept} from './support.ts';

const GIT_ENV = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

function run(at: Kept, command: string): void {
  execFileSync('sh', ['-c', command], {cwd: at.root, env: {...process.env, ...GIT_ENV}, stdio: 'pipe'});
}

/** A repository with two commits on main, a merged branch and one that is not. */
async function repository(): Promise<Kept> {
  const at = await kept({'a.txt': '1\n'}, {env: {...GIT_ENV, HOME: '/nonexistent', PATH: process.env['PATH']}});
  run(
    at,
    `git init -qb main; git add a.txt; git commit -qm 1; git branch merged; echo 2 > a.txt; git commit -qam 2
     git checkout -qb topic; echo 3 > b.txt; git add b.txt; git commit -qm 3; git checkout -q main`,
  );
  return at;
}

/** Ids differ from run to run with the time of the commits. */
function notesOf(notes: readonly string[] | undefined): readonly string[] {
  return (notes ?? []).map((note) => note.replaceAll(/[0-9a-f]{12}/g, 'ID'));
}

const HEAD = 'HEAD of the git repository is gone (it was main at ID): undo does not bring back what is in .git.';
const refs = (names: string): string => `These refs of the git repository are gone: ${names}: undo does not bring back what is in .git.`;
const commits = (names: string): string =>
  `Commits of the git repository cannot be read any more: ${names}: undo does not bring back what is in .git.`;
const HOLES =
  'The history of the git repository has holes: objects that it needs are gone (see `git fsck`): undo does not bring back what is in .git.';
const ALL_REFS = refs('main at ID, merged at ID, topic at ID');
const ALL_COMMITS = commits('main at ID, merged at ID, topic at ID');

describe('what a command takes from git is named (design 1.2, issue 14.2: nothing lost in silence)', () => {
  const cases: readonly (readonly [command: string, named: readonly string[]])[] = [
    ['find .git -type f -delete', [HEAD, ALL_REFS, ALL_COMMITS]],
    ['rm -rf .git', [HEAD, ALL_REFS, ALL_COMMITS]],
    ['rm .git/HEAD', [HEAD]],
    ['echo garbage > .git/HEAD', [HEAD]],
    ['git branch -qD topic', [refs('topic at ID')]],
    ['echo x > .git/refs/heads/topic', [refs('topic at ID')]],
    ['rm -r .git/refs/heads; mkdir .git/refs/heads', [ALL_REFS]],
    ['id=$(git rev-parse main); rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)', [commits('main at ID')]],
    ['id=$(git rev-parse main:a.txt); rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-)', [HOLES]],
    ['git gc -q; rm -f .git/objects/pack/*', [ALL_COMMITS]],
    [
      'git reset -q --hard HEAD~1; git branch -qD topic; git reflog expire --expire=now --all; git gc -q --prune=now',
      [refs('topic at ID'), commits('main at ID, topic at ID')],
    ],
  ];
  for (const [command, named] of cases) {
    it(`named: ${command}`, async () => {
      const at = await repository();
      const done = await at.turn('tree', () => run(at, command));
      expect(notesOf(done?.notes)).toEqual(named);
    });
  }

  it.each([
    ['git stash drop -q', 'stash@{0} at ID'],
    ['git stash drop -q stash@{1}', 'stash@{1} at ID'],
    ['git stash drop -q stash@{2}', 'stash@{2} at ID'],
    ['git stash clear', 'stash@{0} at ID, stash@{1} at ID, stash@{2} at ID'],
    ['rm .git/logs/refs/stash', 'stash@{1} at ID, stash@{2} at ID'],
  ])('of three stashes: %s', async (command, named) => {
    const at = await repository();
    run(at, 'for n in 1 2 3; do echo $n >> a.txt; git stash -q; done');
    const done = await at.turn('tree', () => run(at, command));
    expect(notesOf(done?.notes)).toEqual([refs(named)]);
  });

  it('a stash more is not a loss', async () => {
    const at = await repository();
    run(at, 'echo 1 >> a.txt; git stash -q');
    const done = await at.turn('tree', () => run(at, 'echo 2 >> a.txt; git stash -q; echo 3 > c.txt'));
    expect(notesOf(done?.notes)).toEqual([]);
  });

  for (const command of [
    'git gc -q --prune=now',
    'git repack -qad; git prune-packed -q',
    'git pack-refs --all',
    'git branch -qd merged',
    'git branch -qm topic other',
    'git checkout -q topic; git rebase -q merged; git rebase -q main',
    'git commit -q --amend -m other',
    'git reset -q --hard HEAD~1',
    'git checkout -q --orphan fresh',
    'git checkout -q --detach; git checkout -q main',
    'git worktree add -q ../wt-$$ topic; git worktree remove ../wt-$$',
    'echo 4 >> a.txt; git stash -q; git stash pop -q; git tag v1; git tag -d v1',
  ]) {
    it(`silent: ${command}`, async () => {
      const at = await repository();
      const done = await at.turn('tree', () => run(at, command));
      expect(notesOf(done?.notes)).toEqual([]);
    });
  }

  it('a commit that an earlier command left to the reflog and a later one prunes', async () => {
    const at = await repository();
    await at.turn('tree', () => run(at, 'git branch -qf topic main'));
    const pruned = await at.turn('tree', () => run(at, 'git reflog expire --expire=now --all; git gc -q --prune=now'));
    expect(notesOf(pruned?.notes)).toEqual([commits('topic at ID')]);
  });
});
