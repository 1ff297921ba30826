import {readFile, readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import type {CommandResult, CommandSpec} from '../../../src/exec/process/command.ts';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {scratch} from '../../support/scratch.ts';

const capture = {headBytes: 1000, tailBytes: 1000};
type Heard = {stdout: string; stderr: string};

/** Runs one line in a new folder; `until` ends it when that text was printed. */
async function run(
  line: string,
  {timeoutMs = 15_000, until = '\0'}: {timeoutMs?: number; until?: string} = {},
): Promise<CommandResult & {heard: Heard; root: string}> {
  const root = await scratch();
  const stop = new AbortController();
  const heard: Heard = {stdout: '', stderr: ''};
  const environment = createExecEnvironment({cwd: root, spoolDir: join(root, 'spool'), env: {PATH: process.env['PATH'], HOME: root}});
  const result = await environment.run({shell: line, timeoutMs, capture}, stop.signal, (stream, text) => {
    heard[stream] += text;
    if (text.includes(until)) stop.abort();
  });
  return {...result, heard, root};
}

function text({stdout, stderr}: CommandResult): [string, string] {
  return [stdout.head, stderr.head];
}

/** A process is gone when no signal can reach it, or when it is a zombie that nobody has buried. */
async function isAlive(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${Number(pid)}/stat`, 'latin1').catch(() => ' Z ');
  return !/\) Z |^ Z /.test(status);
}

describe('a command', () => {
  it('gives its streams apart, its exit code and its time', async () => {
    const {durationMs, heard, root, ...result} = await run('echo out; echo err >&2; exit 3');
    const stream = (head: string): object => ({
      head,
      tail: '',
      totalBytes: head.length,
      totalLines: 1,
      truncated: false,
      spillPath: undefined,
    });
    expect(result).toEqual({
      exitCode: 3,
      signal: null,
      timedOut: false,
      cancelled: false,
      stdout: stream('out\n'),
      stderr: stream('err\n'),
    });
    expect([durationMs > 0, heard, await readdir(root)]).toEqual([true, {stdout: 'out\n', stderr: 'err\n'}, []]);
  });

  it('microcode tools › bash: "Run via bash -c", without start files', async () => {
    expect(text(await run('echo "${BASH_VERSION:+bash} $0 $-"; [[ -o login_shell ]] || shopt -q login_shell || echo no login'))).toEqual([
      expect.stringMatching(/^bash bash [a-zA-Z]*c\n?/),
      '',
    ]);
  });

  it('has no stdin, no terminal, and only the scrubbed variables', async () => {
    const {stdout} = await run('cat; tty; env | cut -d= -f1 | sort');
    expect(stdout.head.replace('FETTLE_CALL_ID\n', '')).toBe(
      [
        'not a tty',
        'DEBIAN_FRONTEND',
        'GIT_EDITOR',
        'GIT_PAGER',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'LANG',
        'MANPAGER',
        'NONINTERACTIVE',
        'NO_COLOR',
        'PAGER',
        'PATH',
        'PWD',
        'SHLVL',
        'SSH_ASKPASS_REQUIRE',
        'SYSTEMD_PAGER',
        'TERM',
        '_',
        '',
      ].join('\n'),
    );
  });

  it('has streams that can be opened by name', async () => {
    expect(text(await run('echo a > /dev/stdout; echo b > /dev/stderr; echo c | tee /dev/stderr; echo d >> /dev/fd/1'))).toEqual([
      'a\nc\nd\n',
      'b\nc\n',
    ]);
  });

  it('a program runs without a shell, in a folder of its own', async () => {
    const root = await scratch({'sub/x': ''});
    const environment = createExecEnvironment({cwd: root, spoolDir: join(root, 'spool')});
    const spec: CommandSpec = {program: 'ls', args: ['$HOME', '.'], cwd: 'sub', timeoutMs: 15_000, capture};
    const {stdout, exitCode} = await environment.run(spec, new AbortController().signal);
    expect([stdout.head, exitCode]).toEqual(['.:\nx\n', 2]);
  });

  it('names the signal that ended it', async () => {
    const {exitCode, signal, timedOut} = await run('kill -SEGV $$');
    expect({exitCode, signal, timedOut}).toEqual({exitCode: null, signal: 'SIGSEGV', timedOut: false});
  });

  it('puts characters together that the pipe tore apart', async () => {
    const {heard} = await run(
      String.raw`printf '\xf0\x9f'; exec 1>&1; for i in 1 2 3; do printf '' ; done; sleep 0.02; printf '\x98\x80\xff'`,
    );
    expect(heard.stdout).toBe('😀\ufffd');
  });

  it('runs side by side with others', async () => {
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => run(`echo ${n}; exit ${n}`)));
    expect(results.map(({exitCode, stdout}) => [exitCode, stdout.head])).toEqual([1, 2, 3, 4, 5, 6].map((n) => [n, `${n}\n`]));
  });

  it.skipIf(process.platform !== 'linux')('has two of the pipes that are made for many, and inherits none of the others', async () => {
    const line = (n: number): string => `echo ${n}; echo ${n} >&2; readlink /proc/$$/fd/* | grep -c fettle-pipes-`;
    const results = await Promise.all(Array.from({length: 40}, (_, n) => run(line(n))));
    expect(results.map(text)).toEqual(results.map((_, n) => [`${n}\n2\n`, `${n}\n`]));
  });

  it('50 MB of output: both ends, a count, and all of it in a file', async () => {
    const {stdout, root} = await run("head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo end");
    expect({...stdout, head: stdout.head.length, tail: stdout.tail.slice(-6), spillPath: stdout.spillPath?.startsWith(root)}).toEqual({
      head: 1000,
      tail: 'x\nend\n',
      totalBytes: 50_000_005,
      totalLines: 2,
      truncated: true,
      spillPath: true,
      spillLoss: undefined,
    });
  });
});

describe('the end of a command', () => {
  it('the time limit ends an endless one, and what it printed is kept', async () => {
    const {timedOut, cancelled, stdout, signal} = await run('yes', {timeoutMs: 100});
    expect([timedOut, cancelled, stdout.head.startsWith('y\ny\n'), signal]).toEqual([true, false, true, 'SIGTERM']);
  });

  it('a cancelled one is ended, with what it started', async () => {
    const {cancelled, timedOut, stdout} = await run('sleep 1000 & echo $!; wait', {until: '\n'});
    expect([cancelled, timedOut, await isAlive(stdout.head)]).toEqual([true, false, false]);
  });

  it('one that ignores SIGTERM is killed', async () => {
    const {signal, stdout} = await run("trap '' TERM; sleep 1000 & echo $!; wait; wait", {until: '\n'});
    expect([signal, await isAlive(stdout.head)]).toEqual(['SIGKILL', false]);
  });

  it('many that ignore SIGTERM, and one that goes on in a new process all the time, are all killed', async () => {
    const many = `grow() { echo $BASHPID; if [ $1 -lt 5 ]; then grow $(($1+1)) & grow $(($1+1)) & fi; sleep 1000; sleep 1000; }`;
    const runner = `next() { echo $1 > beat; sleep 0.005; [ $1 -gt 2000 ] || { next $(($1+1)) & }; }`;
    const {stdout, root} = await run(`trap '' TERM; ${many}; ${runner}; next 0 & (sleep 0.3; echo enough) & grow 0`, {until: 'enough'});
    const pids = stdout.head.match(/\d+/g) ?? [];
    expect([pids.length, (await Promise.all(pids.map(isAlive))).includes(true)]).toEqual([63, false]);
    // A runner that lives on would make the file anew.
    await rm(join(root, 'beat'), {force: true});
    await run('sleep 0.1');
    expect(await readdir(root)).not.toContain('beat');
  });

  it('one that was cancelled before never starts', async () => {
    const root = await scratch();
    const environment = createExecEnvironment({cwd: root, spoolDir: join(root, 'spool')});
    const result = await environment.run({shell: 'touch ran', timeoutMs: 1000, capture}, AbortSignal.abort());
    expect([result.cancelled, result.exitCode, await readdir(root)]).toEqual([true, null, []]);
  });

  it.each([
    ['a child that holds the pipes', 'sleep 1000 & echo $!'],
    ['a child that let go of them', 'sleep 1000 >/dev/null 2>&1 & echo $!'],
    ['a child that ignores hang-ups', 'nohup sleep 1000 >/dev/null 2>&1 & echo $!'],
    ['a child in a session of its own', 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'],
    ['a child of a child in a session of its own', `setsid bash -c 'sleep 1000 >/dev/null 2>&1 & echo $!'`],
    ['a child that ignores SIGTERM', `bash -c 'trap "" TERM; echo $$; exec >&- 2>&-; sleep 1000; sleep 1000' &`],
    ['a child with no variables that holds the session', 'env -i sleep 1000 >/dev/null 2>&1 & echo $!'],
  ])('nothing survives it: %s', async (_, line) => {
    const {exitCode, stdout, timedOut} = await run(line);
    expect([exitCode, timedOut, stdout.totalLines, await isAlive(stdout.head)]).toEqual([0, false, 1, false]);
  });

  it('what still writes is given the moment it needs', async () => {
    const {root} = await run('echo kept > >(sleep 0.02; cat > log)');
    expect(await readFile(join(root, 'log'), 'utf8')).toBe('kept\n');
  });
});

describe('what cannot be started', () => {
  async function failure(spec: Partial<CommandSpec>): Promise<unknown> {
    const root = await scratch({'plain.txt': 'no program'});
    const environment = createExecEnvironment({cwd: root, spoolDir: join(root, 'spool')});
    try {
      return await environment.run({timeoutMs: 1000, capture, ...spec} as CommandSpec, new AbortController().signal);
    } catch (thrown) {
      return isFettleError(thrown) ? [thrown.code, thrown.message.replace(root, 'ROOT'), thrown.hint !== undefined] : thrown;
    }
  }

  it('says what is missing and what to do', async () => {
    expect([
      await failure({program: 'no-such-program', args: []}),
      await failure({program: './plain.txt', args: []}),
      await failure({shell: 'ls', cwd: 'no/such/folder'}),
      await failure({shell: 'ls', cwd: 'plain.txt'}),
      await failure({shell: 'ls \0'}),
      await failure({shell: `echo ${'x'.repeat(3_000_000)}`}),
    ]).toEqual([
      ['UNAVAILABLE', 'The program no-such-program was not found on this machine.', true],
      ['UNAVAILABLE', 'The program ./plain.txt may not be executed.', true],
      ['NOT_FOUND', 'The working folder ROOT/no/such/folder does not exist.', true],
      ['NOT_FOUND', 'The working folder ROOT/plain.txt does not exist.', true],
      ['BAD_ARGS', 'The system does not take this command line.', true],
      ['BAD_ARGS', 'The system does not take this command line.', true],
    ]);
  });
});
