import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync} from 'node:fs';
import {join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {WrappedCommand} from '../../../src/exec/sandbox/sandbox.ts';
import {openSandbox} from '../../../src/exec/sandbox/open-sandbox.ts';
import {git, missingSandbox, sandboxed, type Walled} from './support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

const PLACE = {env: {PATH: '/usr/bin:/bin'}};

describe.skipIf(missing !== undefined)('commands that make room for the next one', () => {
  it('what is protected stays so when the workspace is flooded with names that are protected, too', async () => {
    const files = {'packages/a/.vscode/tasks.json': 'old', 'x/y/z/w/.git/config': 'old'};
    const {root, run} = await sandboxed({}, files);
    await run('true');
    await run('for i in $(seq 1 300); do : > a$i.desktop; done');
    await run('for path in packages/a/.vscode/tasks.json x/y/z/w/.git/config; do echo evil > $path; done; rm a*.desktop');
    expect(Object.keys(files).map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['old', 'old']);
  }, 30_000);

  it('the same when it is flooded with folders; repositories are found deeper down (CVE-2026-26268)', async () => {
    const files = {'packages/a/.vscode/tasks.json': 'old', 'x/y/z/w/.git/config': 'old'};
    const {root, run} = await sandboxed({}, files);
    await run('for i in $(seq 1 3500); do echo d$i; done | xargs mkdir');
    await run('for path in packages/a/.vscode/tasks.json x/y/z/w/.git/config; do echo evil > $path; done; rmdir d*');
    expect(Object.keys(files).map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['old', 'old']);
  }, 30_000);

  it('a folder that a running command has made is in no mount of the next: it could be a link by then (CVE-2026-39861)', async () => {
    const at = await sandboxed();
    const first = await at.sandbox.wrap({program: '/bin/true', args: []}, {...PLACE, cwd: at.root});
    mkdirSync(join(at.root, 'z/.vscode'), {recursive: true});
    const line = `echo escaped > ${at.outside}/b.txt; cat ${at.home}/.ssh/id_ed25519`;
    const second = await at.sandbox.wrap({program: '/bin/sh', args: ['-c', line]}, {...PLACE, cwd: at.root});
    swap(at, 'z');
    const out = output(second);
    for (const {release} of [first, second]) await release();
    expect([out, readFileSync(join(at.outside, 'b.txt'), 'utf8')]).toEqual(['', 'two\n']);
  });

  it('what is protected and was replaced while a command runs is in no mount of the next', async () => {
    const at = await sandboxed({}, {'z/.vscode/tasks.json': 'old'});
    const first = await at.sandbox.wrap({program: '/bin/true', args: []}, {...PLACE, cwd: at.root});
    rmSync(join(at.root, 'z'), {recursive: true});
    mkdirSync(join(at.root, 'z/.vscode'), {recursive: true});
    const second = await at.sandbox.wrap(
      {program: '/bin/sh', args: ['-c', `echo escaped > ${at.outside}/b.txt`]},
      {...PLACE, cwd: at.root},
    );
    swap(at, 'z');
    output(second);
    for (const {release} of [first, second]) await release();
    expect(readFileSync(join(at.outside, 'b.txt'), 'utf8')).toBe('two\n');
  });

  it('a further folder that may be written, and lies in another one, is not what a link makes of it', async () => {
    const {outside: folder} = await sandboxed();
    mkdirSync(join(folder, 'inner'));
    const at = await sandboxed({writable: [folder, join(folder, 'inner')]});
    await at.run(`rmdir ${folder}/inner; ln -s ${relative(folder, at.outside)} ${folder}/inner`);
    await at.run(`echo escaped > ${at.outside}/b.txt`);
    expect(readFileSync(join(at.outside, 'b.txt'), 'utf8')).toBe('two\n');
  });

  it('links in .git that git would write through are taken away, those that a person made stay', async () => {
    const {root, home, run} = await sandboxed();
    git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
    symlinkSync('HEAD', join(root, '.git/MINE'));
    const line = `ln -sf ${home}/notes.txt .git/logs/HEAD; ln -s ${home}/notes.txt .git/COMMIT_EDITMSG.x; mkdir -p .git/logs/refs/a; ln -s / .git/logs/refs/a/b`;
    const {err} = await run(line);
    git(root, 'commit', '-q', '--allow-empty', '-m', '$(evil)');
    expect([readFileSync(join(home, 'notes.txt'), 'utf8'), readlinkSync(join(root, '.git/MINE')), err.replaceAll(home, 'HOME')])
      .toMatchInlineSnapshot(`
      [
        "plain
      ",
        "HEAD",
        "[sandbox: .git/COMMIT_EDITMSG.x was a link to HOME/notes.txt, which git would have followed: it was taken away.]
      [sandbox: .git/logs/HEAD was a link to HOME/notes.txt, which git would have followed: it was taken away.]
      [sandbox: .git/logs/refs/a/b was a link to /, which git would have followed: it was taken away.]
      ",
      ]
    `);
  });

  it('placeholders stay until the last command of all sandboxes in a folder has ended', async () => {
    const at = await sandboxed();
    const other = await openSandbox(at.sandbox.rules);
    const [one, two] = await Promise.all(
      [at.sandbox, other].map((box) => box.wrap({program: '/bin/true', args: []}, {...PLACE, cwd: at.root})),
    );
    await one?.release();
    const between = existsSync(join(at.root, '.vscode'));
    await two?.release();
    await other.close();
    expect([between, existsSync(join(at.root, '.vscode'))]).toEqual([true, false]);
  });
});

function output({program, args, env}: WrappedCommand): string {
  return spawnSync(program, args, {env, encoding: 'utf8'}).stdout;
}

function swap({root, outside}: Walled, name: string): void {
  renameSync(join(root, name), join(root, `${name}-moved`));
  mkdirSync(join(outside, '.vscode'));
  symlinkSync(relative(root, outside), join(root, name));
}
