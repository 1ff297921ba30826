import {existsSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openSandbox} from '../../../src/exec/sandbox/open-sandbox.ts';
import {linkedWorktree} from '../../../src/exec/sandbox/linux/linked-worktree.ts';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {scratch} from '../../support/scratch.ts';
import {git, missingSandbox, sandboxed, type Walled} from './support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

const GIT = 'export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_EDITOR=true;';
const TWO_BRANCHES =
  'git switch -qc side && echo s > s.txt && git add s.txt && git commit -qm s && git switch -q main && echo m > m.txt && git add m.txt && git commit -qm m';

async function committed(): Promise<Walled> {
  const at = await sandboxed();
  git(at.root, 'add', '-A');
  git(at.root, 'commit', '-qm', 'one');
  return at;
}

interface Linked {
  readonly at: Walled;
  readonly tree: string;
  run(line: string): Promise<{code: number | null; out: string; err: string}>;
}

/** A linked worktree beside its repository, with walls of its own. */
async function linked(): Promise<Linked> {
  const at = await committed();
  const tree = join(await scratch(), 'wt');
  git(at.root, 'worktree', 'add', '-q', '-b', 'work', tree);
  const sandbox = await openSandbox({...at.sandbox.rules, root: tree, visible: [...at.sandbox.rules.visible, at.root]});
  const exec = createExecEnvironment({
    cwd: tree,
    spoolDir: join(at.state, 'spool'),
    env: {PATH: process.env['PATH'], HOME: at.home},
    sandbox,
  });
  return {
    at,
    tree,
    async run(line) {
      const capture = {headBytes: 8000, tailBytes: 8000};
      const {exitCode, stdout, stderr} = await exec.run({shell: line, timeoutMs: 15_000, capture}, new AbortController().signal);
      return {code: exitCode, out: stdout.head, err: stderr.head};
    },
  };
}

