import {execFileSync, spawnSync} from 'node:child_process';
import {appendFile, chmod, cp, mkdir, readdir, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createExecEnvironment} from '../../src/exec/create-environment.ts';
import {scanGitConfig} from '../../src/sdk/trust/scan-git-config.ts';
import {gitItems, safeGitFor} from '../../src/sdk/trust/trust-git.ts';
import {scratch} from '../support/scratch.ts';
import {casesOf} from '../support/thorough.ts';

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];

interface Hostile {
  readonly root: string;
  readonly home: string;
  /** Programs leave a file with their name here. */
  readonly ran: string;
}

/** A repository in which every setting that can name a program names one that leaves a trace. */
async function hostileRepository(): Promise<Hostile> {
  const base = await scratch({'work/a.txt': 'one\n', 'work/b.txt': 'one\n', 'work/.gitattributes': '*.txt filter=f diff=d merge=m\n'});
  const [root, home, ran] = ['work', 'home', 'ran'].map((name) => join(base, name)) as [string, string, string];
  await Promise.all([mkdir(home), mkdir(ran), mkdir(join(base, 'bin'))]);
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], {cwd: root, encoding: 'utf8', env: {PATH: process.env['PATH'], HOME: home}});
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  git('checkout', '-qb', 'other');
  await writeFile(join(root, 'a.txt'), 'other\n');
  git('commit', '-qam', 'other');
  git('checkout', '-q', 'main');
  await writeFile(join(root, 'b.txt'), 'changed on main\n');
  git('commit', '-qam', 'main');
  await writeFile(join(root, 'a.txt'), 'two\n');
  // Each program passes its input on, so that the control goes through as well.
  const program = (name: string): string => `touch ${ran}/${name}; cat`;
  const settings: Record<string, string> = {
    'core.fsmonitor': `touch ${ran}/fsmonitor; false`,
    'core.pager': program('pager'),
    'core.editor': `touch ${ran}/editor; true`,
    'sequence.editor': `touch ${ran}/sequence; true`,
    'core.sshCommand': `touch ${ran}/ssh; false`,
    'core.gitProxy': join(base, 'bin/proxy'),
    'core.askPass': join(base, 'bin/askpass'),
    'filter.f.clean': program('clean'),
    'filter.f.smudge': program('smudge'),
    'diff.d.textconv': join(base, 'bin/textconv'),
    'diff.d.command': join(base, 'bin/diff'),
    'merge.m.driver': `touch ${ran}/merge; false`,
    'gpg.program': join(base, 'bin/gpg'),
    'credential.helper': `!touch ${ran}/credential; cat`,
    'pager.log': program('pager-log'),
    'interactive.diffFilter': program('filter'),
    'protocol.ext.allow': 'always',
    'remote.ext.url': `ext::touch ${ran}/ext`,
    'remote.pack.url': root,
    'remote.pack.uploadpack': `touch ${ran}/uploadpack; git-upload-pack`,
    'remote.ssh.url': 'ssh://127.0.0.1/x',
    'remote.proxied.url': 'git://127.0.0.1:9/x',
    'credential.https://example.org.helper': `!touch ${ran}/credential-url; cat`,
    'difftool.t.cmd': `touch ${ran}/difftool`,
    'trailer.t.command': `touch ${ran}/trailer`,
    'tar.x.command': program('tar'),
  };
  await appendFile(join(root, '.git/config'), Object.entries(settings).map(configText).join(''));
  for (const name of ['proxy', 'askpass', 'textconv', 'diff', 'gpg']) {
    await writeFile(join(base, 'bin', name), `#!/bin/sh\ntouch ${ran}/${name}\n`);
    await chmod(join(base, 'bin', name), 0o755);
  }
  for (const name of ['pre-commit', 'post-checkout', 'post-index-change', 'pre-push', 'reference-transaction']) {
    await writeFile(join(root, '.git/hooks', name), `#!/bin/sh\ntouch ${ran}/hook-${name}\n`, {mode: 0o755});
  }
  return {root, home, ran};
}

