import {createHash} from 'node:crypto';
import {existsSync, linkSync, readdirSync, readFileSync, readlinkSync, symlinkSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {createServer, type Server} from 'node:net';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {git, missingSandbox, sandboxed} from './support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

const FILES =
  '[sandbox: only ROOT and /tmp can be written, not what other programs load there. Do not try to get around it: say what is needed.]\n';

async function listening(server: Server, at: string | number): Promise<number> {
  await new Promise<void>((resolve) => (typeof at === 'string' ? server.listen(at, resolve) : server.listen(at, '127.0.0.1', resolve)));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.skipIf(missing !== undefined)('the walls around a command', () => {
  it('a write outside fails, and the model is told what is allowed', async () => {
    const {root, outside, run} = await sandboxed();
    const {code, err} = await run(`echo x > ${outside}/new`);
    expect([code, err.replaceAll(root, 'ROOT').replaceAll(outside, 'OUT')]).toEqual([
      1,
      `bash: line 1: OUT/new: Read-only file system\n${FILES}`,
    ]);
    expect(readdirSync(outside)).toEqual(['b.txt']);
  });

  it('the workspace can be written, also its history; nothing is left behind in it', async () => {
    const {root, state, run} = await sandboxed();
    expect(
      await run(
        'export GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1; echo two > b.txt && git add -A && git commit -qm one && git switch -qc side && git gc -q && git log --format=%s',
      ),
    ).toEqual({
      code: 0,
      out: 'one\n',
      err: '',
    });
    expect([git(root, 'ls-files'), git(root, 'status', '--short'), readdirSync(root)]).toEqual([
      'a.txt\nb.txt\n',
      '',
      ['.git', 'a.txt', 'b.txt'],
    ]);
    const left = readdirSync(join(root, '.git')).includes('commondir');
    expect([left, readdirSync(notesOf(root, state)).sort()]).toEqual([false, ['door', 'inside', 'mark']]);
  });

  it.each(
    `.git/hooks/pre-commit .git/config .git/config.worktree .git/commondir .git/info/attributes .git/modules/x .fettle/config.toml
    .mcp.json .vscode/tasks.json .husky/pre-commit .npmrc .envrc AGENTS.md .github/workflows/ci.yml .cargo/config.toml .claude/settings.json`.split(
      /\s+/,
    ),
  )('protected, whether it exists or not: %s (CVE-2026-25725, CVE-2026-26268)', async (path) => {
    const {root, run} = await sandboxed();
    const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
    const tries = [
      `mkdir -p ${dirname(path)}; echo evil > ${path}`,
      `rm -rf ${path}; mkdir -p ${dirname(path)}; echo evil > ${path}`,
      `mkdir -p new/${dirname(path)}; echo evil > new/${path}; mv -T new/${dirname(path)} ${dirname(path)}; cp -r new/. .`,
      `ln -sfn /etc ${path.split('/')[0]}; ln -f a.txt ${path}; mv a.txt ${path}`,
    ];
    for (const line of tries) await run(line);
    expect(existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined).toBe(before);
  });

  it('what is protected deeper down, under another case, and its folders cannot be moved away', async () => {
    const {root, run} = await sandboxed(
      {},
      {'packages/a/.vscode/settings.json': '{}', '.VSCode/settings.json': '{}', '.github/workflows/ci.yml': 'on: push\n'},
    );
    await run('echo x > packages/a/.vscode/settings.json; mv packages/a packages/b; mv packages p2; echo x > .VSCode/settings.json');
    await run('mv .github .g; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml; mv .git .g2; git init -q .');
    expect([
      readFileSync(join(root, 'packages/a/.vscode/settings.json'), 'utf8'),
      readFileSync(join(root, '.VSCode/settings.json'), 'utf8'),
    ]).toEqual(['{}', '{}']);
    expect([readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'), readdirSync(root)]).toEqual([
      'on: push\n',
      ['.VSCode', '.git', '.github', 'a.txt', 'packages'],
    ]);
  });

  it('hooks and includes that the configuration of git names in the workspace stay as they are', async () => {
    const {root, run} = await sandboxed({}, {'tools/hooks/pre-commit': '#!/bin/sh\n', 'shared.gitcfg': '[a]\n'});
    git(root, 'config', 'core.hooksPath', 'tools/hooks');
    git(root, 'config', 'include.path', '../shared.gitcfg');
    await run('echo evil >> tools/hooks/pre-commit; echo evil > tools/hooks/post-commit; echo evil >> shared.gitcfg; mv tools t2');
    expect([
      readFileSync(join(root, 'tools/hooks/pre-commit'), 'utf8'),
      readdirSync(join(root, 'tools/hooks')),
      readFileSync(join(root, 'shared.gitcfg'), 'utf8'),
    ]).toEqual(['#!/bin/sh\n', ['pre-commit'], '[a]\n']);
  });

  it('an autoloaded link is put back, what it leads to stays as it is', async () => {
    const {root, run} = await sandboxed({}, {'docs/agents.txt': 'be good\n'});
    symlinkSync('docs/agents.txt', join(root, 'CLAUDE.md'));
    const {err} = await run('echo evil > CLAUDE.md; echo evil > docs/agents.txt; ln -sfn /etc/passwd CLAUDE.md');
    expect([readlinkSync(join(root, 'CLAUDE.md')), readFileSync(join(root, 'docs/agents.txt'), 'utf8'), err.split('\n').at(-2)]).toEqual([
      'docs/agents.txt',
      'be good\n',
      '[sandbox: CLAUDE.md is protected: the link to docs/agents.txt was put back.]',
    ]);
  });

  it('links, hard links and renames lead nowhere', async () => {
    const {root, home, outside, run} = await sandboxed();
    symlinkSync(outside, join(root, 'out'));
    linkSync(join(root, 'a.txt'), join(root, 'c.txt'));
    await run(
      `echo x > out/b.txt; ln ${outside}/b.txt hard && echo x >> hard; mv ${outside}/b.txt .; ln .git/config cfg && echo x >> cfg; cat ${home}/.ssh/id_ed25519 > stolen`,
    );
    expect([readFileSync(join(outside, 'b.txt'), 'utf8'), readdirSync(root).sort(), readFileSync(join(root, 'stolen'), 'utf8')]).toEqual([
      'two\n',
      ['.git', 'a.txt', 'b.txt', 'c.txt', 'out', 'stolen'],
      '',
    ]);
  });

  it('keys, logins, the logs of Fettle and the temporary files of others are not seen', async () => {
    const {home, state, run} = await sandboxed();
    const line = `cat ${home}/.ssh/id_ed25519 ${home}/.aws/credentials ${home}/.netrc ${home}/.config/gh/hosts.yml ${state}/sessions/log.jsonl 2>/dev/null; cat ${home}/notes.txt; ls -A /run`;
    expect((await run(line)).out).toBe('plain\n');
  });

  it('no server of this machine is reached, no name is looked up', async () => {
    const port = await listening(
      createServer((socket) => socket.end('hello')),
      0,
    );
    const {run} = await sandboxed();
    const {out, err} = await run(
      `(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3); (exec 3<>/dev/tcp/203.0.113.1/80); getent hosts example.com; cat /proc/net/dev | tail -n +3 | cut -d: -f1; false`,
    );
    expect([out, err.split('\n').at(-2)]).toEqual(['    lo\n', expect.stringContaining('[sandbox: there is no network')]);
  });

  it('commands of a session reach one another', async () => {
    const {run} = await sandboxed();
    const server = `python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 8123)); [c.sendall(b"hello") or c.close() for c, _ in iter(s.accept, 0)]'`;
    expect(
      (await run(`${server} & until (exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null; do sleep 0.05; done; cat < /dev/tcp/127.0.0.1/8123`))
        .out,
    ).toBe('hello');
  });

  it('unix sockets are closed, by name and by a pair that is connected anew (GHSA-v4xv-rqh3-w9mc)', async () => {
    const {root, run} = await sandboxed();
    await listening(
      createServer((socket) => socket.end('hello')),
      join(root, 's.sock'),
    );
    const python = `
import socket
for make in (lambda: socket.socket(socket.AF_UNIX), lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM), lambda: socket.socket(40, socket.SOCK_STREAM)):
    try: make(); print("made")
    except OSError as e: print(e.errno)
print(len(socket.socketpair()))`;
    await writeFile(join(root, 'try.py'), python);
    expect((await run('python3 try.py')).out).toBe('1\n1\n1\n2\n');
  });

  it('what it starts ends with it, also what leaves its group and session and forgets its variables', async () => {
    const {root, run} = await sandboxed();
    await run('env -i setsid -f bash -c "sleep 1; echo alive > late.txt"; echo started');
    const left = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes('late.txt'));
    expect([left, existsSync(join(root, 'late.txt'))]).toEqual([[], false]);
  });

  it('/proc shows its own processes alone, and steers nothing', async () => {
    const {run} = await sandboxed();
    const line = `ls -d /proc/[0-9]* | wc -l | tr -d ' '; ls /proc/${process.pid} 2>&1; echo core > /proc/sys/kernel/core_pattern; echo b > /proc/sysrq-trigger; ls /proc/1/root/run; (echo x > /proc/1/root/etc/x); ls /proc/self/fd; grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status`;
    const {out} = await run(line);
    const [count, ...lines] = out.trimEnd().split('\n');
    expect([Number(count) < 9, lines]).toEqual([
      true,
      [
        `ls: cannot access '/proc/${process.pid}': No such file or directory`,
        '0',
        '1',
        '2',
        '3',
        'CapEff:\t0000000000000000',
        'NoNewPrivs:\t1',
        'Seccomp:\t2',
      ],
    ]);
  });

  it('no further namespaces and no mounts', async () => {
    const {root, run} = await sandboxed();
    await run(
      'unshare -Ur true && echo a > made; unshare -m true && echo b > made; mount -t tmpfs x . && echo c > made; umount .git/config && echo d > made',
    );
    expect(readdirSync(root)).toEqual(['.git', 'a.txt']);
  });

  it('a folder of a model is not a writable root (CVE-2025-59532)', async () => {
    const {outside, root, run} = await sandboxed();
    await run(`cd ${outside} && echo x > new; cd ${root}/.. && mkdir sibling`);
    expect([readdirSync(outside), existsSync(join(root, '../sibling'))]).toEqual([['b.txt'], false]);
  });

  it('where there is no repository none can be made, and two commands at once leave nothing', async () => {
    const {root, run} = await sandboxed();
    await run('rm -rf .git 2>/dev/null; true');
    const bare = await sandboxed({}, {});
    await Promise.all([bare.run('git init -q sub; sleep 0.2'), bare.run('echo x > .mcp.json; sleep 0.1; echo y > .mcp.json')]);
    expect([existsSync(join(root, '.git/config')), existsSync(join(bare.root, '.mcp.json'))]).toEqual([true, false]);
  });

  it('read-only: nothing but the folder for temporary files', async () => {
    const {root, run} = await sandboxed({profile: 'read-only'});
    const {code, out} = await run('echo x > new; echo y > $TMPDIR/t && cat $TMPDIR/t');
    expect([code, out, readdirSync(root)]).toEqual([0, 'y\n', ['.git', 'a.txt']]);
  });

  it('what a killed process left in the workspace is taken away by the next command, what is used by now stays', async () => {
    const {root, state, run} = await sandboxed();
    await mkdir(notesOf(root, state), {recursive: true});
    const made = [{path: '.husky'}, {path: '.npmrc', content: ''}, {path: '.envrc', content: ''}];
    const paths = {locked: [], pinned: [], placeholders: made, links: [], gitLinks: [], followed: []};
    const autoloaded = made.map(({path}) => [path, 'made']);
    await writeFile(join(notesOf(root, state), 'found.json'), JSON.stringify({v: 1, found: {paths, made, identities: [], autoloaded}}));
    await mkdir(join(root, '.husky'));
    await writeFile(join(root, '.npmrc'), '');
    await writeFile(join(root, '.envrc'), 'export A=1\n');
    await run('true');
    expect([readdirSync(root), await readFile(join(root, '.envrc'), 'utf8')]).toEqual([['.envrc', '.git', 'a.txt'], 'export A=1\n']);
  });
});

function notesOf(root: string, state: string): string {
  return join(state, 'sandbox', createHash('sha256').update(root).digest('hex').slice(0, 32));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
