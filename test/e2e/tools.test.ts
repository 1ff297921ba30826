import {execFile, execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
import {fettle, place} from './support.ts';

const run = promisify(execFile);

describe('tools call prints what a model would see', () => {
  it('read, ls, glob, grep of the microcode toolset (microcode tools)', async () => {
    const at = await place({'src/a.rs': 'fn a() {}\nfn b() {}\n', 'README.md': 'TODO\n'});
    const call = async (name: string, input: object) =>
      (await sharedFettle(at, ['tools', 'call', '--toolset', 'microcode', name, JSON.stringify(input)])).stdout;
    expect(await call('read', {path: 'src/a.rs', offset: 2})).toBe('2\tfn b() {}\n');
    expect(await call('ls', {})).toBe('f README.md\nd src\n');
    expect(await call('glob', {pattern: 'src/**/*.rs'})).toBe('src/a.rs\n');
    expect(await call('grep', {pattern: 'TODO|FIXME'})).toBe('README.md:1:TODO\n');
  });

  it('bash of the microcode toolset: both streams, the exit code on the last line (microcode tools › bash)', async () => {
    const at = await place();
    const {code, stdout} = await sharedFettle(at, [
      'tools',
      'call',
      '--toolset',
      'microcode',
      'bash',
      '{"command":"echo out; echo err >&2; exit 3"}',
    ]);
    expect(code).toBe(1);
    expect(stdout.trimEnd().split('\n')).toEqual(['out', '--- stderr ---', 'err', expect.stringMatching(/3/)]);
  });

  it('takes the arguments from stdin for `-`; --json gives the structured result', async () => {
    const at = await place({'a.txt': 'x\n'});
    const {code, stdout} = await fettle(at, ['tools', 'call', 'read', '-', '--json'], '{"path":"a.txt"}');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({tool: 'read', outcome: 'success', is_error: false});
  });

  it('a deny rule holds, also for a person', async () => {
    const at = await place();
    const {code, stdout} = await sharedFettle(at, ['tools', 'call', '--deny', 'bash:touch *', 'bash', '{"command":"touch x"}']);
    expect([code, stdout]).toEqual([3, expect.stringContaining('bash:touch *')]);
  });
});

describe('tools call: who types it has decided, but for where it acts (issue: tools call)', () => {
  const cases: readonly [string, string, object, string][] = [
    ['a write outside, by a file tool', 'write', {path: '<out>/b.txt', content: 'x'}, "--allow 'write:<out>/b.txt'"],
    ['a read outside', 'read', {path: '<out>/a.txt'}, "--allow 'read:<out>/a.txt'"],
    ['a protected path', 'write', {path: '.github/workflows/x.yml', content: 'x'}, "--allow 'write:.github/workflows/x.yml'"],
    ['an edit of a protected path', 'edit', {path: '.envrc', old_text: 'a', new_text: 'b'}, "--allow 'edit:.envrc'"],
    ['outside, in a shell line', 'bash', {command: 'touch <out>/b.txt'}, "--allow 'bash:touch <out>/b.txt'"],
    ['a protected path, in a shell line', 'bash', {command: 'cp a.txt .envrc'}, "--allow 'bash:cp a.txt .envrc'"],
    ['a redirect outside', 'bash', {command: 'echo x > <out>/b.txt'}, "--allow 'write:<out>/b.txt'"],
    ['a redirect from outside', 'bash', {command: 'cat < <out>/a.txt'}, "--allow 'read:<out>/a.txt'"],
    [
      'two of them',
      'bash',
      {command: 'touch x.txt; touch <out>/b.txt > .envrc'},
      "--allow 'bash:touch <out>/b.txt' --allow 'write:.envrc'",
    ],
  ];
  it.each(cases)('%s is refused with exit 3 and the rule that lets it pass', async (_, tool, input, rule) => {
    const at = await place({'a.txt': 'a\n', '.envrc': 'a\n'});
    const out = await scratch({'a.txt': 'secret\n'});
    const filled = (text: string): string => text.replaceAll('<out>', out);
    const call = [tool, filled(JSON.stringify(input))];
    const refused = await sharedFettle(at, ['tools', 'call', ...call]);
    expect([refused.code, refused.stderr, refused.stdout.split('\n').at(-2)]).toEqual([3, '', `It passes with ${filled(rule)}`]);
    expect([await readdir(out), await readFile(join(at.work, '.envrc'), 'utf8')]).toEqual([['a.txt'], 'a\n']);
    const flags = [...filled(rule).matchAll(/'([^']*)'/g)].flatMap(([, text = '']) => ['--allow', text]);
    expect((await sharedFettle(at, ['tools', 'call', ...flags, ...call])).code).toBe(0);
  });

  it.each<[string, string, object, string]>([
    ['no rule', 'bash', {command: 'touch b.txt'}, 'touch b.txt: no rule allows it'],
    ['a rule that asks', 'read', {path: '.env'}, '.env is asked by read:*/.env (default)'],
  ])('%s: carried out, and named on stderr', async (_, tool, input, reason) => {
    const at = await place({'.env': 'A=1\n'});
    const {code, stderr} = await sharedFettle(at, ['tools', 'call', tool, JSON.stringify(input)]);
    expect([code, stderr]).toEqual([0, `Asked about, and carried out because you called it: ${reason}\n`]);
  });
});

describe('bad input: a clear line with a hint, the right exit code, nothing half-written', () => {
  it.each<[string, string, string, number, RegExp]>([
    ['an unknown tool', 'raed', '{}', 2, /raed[\s\S]*read/],
    ['arguments that are not JSON', 'read', '{"path": ', 2, /JSON/i],
    ['a missing argument', 'read', '{}', 2, /path/],
    ['a wrong type', 'read', '{"path": ["a"]}', 2, /path/],
    ['a binary file', 'read', '{"path": "binary"}', 1, /binary/i],
    ['a FIFO', 'read', '{"path": "fifo"}', 1, /FIFO|regular file/i],
    ['a device', 'read', '{"path": "/dev/zero"}', 1, /./],
    ['a missing file', 'read', '{"path": "none.txt"}', 1, /none\.txt/],
    ['a missing folder', 'ls', '{"path": "none"}', 1, /none/],
    ['a folder where a file is needed', 'read', '{"path": "folder"}', 1, /folder/],
    ['a file over another folder', 'write', '{"path": "folder", "content": "x"}', 1, /folder/],
    ['text that is not there', 'edit', '{"path": "a.txt", "old_string": "nothing like it", "new_string": "x"}', 1, /is not in the file/],
    ['a pattern that is not a regex', 'grep', '{"pattern": "("}', 2, /regex|parenthesis|group/i],
    ['look-around', 'grep', '{"pattern": "(?=a)"}', 2, /look-around|look/i],
  ])('%s', async (_, tool, json, code, message) => {
    const at = await place({'a.txt': 'one\n', binary: new Uint8Array([1, 0, 2])});
    await mkdir(join(at.work, 'folder'));
    await run('mkfifo', [join(at.work, 'fifo')]);
    const done = await sharedFettle(at, ['tools', 'call', tool, json]);
    expect(done.stdout + done.stderr).toMatch(message);
    expect(done.code).toBe(code);
    expect(await readFile(join(at.work, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it.skipIf(!canMountFullDisk())(
    'a full disk while writing: the old file is intact and no other file is left (needs unshare and mount)',
    async () => {
      const at = await place();
      await mkdir(join(at.work, 'full'));
      const script = join(at.work, 'try.sh');
      const call = JSON.stringify({path: 'full/big.txt', content: 'x'.repeat(400_000)});
      await writeFile(join(at.work, 'call.json'), call);
      await writeFile(
        script,
        `set -e
mount -t tmpfs -o size=200k tmpfs full
echo old > full/big.txt
"$NODE" "$FETTLE" tools call write - < call.json || echo "code $?"
ls -A full
cat full/big.txt
`,
      );
      await chmod(script, 0o755);
      const {LAUNCHER} = await import('./support.ts');
      const {stdout} = await run('unshare', ['-rm', 'bash', script], {
        cwd: at.work,
        env: {...at.env, NODE: process.execPath, FETTLE: LAUNCHER},
      });
      expect(stdout).toMatch(/full|ENOSPC|space/i);
      expect(stdout.trimEnd().split('\n').slice(-3)).toEqual(['code 1', 'big.txt', 'old']);
    },
  );
});

function canMountFullDisk(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}