function configText([key, value]: readonly [string, string]): string {
  const parts = key.split('.');
  const name = parts.slice(1, -1).join('.');
  return `[${parts[0]}${name === '' ? '' : ` "${name}"`}]\n\t${parts.at(-1)} = ${JSON.stringify(value)}\n`;
}

async function run({root, home}: Hostile, command: string, isSafe: boolean, folder = root): Promise<{code: number | null; text: string}> {
  const env = {PATH: process.env['PATH'], HOME: home};
  const addedFor = isSafe ? (cwd: string) => safeGitFor(cwd, {root, env, home}) : undefined;
  const exec = createExecEnvironment({cwd: folder, spoolDir: join(home, 'spool'), env, addedFor});
  const spec = {shell: command, timeoutMs: 20_000, capture: {headBytes: 8192, tailBytes: 8192}};
  const done = await exec.run(spec, AbortSignal.timeout(20_000));
  return {code: done.exitCode, text: done.stdout.head + done.stderr.head};
}

const ID = IDENTITY.join(' ');
/** The command; whether it does its work without the programs. */
const COMMANDS: readonly (readonly [command: string, code: number])[] = [
  ['git status --short', 0],
  ['git diff', 0],
  ['git --paginate log -p -3', 0],
  ['git show HEAD~1', 0],
  ['git add a.txt', 0],
  [`git ${ID} commit -qam x`, 0],
  [`git ${ID} commit -qa --amend -e`, 0],
  ['git checkout -q -- a.txt', 0],
  [`git ${ID} stash`, 0],
  ['git blame a.txt', 0],
  ['git blame --textconv a.txt', 0],
  ['git grep -O two', 0],
  [`git stash -q 2>/dev/null; git ${ID} merge -q other`, 0],
  [`git ${ID} rebase -q -i --autostash HEAD~1`, 0],
  [`git ${ID} commit -q -S --allow-empty -m x`, 128],
  [`echo x | git interpret-trailers`, 0],
  ['git archive --format=x HEAD', 0],
  ['git fetch ext', 128],
  ['git fetch -q pack', 128],
  ['git push -q pack HEAD:x', 128],
  ['git fetch ssh', 128],
  ['git fetch proxied', 128],
  ['printf "protocol=https\\nhost=example.org\\n\\n" | git credential fill', 128],
  ['printf "y\\n" | git -c interactive.singleKey=false add -p a.txt', 0],
  ['git difftool -y -t t HEAD~1 -- a.txt; true', 0],
];

describe('security of repositories: git runs no program that an untrusted repository names (CVE-2026-26268, CVE-2026-44465)', () => {
  it.each(COMMANDS)('%s', async (command, code) => {
    const at = await hostileRepository();
    const done = await run(at, command, true);
    expect({ran: await readdir(at.ran), code: done.code}, done.text).toEqual({ran: [], code});
  });

  it('without the variables they do run: what is tested is an attack', async () => {
    const at = await hostileRepository();
    for (const [command] of COMMANDS) await run(at, command, false);
    expect((await readdir(at.ran)).sort()).toMatchInlineSnapshot(`
      [
        "askpass",
        "clean",
        "credential",
        "credential-url",
        "diff",
        "ext",
        "fsmonitor",
        "hook-post-checkout",
        "hook-post-index-change",
        "hook-pre-commit",
        "hook-pre-push",
        "hook-reference-transaction",
        "merge",
        "proxy",
        "smudge",
        "ssh",
        "tar",
        "textconv",
        "trailer",
        "uploadpack",
      ]
    `);
  });

  it('the variables are not more than they need to be where a repository sets nothing', async () => {
    const root = await scratch({'.git/config': '[core]\n\tbare = false\n', '.git/HEAD': 'ref: refs/heads/main\n'});
    const variables = await safeGitFor(root, {root, env: {}, home: join(root, 'nobody')});
    expect(settingsOf(variables)).toMatchInlineSnapshot(`
      [
        "core.fsmonitor=false",
        "core.hooksPath=/dev/null",
        "core.pager=cat",
        "core.editor=true",
        "core.sshCommand=ssh",
        "core.askPass=",
        "sequence.editor=true",
        "credential.helper=",
        "gpg.program=gpg",
        "protocol.ext.allow=never",
        "safe.bareRepository=explicit",
      ]
    `);
  });
});