describe.skipIf(missing !== undefined)('git in the walls (issue 4 "Safe by construction")', () => {
  it.each([
    ['rebase', `${TWO_BRANCHES} && git rebase -q side`, 'm\ns\none\n'],
    ['rebase with commands', `${TWO_BRANCHES} && git rebase -q --exec true side`, 'm\ns\none\n'],
    ['merge', `${TWO_BRANCHES} && git merge -q --no-edit side`, `Merge branch 'side'\nm\ns\none\n`],
    ['cherry-pick', `${TWO_BRANCHES} && git cherry-pick side`, 's\nm\none\n'],
    ['stash', 'echo z >> a.txt; git stash -q && git stash pop -q && git commit -qam two', 'two\none\n'],
    ['gc', `${TWO_BRANCHES} && git gc -q`, 'm\none\n'],
  ])('%s', async (_, line, log) => {
    const {root, run} = await committed();
    const {code, err} = await run(GIT + line);
    expect([code, err.includes('sandbox'), git(root, 'log', '--format=%s')]).toEqual([0, false, log]);
  });

  it('worktree add, and work in it in later commands; what leads to it stays', async () => {
    const {root, run} = await committed();
    const first = await run(`${GIT} git worktree add -q wt && cd wt && echo w > w.txt && git add w.txt && git commit -qm w`);
    const second = await run(
      `${GIT} cd wt && echo x > x.txt && git add x.txt && git commit -qm x; echo evil > .git; cd ../.git/worktrees; echo evil > wt/commondir; echo evil > wt/gitdir; mv wt w2; cd ..; mv worktrees w3`,
    );
    expect([first, second.code === 0, git(join(root, 'wt'), 'log', '--format=%s')]).toEqual([
      {code: 0, out: '', err: ''},
      false,
      'x\nw\none\n',
    ]);
    expect((await run(`${GIT} git worktree remove wt`)).code).not.toBe(0);
  });

  it('a linked worktree commits into its repository, whose hooks, config and other worktrees stay closed', async () => {
    const {at, tree, run} = await linked();
    git(at.root, 'worktree', 'add', '-q', join(at.root, 'other'));
    const work = `${TWO_BRANCHES.replaceAll('main', 'work')} && git rebase -q side && git stash list && git tag v1`;
    const done = await run(GIT + work);
    const common = join(at.root, '.git');
    const own = join(common, 'worktrees/wt');
    const before = [join(own, 'commondir'), join(own, 'gitdir'), join(common, 'config'), join(common, 'worktrees/other/HEAD')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    const line = [
      join(own, 'commondir'),
      join(own, 'gitdir'),
      join(common, 'config'),
      join(common, 'worktrees/other/HEAD'),
      join(common, 'hooks/pre-commit'),
      join(common, 'commondir'),
      join(common, 'HEAD'),
      join(at.root, 'a.txt'),
    ]
      .map((path) => `echo evil > ${path}`)
      .join('; ');
    await run(`${line}; mv ${own} ${own}2; mv ${common}/objects ${common}/o2; echo > ${common}/refs/made`);
    const after = [join(own, 'commondir'), join(own, 'gitdir'), join(common, 'config'), join(common, 'worktrees/other/HEAD')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    // Old references that are packed stay there.
    const said = done.err.replaceAll(/^error: Unable to create .*packed-refs\.lock.*\n/gm, '');
    expect([done.code, said, git(tree, 'log', '--format=%s'), after]).toEqual([0, '', 'm\ns\none\n', before]);
    expect([
      readdirSync(common).filter((name) => ['commondir', 'o2'].includes(name)),
      existsSync(join(common, 'hooks/pre-commit')),
      existsSync(join(common, 'refs/made')),
      readFileSync(join(common, 'HEAD'), 'utf8'),
      readFileSync(join(at.root, 'a.txt'), 'utf8'),
    ]).toEqual([[], false, true, 'ref: refs/heads/main\n', 'one\n']);
  });

  it('links in what it shares are taken away', async () => {
    const {at, run} = await linked();
    const common = join(at.root, '.git');
    const {err} = await run(`ln -s ${at.home}/notes.txt ${common}/logs/refs/heads/x; ln -s / ${common}/worktrees/wt/logs/y`);
    expect([
      err.match(/was taken away/g)?.length,
      existsSync(join(common, 'logs/refs/heads/x')),
      existsSync(join(common, 'worktrees/wt/logs/y')),
    ]).toEqual([2, false, false]);
  });

  it('a folder that says of itself alone that it is the worktree of a repository gets nothing of it (CVE-2024-32004)', async () => {
    const {at, tree} = await linked();
    const own = join(at.root, '.git/worktrees/wt');
    const evil = await scratch({'.git': `gitdir: ${own}\n`});
    expect([linkedWorktree(tree), linkedWorktree(evil)]).toEqual([{own, common: join(at.root, '.git')}, undefined]);
    const sandbox = await openSandbox({...at.sandbox.rules, root: evil, visible: [...at.sandbox.rules.visible, at.root]});
    const exec = createExecEnvironment({cwd: evil, spoolDir: join(at.state, 'spool'), env: {PATH: process.env['PATH']}, sandbox});
    const capture = {headBytes: 8000, tailBytes: 8000};
    const {exitCode} = await exec.run({shell: `echo > ${own}/made`, timeoutMs: 15_000, capture}, new AbortController().signal);
    expect([exitCode, existsSync(join(own, 'made'))]).toEqual([1, false]);
  });

  it.each<[string, (own: string, common: string) => void]>([
    ['leads back elsewhere', (own) => writeFileSync(join(own, 'gitdir'), '/nowhere/.git\n')],
    ['has another repository', (own) => writeFileSync(join(own, 'commondir'), '..\n')],
    [
      'could get a configuration of its own',
      (_, common) => writeFileSync(join(common, 'config'), '[extensions]\n\tworktreeConfig = true\n'),
    ],
    ['lies behind a link', (own) => (renameSync(own, `${own}-real`), symlinkSync('wt-real', own))],
  ])('a worktree that %s is closed', async (_, change) => {
    const {at, tree} = await linked();
    const common = join(at.root, '.git');
    change(join(common, 'worktrees/wt'), common);
    expect(linkedWorktree(tree)).toBe(undefined);
  });

  it('nobody in a repository can put a link where its worktrees write', async () => {
    const {root, outside, run} = await committed();
    mkdirSync(join(outside, 'objects'));
    await run(`for name in objects refs logs; do mv .git/$name .git/$name-2; ln -s ${outside} .git/$name; done`);
    expect(
      readdirSync(join(root, '.git'), {withFileTypes: true}).filter((entry) => entry.isSymbolicLink() || entry.name.endsWith('-2')),
    ).toEqual([]);
  });
});
