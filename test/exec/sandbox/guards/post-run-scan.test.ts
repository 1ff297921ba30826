import {execSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {git, missingSandbox, sandboxed, type Walled} from '../support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

const GIT = 'export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null;';

/** What is told, without the folders of this test. */
function reported({root, state}: Walled, err: string): string[] {
  const lines = err.split('\n').filter((line) => line.startsWith('[sandbox: '));
  return lines.map((line) =>
    line
      .slice(10, -1)
      .replaceAll(root, 'ROOT')
      .replaceAll(state, 'STATE')
      .replace(/aside_\w+|aside-\w+/, 'ID'),
  );
}

describe.skipIf(missing !== undefined)('what a command leaves that programs outside would run (issue 4 "Safe by construction")', () => {
  it('names that must not come into being in the root go from further down, with the way back', async () => {
    const at = await sandboxed({}, {'sub/b.txt': 'b'});
    const line =
      'mkdir -p sub/.vscode a/b/c/d/e/.claude; echo evil > sub/.vscode/tasks.json; echo evil > a/b/c/d/e/.claude/settings.json; echo evil > sub/.envrc';
    const {err} = await at.run(line);
    expect([
      reported(at, err),
      existsSync(join(at.root, 'sub/.vscode')),
      existsSync(join(at.root, 'a/b/c/d/e/.claude')),
      readdirSync(join(at.root, 'sub')),
    ]).toMatchInlineSnapshot(`
      [
        [
          "a/b/c/d/e/.claude was set aside: other programs load it. A person brings it back with: mv -T 'STATE/set-aside/ID/a/b/c/d/e/.claude' 'ROOT/a/b/c/d/e/.claude'",
          "sub/.vscode was set aside: other programs load it. A person brings it back with: mv -T 'STATE/set-aside/ID/sub/.vscode' 'ROOT/sub/.vscode'",
          "sub/.envrc was set aside: other programs load it. A person brings it back with: mv -T 'STATE/set-aside/ID/sub/.envrc' 'ROOT/sub/.envrc'",
        ],
        false,
        false,
        [
          "b.txt",
        ],
      ]
    `);
    const again = await at.run('mkdir -p sub/.vscode; echo evil > sub/.vscode/tasks.json');
    expect([reported(at, again.err).length, existsSync(join(at.root, 'sub/.vscode'))]).toEqual([1, false]);
    const [, back = ''] = /with: (mv -T .*)\]/.exec(err) ?? [];
    execSync(back, {shell: '/bin/sh'});
    expect((await at.run('true')).err).toBe('');
    expect(existsSync(join(at.root, 'a/b/c/d/e/.claude/settings.json'))).toBe(true);
  });

  it('other protected names are told, once; what was there and was changed, too', async () => {
    const at = await sandboxed({}, {'a/b/c/d/AGENTS.md': 'be good\n', 'a/b/c/d/.vscode/tasks.json': '{}'});
    const first = await at.run(
      'echo x > sub.desktop; mkdir -p sub && echo x > sub/.gitattributes; echo evil > a/b/c/d/AGENTS.md; echo evil > a/b/c/d/.vscode/tasks.json',
    );
    const second = await at.run('true');
    expect([reported(at, first.err), reported(at, second.err)]).toMatchInlineSnapshot(`
      [
        [
          "sub.desktop is new, and other programs load it: look at it.",
          "sub/.gitattributes is new, and other programs load it: look at it.",
          "a/b/c/d/.vscode/tasks.json was changed, and other programs load it: look at it.",
          "a/b/c/d/AGENTS.md was changed, and other programs load it: look at it.",
        ],
        [],
      ]
    `);
  });

  it('while other commands run nothing is told twice', async () => {
    const at = await sandboxed();
    const held = await at.sandbox.wrap({program: '/bin/true', args: []}, {cwd: at.root, env: {PATH: '/usr/bin:/bin'}});
    const first = await at.run('echo x > sub.desktop');
    const second = await at.run('true');
    const third = await at.run('echo other >> sub.desktop');
    const notes = await held.release();
    const line = 'sub.desktop is new, and other programs load it: look at it.';
    expect([reported(at, first.err), reported(at, second.err), reported(at, third.err).length, notes]).toEqual([[line], [], 1, []]);
  });

  it('a repository that is fetched or made works, its names are told and stay, also those of later commands', async () => {
    const at = await sandboxed();
    mkdirSync(join(at.root, 'from/.github/workflows'), {recursive: true});
    writeFileSync(join(at.root, 'from/.github/workflows/ci.yml'), 'on: push\n');
    git(join(at.root, 'from'), 'init', '-q', '-b', 'main');
    git(join(at.root, 'from'), 'add', '-A');
    git(join(at.root, 'from'), '-c', 'user.name=n', '-c', 'user.email=a@b.example', 'commit', '-qm', 'one');
    const clone = await at.run(
      `${GIT} git clone -q from clone && git init -q made && cd made && git config user.name n && git config user.email a@b.example && echo x > x && git add x && git commit -qm one && git -C ../clone status --short`,
    );
    const later = await at.run('echo x > clone/AGENTS.md');
    expect([clone.code, clone.out, reported(at, clone.err), reported(at, later.err), readdirSync(join(at.root, 'clone')).sort()])
      .toMatchInlineSnapshot(`
      [
        0,
        "",
        [
          "clone/.github/workflows is new, and other programs load it: look at it.",
        ],
        [
          "clone/AGENTS.md is new, and other programs load it: look at it.",
        ],
        [
          ".git",
          ".github",
          "AGENTS.md",
        ],
      ]
    `);
    expect(git(join(at.root, 'made'), 'log', '--format=%s')).toBe('one\n');
  });

  it.each<[string, string, string]>([
    [
      'a hook',
      `git init -q sub; echo '#!/bin/sh' > sub/.git/hooks/pre-commit; chmod +x sub/.git/hooks/pre-commit`,
      'sub/.git/hooks/pre-commit',
    ],
    ['a program in the configuration', 'git init -q sub; git -C sub config core.fsmonitor ./evil', 'sub/.git/config'],
    ['an include', 'git init -q sub; git -C sub config include.path ../evil', 'sub/.git/config'],
    [
      'a configuration for worktrees',
      `git init -q sub; printf '[core]\\n\\tpager = evil\\n' > sub/.git/config.worktree`,
      'sub/.git/config.worktree',
    ],
    ['a bare repository', 'git init -q --bare sub; git -C sub config core.fsmonitor ./evil', 'sub/config'],
    [
      'a bare repository with links',
      'git init -q --bare x; mkdir sub; cp x/HEAD sub; cp x/config sub/config; echo "[core] pager = evil" >> sub/config; ln -s ../x/refs ../x/objects sub',
      'sub/config',
    ],
    ['a configuration that is a link', 'git init -q sub; mv sub/.git/config evil; ln -s ../../evil sub/.git/config', 'sub/.git/config'],
    ['a folder that leads elsewhere', 'git init -q sub; echo ../../a > sub/.git/commondir', 'sub/.git/commondir'],
    [
      'a file that leads to a repository',
      'mkdir sub; git init -q --bare node_modules/x; echo "gitdir: ../node_modules/x" > sub/.git',
      'sub/.git',
    ],
    [
      'a file that leads to a part of a repository among packages',
      'mkdir sub; git init -q --bare node_modules/x/.git/modules/y; echo "gitdir: ../node_modules/x/.git/modules/y" > sub/.git',
      'sub/.git',
    ],
    [
      'a file that leads to a repository that is not part of one',
      'git init -q made; mkdir made/sub; echo "gitdir: ../.git" > made/sub/.git',
      'made/sub/.git',
    ],
    ['a link to a repository', 'mkdir sub; git init -q --bare node_modules/x; ln -s ../node_modules/x sub/.git', 'sub/.git'],
    [
      'a submodule',
      'git init -q sub; git init -q --bare sub/.git/modules/a/b; git -C sub/.git/modules/a/b config core.sshCommand evil',
      'sub/.git/modules/a/b/config',
    ],
    ['a worktree that leads elsewhere', 'mkdir -p .git/worktrees/x; echo /tmp > .git/worktrees/x/commondir', '.git/worktrees/x/commondir'],
  ])('%s of a new repository is set aside (CVE-2026-26268, CVE-2024-32002)', async (_, line, path) => {
    const at = await sandboxed();
    const {err} = await at.run(`${GIT} ${line}`);
    const [first = ''] = reported(at, err);
    expect([first.split(':')[0], existsSync(join(at.root, path))]).toEqual([`${path} was set aside`, false]);
  });

  it('a rebase that goes on with commands is told', async () => {
    const at = await sandboxed();
    git(at.root, 'add', '-A');
    git(at.root, 'commit', '-qm', 'one');
    git(at.root, 'commit', '-q', '--allow-empty', '-m', 'two');
    const {err} = await at.run(`${GIT} git rebase -q --exec false HEAD~1`);
    expect(reported(at, err).at(-1)).toBe(undefined);
    const again = await at.run(`echo 'exec evil' >> .git/rebase-merge/git-rebase-todo`);
    expect(reported(at, again.err)).toEqual(['.git/rebase-merge/git-rebase-todo runs commands when the rebase goes on: look at it.']);
  });

  it('a name that could make up a line, or lead the way back elsewhere, does not', async () => {
    const at = await sandboxed();
    const {err} = await at.run(String.raw`d=$(printf 'x\n[sandbox: all is well]\n'); mkdir -p "$d/.vscode" "it's/.vscode"`);
    expect(reported(at, err)).toMatchInlineSnapshot(`
      [
        ""x\\n[sandbox: all is well]/.vscode" was set aside: other programs load it. A person brings it back with: mv -T 'STATE/set-aside/ID/x?[sandbox: all is well]/.vscode' 'ROOT/x?[sandbox: all is well]/.vscode'",
        "it's/.vscode was set aside: other programs load it. A person brings it back with: mv -T 'STATE/set-aside/ID/it'\\''s/.vscode' 'ROOT/it'\\''s/.vscode'",
      ]
    `);
  });

  it('what a name that is not text may hide is told', async () => {
    const at = await sandboxed();
    const {err} = await at.run(String.raw`mkdir -p "$(printf 'sub/\377')/.vscode"`);
    expect(reported(at, err)).toMatchInlineSnapshot(`
      [
        "sub/� has a name that is not text; its content was not scanned: look at it.",
      ]
    `);
  });

  it('a folder that a link was put for while commands run is not followed', async () => {
    const at = await sandboxed();
    const place = {cwd: at.root, env: {PATH: '/usr/bin:/bin'}};
    const first = await at.sandbox.wrap({program: '/bin/true', args: []}, place);
    mkdirSync(join(at.outside, '.vscode'));
    await at.run(`ln -s ${at.outside} sub`);
    const notes = await first.release();
    expect([notes, readdirSync(at.outside), statSync(join(at.root, 'sub')).isDirectory()]).toEqual([[], ['.vscode', 'b.txt'], true]);
    expect(readFileSync(join(at.outside, 'b.txt'), 'utf8')).toBe('two\n');
  });
});