/** `key=value` of each setting. */
function settingsOf(variables: Readonly<Record<string, string>>): string[] {
  const count = Number(variables['GIT_CONFIG_COUNT']);
  return Array.from({length: count}, (_, index) => `${variables[`GIT_CONFIG_KEY_${index}`]}=${variables[`GIT_CONFIG_VALUE_${index}`]}`);
}

const filterOf = (trace: string): string => `[filter "f"]\n\tclean = "touch ${trace}; cat"\n`;

/** A clean repository with a changed file that has the filter `f`; `git status` runs it once it is configured somewhere. */
async function filteredRepository(): Promise<Hostile> {
  const base = await scratch({'work/.gitattributes': '*.txt filter=f\n', 'work/a.txt': 'one\n', 'home/.keep': '', 'ran/.keep': ''});
  const [root, home, ran] = ['work', 'home', 'ran'].map((name) => join(base, name)) as [string, string, string];
  const git = (...args: string[]): string =>
    execFileSync('git', [...IDENTITY, ...args], {cwd: root, encoding: 'utf8', env: {PATH: process.env['PATH'], HOME: home}});
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'first');
  await writeFile(join(root, 'a.txt'), 'two\n');
  return {root, home, ran};
}

async function traces(at: Hostile, command: string, folder?: string): Promise<{safe: string[]; control: string[]}> {
  await run(at, command, true, folder);
  const safe = (await readdir(at.ran)).filter((name) => name !== '.keep');
  await run(at, command, false, folder);
  return {safe, control: (await readdir(at.ran)).filter((name) => name !== '.keep')};
}

describe('where the name of a filter may hide (no -c core.… stops filters)', () => {
  it('behind a comment that ends in a backslash, where a reader that joins lines sees nothing', async () => {
    const at = await filteredRepository();
    await appendFile(join(at.root, '.git/config'), `# x \\\n${filterOf(join(at.ran, 'comment'))}`);
    expect(await traces(at, 'git status')).toEqual({safe: [], control: ['comment']});
  });

  it.each([
    ['[include]\n\tpath = ../extra\n', 'extra'],
    ['[includeIf "gitdir:**"]\n\tpath = "../extra"\n', 'extra'],
  ])('in a file that is included: %j', async (config, file) => {
    const at = await filteredRepository();
    await appendFile(join(at.root, '.git/config'), config);
    await writeFile(join(at.root, file), filterOf(join(at.ran, 'included')));
    expect(await traces(at, 'git status')).toEqual({safe: [], control: ['included']});
  });

  it('in the configuration of a work tree', async () => {
    const at = await filteredRepository();
    await appendFile(join(at.root, '.git/config'), '[extensions]\n\tworktreeConfig = true\n');
    await writeFile(join(at.root, '.git/config.worktree'), filterOf(join(at.ran, 'worktree')));
    expect(await traces(at, 'git status')).toEqual({safe: [], control: ['worktree']});
  });

  it('in a repository inside the project, also behind a `.git` file, entered by the command itself', async () => {
    const at = await filteredRepository();
    const inner = await filteredRepository();
    await cp(inner.root, join(at.root, 'deep/inner'), {recursive: true});
    await rename(join(at.root, 'deep/inner/.git'), join(at.root, 'deep/elsewhere'));
    await writeFile(join(at.root, 'deep/inner/.git'), 'gitdir: ../elsewhere\n');
    await appendFile(join(at.root, 'deep/elsewhere/config'), filterOf(join(at.ran, 'inner')));
    expect(await traces(at, 'cd deep/inner && git status')).toEqual({safe: [], control: ['inner']});
  });

  it('in a bare repository inside the project (safe.bareRepository=explicit)', async () => {
    const at = await filteredRepository();
    await run(at, 'git init -q --bare sub', false);
    await appendFile(join(at.root, 'sub/config'), `[core]\n\tfsmonitor = touch ${at.ran}/bare\n\tworktree = ..\n\tbare = false\n`);
    expect(await traces(at, 'git -C sub status')).toEqual({safe: [], control: ['bare']});
  });

  it('a filter of the person stays in force, also where the repository gives the same name to another program', async () => {
    const at = await filteredRepository();
    await writeFile(join(at.home, '.gitconfig'), filterOf(join(at.ran, 'mine')));
    await appendFile(join(at.root, '.git/config'), filterOf(join(at.ran, 'theirs')));
    expect(await traces(at, 'git status')).toEqual({safe: ['mine'], control: ['mine', 'theirs']});
  });

  it('hooks of a bare repository in the project that is a remote: a push does not go there', async () => {
    const at = await filteredRepository();
    await run(at, 'git init -q --bare evil.git && git remote add o ./evil.git', false);
    await writeFile(join(at.root, 'evil.git/hooks/pre-receive'), `#!/bin/sh\ntouch ${at.ran}/pushed\n`, {mode: 0o755});
    expect(await traces(at, 'git push o main:x')).toEqual({safe: [], control: ['pushed']});
  });
});

