import {execFileSync} from 'node:child_process';
import {lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {hiddenPlaces} from '../../../src/exec/sandbox/linux/hidden-paths.ts';
import {scratch} from '../../support/scratch.ts';
import {git, missingSandbox, sandboxed} from './support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

/** Says of each call what came of it: 0, or the number of the error. */
const CALLS = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *args):
    ctypes.set_errno(0)
    got = libc.syscall(number, *args)
    print(name, 0 if got >= 0 else ctypes.get_errno())
`;

describe.skipIf(missing !== undefined)('further ways out', () => {
  it('no file that runs as its owner is left: others could start it', async () => {
    const {root, run} = await sandboxed();
    const line = `cp /bin/true x; chmod u+s x; chmod 4755 x; install -m 4755 /bin/true y; python3 -c 'import os; os.chmod("x", 0o4755)'; cp x 'z'; tar cf t x --mode=4755 && rm x && tar xpf t`;
    await run(line);
    expect(['x', 'y', 'z'].map((name) => (lstatSync(join(root, name), {throwIfNoEntry: false})?.mode ?? 0) & 0o6000)).toEqual([0, 0, 0]);
    expect((await run('mkdir shared && chmod g+s shared && git init -q --shared made')).code).toBe(0);
  });

  it('core files go nowhere, also not to the program that the machine names for them', async () => {
    const {run} = await sandboxed();
    const line = `python3 -c 'import resource; print(resource.getrlimit(resource.RLIMIT_CORE))'; prlimit --core=0 true 2>&1; (ulimit -c 0) 2>&1 | tail -c 26; ulimit -n 100 && ulimit -n`;
    const {out} = await run(line);
    expect(out.split('\n').filter((part) => /^\(|^\d/.test(part))).toEqual(['(1, 1)', '100']);
    expect(out).toContain('Function not implemented');
  });

  it.skipIf(process.arch !== 'x64')('calls that lead around mounts, names and other processes are closed', async () => {
    const {root, run} = await sandboxed();
    const calls = [
      ['open_tree', '428, -100, b"/", 1'],
      ['move_mount', '429, -1, b"", -1, b"", 0'],
      ['fsopen', '430, b"tmpfs", 0'],
      ['mount_setattr', '442, -100, b"/", 0, 0, 0'],
      ['pivot_root', '155, b".", b"."'],
      ['open_by_handle_at', '304, -100, 0, 0'],
      ['keyctl', '250, 0, -3, 1'],
      ['add_key', '248, b"user", b"x", b"y", 1, -3'],
      ['io_uring_setup', '425, 1, 0'],
      ['setns', '308, 0, 0'],
      ['bpf', '321, 0, 0, 0'],
      ['userfaultfd', '323, 0'],
      ['clone3', '435, 0, 0'],
      ['ptrace of the first process', '101, 16, 1, 0, 0'],
      ['ptrace of it, long', '101, 16, ctypes.c_ulong(0x100000001), 0, 0'],
      ['process_vm_writev', '311, 1, 0, 0, 0, 0, 0'],
      ['pidfd_open', '434, 1, 0'],
      ['TIOCSTI', '16, 0, 0x5412, b"x"'],
      ['TIOCSTI, long', '16, 0, ctypes.c_ulong(0x100005412), b"x"'],
      ['TIOCLINUX', '16, 0, 0x541c, b"x"'],
      ['vsock', '41, 40, 1, 0'],
      ['unix', '41, 1, 1, 0'],
      ['packet', '41, 17, 3, 0'],
      ['raw', '41, 2, 3, 1'],
    ];
    writeFileSync(join(root, 'calls.py'), CALLS + calls.map(([name, args]) => `call(${JSON.stringify(name)}, ${args})`).join('\n'));
    expect((await run('python3 calls.py')).out).toMatchInlineSnapshot(`
      "open_tree 1
      move_mount 1
      fsopen 1
      mount_setattr 1
      pivot_root 1
      open_by_handle_at 1
      keyctl 1
      add_key 1
      io_uring_setup 38
      setns 1
      bpf 1
      userfaultfd 1
      clone3 38
      ptrace of the first process 1
      ptrace of it, long 1
      process_vm_writev 1
      pidfd_open 1
      TIOCSTI 1
      TIOCSTI, long 1
      TIOCLINUX 1
      vsock 1
      unix 1
      packet 1
      raw 1
      "
    `);
  });

  it('the first process of a sandbox, its descriptors and those of Fettle lead nowhere', async () => {
    const {outside, run} = await sandboxed();
    const line = `for fd in /proc/*/fd/*; do case $(readlink $fd) in /*) echo $fd;; esac; done 2>/dev/null | grep -v self | grep -c . ; (echo x > /proc/1/root${outside}/b.txt) 2>/dev/null || echo closed; (echo x > /proc/1/cwd/../..${outside}/b.txt) 2>/dev/null || echo closed; ls -A /proc/1; (exec 3<> /proc/1/mem) 2>/dev/null || echo closed; grep CapEff /proc/self/status`;
    const {out} = await run(line);
    expect(out.split('\n').slice(1)).toEqual(['closed', 'closed', 'closed', 'CapEff:\t0000000000000000', '']);
    expect(readFileSync(join(outside, 'b.txt'), 'utf8')).toBe('two\n');
  });

  it('a program that is in memory alone is in the same sandbox', async () => {
    const {outside, root, run} = await sandboxed();
    writeFileSync(
      join(root, 'm.py'),
      `import os\nfd = os.memfd_create("x")\nos.write(fd, open("/bin/dd", "rb").read())\nos.execv(f"/proc/self/fd/{fd}", ["dd", "of=${outside}/b.txt", "if=/dev/zero", "count=1"])\n`,
    );
    const {err} = await run('python3 m.py');
    expect([/Read-only file system|No such file/.test(err), readFileSync(join(outside, 'b.txt'), 'utf8')]).toEqual([true, 'two\n']);
  });

  it('a pipe, or a file of any length, in the place of a configuration does not hold up Fettle and does not stay', async () => {
    const {root, run} = await sandboxed();
    const line =
      'git init -q a; git init -q b; git init -q c; rm a/.git/config b/.git/config; mkfifo a/.git/config; truncate -s 3G b/.git/config; head -c 1100000 /dev/zero | tr "\\0" "\\n" >> c/.git/config; printf "[core]\\n pager = evil\\n" >> c/.git/config; git init -q d; head -c 1100000 /dev/zero | tr "\\0" "\\n" >> d/.git/config';
    await run(line);
    const gone = ['a', 'b', 'c', 'd'].filter((name) => lstatSync(join(root, name, '.git/config'), {throwIfNoEntry: false}) === undefined);
    expect(gone).toEqual(['a', 'b', 'c', 'd']);
  }, 60_000);
});

describe.skipIf(missing !== undefined)('what is shown in the walls', () => {
  it('git passes over what holds a place, and over what the person has it pass over; nobody can change that', async () => {
    const at = await sandboxed();
    writeFileSync(join(at.root, '.git/info/exclude'), 'mine.txt\n');
    const {out} = await at.run(
      'echo x > mine.txt; echo x > new.txt; ls -d .vscode; git status --short; (echo "*" >> .git/info/exclude) 2>/dev/null || echo closed; head -1 .git/info/exclude',
    );
    expect([out, readFileSync(join(at.root, '.git/info/exclude'), 'utf8'), git(at.root, 'status', '--short')]).toEqual([
      '.vscode\n?? a.txt\n?? new.txt\nclosed\nmine.txt\n',
      'mine.txt\n',
      '?? a.txt\n?? new.txt\n',
    ]);
  });

  it('autoloaded links further down are reported when they were replaced, and nothing is followed for it', async () => {
    const at = await sandboxed({}, {'sub/rules.txt': 'be good\n'});
    symlinkSync('rules.txt', join(at.root, 'sub/AGENTS.md'));
    const {err} = await at.run(`ln -sfn ${at.outside} sub/AGENTS.md`);
    expect(err).toBe('[sandbox: sub/AGENTS.md was a link to rules.txt and is not any more: look at it.]\n');
  });

  it('a folder in the place of an autoloaded link stays for a person to look at', async () => {
    const at = await sandboxed({}, {'rules.txt': 'be good\n'});
    symlinkSync('rules.txt', join(at.root, 'CLAUDE.md'));
    const {err} = await at.run('rm CLAUDE.md && mkdir CLAUDE.md');
    expect([err, statSync(join(at.root, 'CLAUDE.md')).isDirectory()]).toEqual([
      '[sandbox: CLAUDE.md was a link to rules.txt and is not any more: look at it.]\n',
      true,
    ]);
  });
});

describe('places that hold keys, logins and histories', () => {
  const NAMES =
    `.ssh/id .aws/credentials .netrc .git-credentials .config/gh/hosts.yml .config/Code/x .config/Cursor/x .config/containers/auth.json
    .config/hcloud/cli.toml .config/goose/x .zhistory .local/share/fish/fish_history .sqlite_history .duckdb_history .rediscli_history .irb_history
    .mcp-auth/x .pulumi/credentials.json .supabase/access-token .claude/projects/x .claude/history.jsonl .claude/.credentials.json
    .config/fish/fish_variables .local/share/com.vercel.cli/auth.json`.split(/\s+/);

  it('those that there are, by their real path; a name of two parts hides nothing beside it', async () => {
    const home = await scratch({
      ...Object.fromEntries(NAMES.map((name) => [name, 'KEY\n'])),
      '.config/fish/config.fish': '',
      '.claude/settings.json': '',
      'keys/x': '',
    });
    mkdirSync(join(home, 'plain'));
    symlinkSync('keys', join(home, '.gnupg'));
    const found = hiddenPlaces({homes: [home], own: [], isRoot: false}).map((path) => path.slice(home.length + 1));
    const covered = (name: string): boolean => found.some((place) => name === place || name.startsWith(`${place}/`));
    expect([
      NAMES.filter((name) => !covered(name)),
      covered('keys/x'),
      ['.config/fish/config.fish', '.claude/settings.json', 'plain'].filter(covered),
    ]).toEqual([[], true, []]);
  });

  it('for root also the homes of others and what others may not read', () => {
    const found = hiddenPlaces({homes: [], own: [], isRoot: true});
    const shadow = execFileSync('sh', ['-c', 'ls /etc/shadow 2>/dev/null || true'], {encoding: 'utf8'}).trim();
    expect(shadow === '' || found.includes(shadow)).toBe(true);
    expect(hiddenPlaces({homes: [], own: [], isRoot: false})).toEqual([]);
  });
});