describe('scanGitConfig', () => {
  const line = fc.constantFrom(
    '[filter "a"]',
    '[filter "b\\"c"]',
    '[FILTER "A"]',
    '[filter.old]',
    '[core]',
    '\tclean = x',
    'clean=x # y \\',
    '# c \\',
    '; c',
    '\tpath = "a;b"',
    'value = a \\',
    '\t"quoted',
    '[diff "d"] textconv = y',
    'bare',
    '',
    '\t[merge  "m"]driver=z',
    'x = "[filter \\"q\\"]"',
  );
  it('finds at least every key that git itself finds in the file (property, git config --list)', async () => {
    const root = await scratch();
    await fc.assert(
      fc.asyncProperty(fc.array(line, {maxLength: 12}), async (lines) => {
        const text = `${lines.join('\n')}\n`;
        await writeFile(join(root, 'config'), text);
        const listed = spawnSync('git', ['config', '--list', '--name-only', '-z', '-f', join(root, 'config')], {encoding: 'utf8'});
        if (listed.status !== 0) return; // git refuses the whole file, and to work with it
        const found = new Set(scanGitConfig(text).values.map(([key]) => key));
        expect(
          listed.stdout.split('\0').filter((key) => key.includes('.') && !found.has(key)),
          text,
        ).toEqual([]);
      }),
      {numRuns: casesOf(150)},
    );
  });
});

describe('gitItems: what a person is asked to trust of a repository', () => {
  it('is each setting that names a program, and each hook that would run; nothing else', async () => {
    const root = await scratch({
      '.git/HEAD': '',
      '.git/config':
        '[core]\n\tbare = false\n\thooksPath = .husky\n[filter "x"]\n\tclean = a \\\n b\n[remote "o"]\n\turl = https://example.org/x\n',
      '.git/hooks/pre-commit': '#!/bin/sh\n',
      '.git/hooks/pre-push.sample': '',
      '.git/hooks/notes': '',
    });
    await chmod(join(root, '.git/hooks/pre-commit'), 0o755);
    const items = await gitItems({root, env: {}, home: root});
    expect(items.map(({path, kind, bytes}) => ({path, kind, text: Buffer.from(bytes).toString()}))).toEqual([
      {path: '.git (programs)', kind: 'git', text: '.git/config: core.hookspath = .husky\n.git/config: filter.x.clean = a  b\n'},
      {path: '.git/hooks/pre-commit', kind: 'git', text: '#!/bin/sh\n'},
    ]);
  });
});
