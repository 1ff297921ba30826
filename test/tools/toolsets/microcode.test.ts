import {execFileSync} from 'node:child_process';
import {appendFile, chmod, readFile, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeEach, describe, expect, it} from 'vitest';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset} from '../support/open-toolset.ts';

let root: string;
let tools: OpenedToolset;

async function open(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  root = await scratch(files);
  tools = await openToolset('microcode', root);
}

const numbered = (count: number): string => Array.from({length: count}, (_, index) => `line ${index + 1}\n`).join('');

beforeEach(() => open({}));

describe('microcode tools › read', () => {
  it('"Output is <line-number>\\t<line>", "offset— 1-indexed", "limit— max lines to return"', async () => {
    await open({'src/main.rs': 'fn main() {\n\tprintln!("hi");\n}\n'});
    expect(await tools.text('read', {path: 'src/main.rs', offset: 1, limit: 200})).toBe('1\tfn main() {\n2\t\tprintln!("hi");\n3\t}');
    expect(await tools.text('read', {path: 'src/main.rs', offset: 2, limit: 1})).toBe('2\t\tprintln!("hi");');
  });
  it('"path— relative to cwd or absolute"; reads may leave the folder, "Read tools are never gated"', async () => {
    const other = await scratch({'notes.txt': 'outside\n'});
    const gated = await openToolset('microcode', root, {policy: () => ({mode: 'ask', rules: [], fallback: 'ask'}), approve: undefined});
    expect(await gated.text('read', {path: join(other, 'notes.txt')})).toBe('1\toutside');
    await writeFile(join(root, '.env'), 'KEY=1\n');
    expect(await gated.text('read', {path: '.env'})).toBe('1\tKEY=1');
  });
  it('"Default 1", "Default 2000": the rest is announced', async () => {
    await open({'long.txt': numbered(2500), 'fits.txt': numbered(2000)});
    const lines = (await tools.text('read', {path: 'long.txt'})).split('\n');
    expect(lines.slice(0, 1)).toEqual(['1\tline 1']);
    expect(lines.slice(-2)).toEqual(['2000\tline 2000', '[lines 1-2000 of 2500; more follow: offset 2001]']);
    expect((await tools.text('read', {path: 'fits.txt'})).split('\n').slice(-1)).toEqual(['2000\tline 2000']);
  });
  it('"Files larger than 1.5 MB return an error suggesting offset/limit"; a range of it can be read', async () => {
    await open({'big.log': numbered(150_000), 'edge.txt': 'x'.repeat(99).concat('\n').repeat(15_000)});
    const {size} = await stat(join(root, 'big.log'));
    expect(await tools.call('read', {path: 'big.log'})).toMatchObject({
      outcome: 'error',
      isError: true,
      text: `error: big.log has ${size} bytes; a file of more than 1500000 bytes is not read at once.\nRead a part of it with offset and limit.`,
    });
    expect(await tools.text('read', {path: 'big.log', offset: 149_999, limit: 5})).toBe('149999\tline 149999\n150000\tline 150000');
    expect(await tools.text('read', {path: 'big.log', offset: 1, limit: 2})).toBe('1\tline 1\n2\tline 2');
    expect((await tools.call('read', {path: 'edge.txt'})).isError).toBe(false);
    await appendFile(join(root, 'edge.txt'), 'x');
    expect((await tools.call('read', {path: 'edge.txt'})).isError).toBe(true);
  });
  it('a file below 1.5 MB is shown whole, with all of its long lines ("Files larger than 1.5 MB return an error")', async () => {
    const lines = Array.from({length: 1400}, (_, index) => `${index} `.padEnd(999, 'x'));
    await open({'wide.txt': `${lines.join('\n')}\n`});
    expect(await tools.text('read', {path: 'wide.txt'})).toBe(lines.map((line, index) => `${index + 1}\t${line}`).join('\n'));
  });
  it('an offset past the end and an empty file are not errors', async () => {
    await open({'a.txt': 'one\ntwo', empty: ''});
    expect(await tools.text('read', {path: 'a.txt', offset: 9})).toBe('(nothing from line 9 on: the file has 2 lines)');
    expect(await tools.text('read', {path: 'empty'})).toBe('(the file is empty)');
  });
  it('what is not a text file is an error', async () => {
    await open({'a.bin': Uint8Array.of(1, 0, 2), 'dir/notes.txt': ''});
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const text = async (path: string) => (await tools.text('read', {path})).replaceAll(root, '<root>');
    expect(await text('a.bin')).toMatchInlineSnapshot(`
      "error: <root>/a.bin: The file is not text: it holds NUL bytes.
      Use a command that understands the format (file, xxd, strings …)."
    `);
    expect(await text('dir')).toMatchInlineSnapshot(`
      "error: <root>/dir is a folder, not a regular file.
      List the folder, or name a file in it."
    `);
    expect(await text('pipe')).toMatchInlineSnapshot(`
      "error: <root>/pipe is a FIFO, not a regular file.
      Only regular files can be read and written."
    `);
    expect(await text('/dev/zero')).toMatchInlineSnapshot(`
      "error: /dev/zero is in a file system of the kernel.
      Only regular files can be read and written; use a shell command for this."
    `);
    expect(await text('a\0b')).toMatchInlineSnapshot(`"error: The path has a NUL character in it."`);
  });
  it('a missing file: its neighbour of nearly the same name is named', async () => {
    await open({'dir/notes.txt': ''});
    expect(await tools.text('read', {path: 'dir/note.txt'})).toBe('error: dir/note.txt does not exist.\nDid you mean dir/notes.txt?');
    expect(await tools.text('read', {path: 'none/x'})).toBe('error: none/x does not exist.\nFind it with glob, or list the folder.');
    expect(await tools.text('edit', {path: 'dir/note.txt', old_string: 'a', new_string: 'b'})).toContain('Did you mean dir/notes.txt?');
    expect(await tools.text('ls', {path: 'dirs'})).toBe('error: dirs does not exist.\nDid you mean dir?');
    expect(await tools.text('grep', {pattern: 'x', path: 'dirs'})).toBe('error: dirs does not exist.\nDid you mean dir?');
  });
});

describe('microcode tools › ls', () => {
  it('"Single-level directory listing", "prefixed d (directory) or f (file)", "Honors .gitignore"', async () => {
    await open({
      '.gitignore': 'target/\n*.log\n',
      'src/main.rs': '',
      'target/x': '',
      'b.log': '',
      'a.txt': '',
      '.github/ci.yml': '',
    });
    execFileSync('git', ['init', '--quiet'], {cwd: root});
    await symlink('src', join(root, 'link'));
    await symlink('nowhere', join(root, 'dangling'));
    expect(await tools.text('ls', {path: '.'})).toBe('d .github\nf .gitignore\nf a.txt\nf dangling\nd link\nd src');
    expect(await tools.text('ls', {path: 'src'})).toBe('f main.rs');
  });
  it('"Returns up to 500 entries"', async () => {
    const names = (count: number) => Array.from({length: count}, (_, index) => `f${String(index).padStart(3, '0')}`);
    await open(Object.fromEntries(names(500).map((name) => [name, ''])));
    expect((await tools.text('ls', {path: '.'})).split('\n')).toEqual(names(500).map((name) => `f ${name}`));
    await writeFile(join(root, 'g'), '');
    expect((await tools.text('ls', {path: '.'})).split('\n')).toEqual([
      ...names(500).map((name) => `f ${name}`),
      '[only the first 500 entries]',
    ]);
  });
  it('an empty folder, a missing one', async () => {
    expect(await tools.text('ls', {path: '.'})).toBe('(no entries)');
    await writeFile(join(root, 'file'), '');
    expect(await tools.text('ls', {path: 'file'})).toBe(
      `error: ${join(root, 'file')} is a file, not a folder.\nRead it, or list the folder it is in.`,
    );
    expect((await tools.call('ls', {path: 'none'})).outcome).toBe('error');
  });
});

describe('microcode tools › glob', () => {
  it('"gitignore-style glob", "sorted by mtime (newest first)"', async () => {
    await open({'src/a.rs': '', 'src/deep/b.rs': '', 'c.rs': '', 'c.txt': '', '.gitignore': 'gone.rs\n', 'gone.rs': ''});
    for (const [age, path] of ['src/deep/b.rs', 'c.rs', 'src/a.rs'].entries()) await utimes(join(root, path), 1000 - age, 1000 - age);
    expect(await tools.text('glob', {pattern: '*.rs'})).toBe('src/deep/b.rs\nc.rs\nsrc/a.rs');
    expect(await tools.text('glob', {pattern: 'src/**/*.rs'})).toBe('src/deep/b.rs\nsrc/a.rs');
  });
  it('"path— search root, relative to cwd. Defaults to cwd": what is found can be read', async () => {
    await open({'src/deep/b.rs': 'x\n'});
    const found = await tools.text('glob', {pattern: '*.rs', path: 'src'});
    expect(found).toBe('src/deep/b.rs');
    expect(await tools.text('read', {path: found})).toBe('1\tx');
  });
  it('"Returns up to 200 matches"', async () => {
    await open(Object.fromEntries(Array.from({length: 201}, (_, index) => [`${index}.rs`, ''])));
    const lines = (await tools.text('glob', {pattern: '*.rs'})).split('\n');
    expect(lines.length).toBe(201);
    expect(lines.at(-1)).toBe('[only the newest 200 matches]');
    expect(await tools.text('glob', {pattern: '*.py'})).toBe('(no matches)');
  });
});

describe('microcode tools › grep', () => {
  it('"path:line:content", "pattern— Rust regex syntax", "include— glob filter, e.g.*.rsorsrc/**/*.toml"', async () => {
    await open({'src/a.rs': '// TODO one\nok\n// FIXME two\n', 'b.txt': 'TODO three\n', 'src/x/c.toml': 'todo = "TODO"\n'});
    expect(await tools.text('grep', {pattern: 'TODO|FIXME'})).toBe(
      'b.txt:1:TODO three\nsrc/a.rs:1:// TODO one\nsrc/a.rs:3:// FIXME two\nsrc/x/c.toml:1:todo = "TODO"',
    );
    expect(await tools.text('grep', {pattern: 'TODO|FIXME', include: '*.rs'})).toBe('src/a.rs:1:// TODO one\nsrc/a.rs:3:// FIXME two');
    expect(await tools.text('grep', {pattern: 'TODO', include: 'src/**/*.toml'})).toBe('src/x/c.toml:1:todo = "TODO"');
    expect(await tools.text('grep', {pattern: '(?i)^TODO = '})).toBe('src/x/c.toml:1:todo = "TODO"');
    expect(await tools.text('grep', {pattern: 'TODO', path: 'src/a.rs'})).toBe('src/a.rs:1:// TODO one');
    expect(await tools.text('grep', {pattern: 'TODO', path: 'src'})).toBe('src/a.rs:1:// TODO one\nsrc/x/c.toml:1:todo = "TODO"');
  });
  it('"case_insensitive— defaults to false"', async () => {
    await open({a: 'Word\nword\n'});
    expect(await tools.text('grep', {pattern: 'word'})).toBe('a:2:word');
    expect(await tools.text('grep', {pattern: 'word', case_insensitive: true})).toBe('a:1:Word\na:2:word');
  });
  it('"Skips files that look binary (NUL byte in first 8 KB) and files outside the gitignore set"', async () => {
    await open({
      early: 'word\0\n',
      late: `${'x'.repeat(9000)}\nword\n\0`,
      '.gitignore': 'ignored\n',
      ignored: 'word\n',
      '.hidden': 'word\n',
    });
    expect(await tools.text('grep', {pattern: '^word'})).toBe('.hidden:1:word\nlate:2:word');
    expect(await tools.text('grep', {pattern: '^word', include: 'ignored'})).toBe('(no matches)');
    expect(await tools.text('grep', {pattern: '^word', include: 'l*'})).toBe('late:2:word');
  });
  it('"Returns up to 200 matches", over all files', async () => {
    await open({a: 'x\n'.repeat(150), b: 'x\n'.repeat(51)});
    const lines = (await tools.text('grep', {pattern: 'x'})).split('\n');
    expect(lines.slice(149, 151)).toEqual(['a:150:x', 'b:1:x']);
    expect(lines.slice(199)).toEqual(['b:50:x', '[only the first 200 matches]']);
  });
  it('nothing found is not an error; what Rust has no syntax for is one', async () => {
    await open({a: 'x\n'});
    expect(await tools.call('grep', {pattern: 'nothing'})).toMatchObject({outcome: 'success', text: '(no matches)'});
    expect((await tools.call('grep', {pattern: '(?=x)'})).isError).toBe(true);
  });
});

describe('microcode tools › write', () => {
  it('"Creates parent directories as needed", "Overwrites unconditionally"', async () => {
    expect(await tools.call('write', {path: 'src/lib.rs', content: 'pub fn hello() {}\n'})).toMatchObject({
      outcome: 'success',
      changes: [{path: join(root, 'src/lib.rs'), kind: 'add'}],
    });
    await tools.call('read', {path: 'src/lib.rs'});
    await writeFile(join(root, 'src/lib.rs'), 'changed by somebody else');
    expect(await tools.call('write', {path: 'src/lib.rs', content: 'new\n'})).toMatchObject({
      text: expect.stringMatching(/^overwrote src\/lib\.rs \(4 bytes\)/),
      changes: [{path: join(root, 'src/lib.rs'), kind: 'update'}],
    });
    expect(await readFile(join(root, 'src/lib.rs'), 'utf8')).toBe('new\n');
  });
});

describe('microcode tools › edit', () => {
  it('replaces exact text: CRLF, mode bits and a missing final newline stay', async () => {
    await open({'a.sh': '#!/bin/sh\r\necho one\r\necho two'});
    await chmod(join(root, 'a.sh'), 0o755);
    expect(await tools.text('edit', {path: 'a.sh', old_string: 'one', new_string: 'three'})).toBe('edited a.sh (1 replacement)');
    expect(await readFile(join(root, 'a.sh'), 'utf8')).toBe('#!/bin/sh\r\necho three\r\necho two');
    expect((await stat(join(root, 'a.sh'))).mode & 0o777).toBe(0o755);
  });
  it('"It must be unique in the file unless replace_all is true"', async () => {
    await open({'a.txt': 'x y x\n'});
    const twice = await tools.call('edit', {path: 'a.txt', old_string: 'x', new_string: 'z'});
    expect({isError: twice.isError, structured: twice.structured}).toMatchObject({isError: true, structured: {code: 'NOT_UNIQUE'}});
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('x y x\n');
    expect(await tools.text('edit', {path: 'a.txt', old_string: 'x', new_string: 'z', replace_all: true})).toBe(
      'edited a.txt (2 replacements)',
    );
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('z y z\n');
  });
  it('"old_string must match exactly (whitespace included)", "missing matches return a tool error"', async () => {
    await open({'a.txt': 'a  b\n'});
    expect(await tools.call('edit', {path: 'a.txt', old_string: 'a b', new_string: 'c'})).toMatchObject({
      isError: true,
      structured: {code: 'NOT_FOUND'},
    });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a  b\n');
    expect((await tools.call('edit', {path: 'none.txt', old_string: 'a', new_string: 'c'})).isError).toBe(true);
  });
  it('says so when the line numbers of read were copied into old_string', async () => {
    await open({'a.txt': 'one\ntwo\n'});
    const {text} = await tools.call('edit', {path: 'a.txt', old_string: '1\tone\n2\ttwo', new_string: 'x'});
    expect(text).toContain(
      'The text to replace begins with the line numbers of the read output; leave out each number and the tab after it.',
    );
  });
});

describe('microcode tools › bash', () => {
  it('"combined stdout+stderr (separated by --- stderr ---)", "the exit code on the last line"', async () => {
    expect(await tools.call('bash', {command: 'echo out; echo err >&2'})).toMatchObject({
      outcome: 'success',
      isError: false,
      text: 'out\n--- stderr ---\nerr\nexit code: 0',
    });
    expect(await tools.text('bash', {command: 'printf out'})).toBe('out\nexit code: 0');
    expect(await tools.text('bash', {command: 'true'})).toBe('exit code: 0');
  });
  it('"Non-zero exit codes mark is_error = true"', async () => {
    expect(await tools.call('bash', {command: 'echo no; exit 3'})).toMatchObject({
      outcome: 'error',
      isError: true,
      text: 'no\nexit code: 3',
      command: {line: 'echo no; exit 3', exitCode: 3},
    });
  });
  it('"Run viash -c": a pipeline of bash in the working folder', async () => {
    expect(await tools.text('bash', {command: 'set -o pipefail; pwd | cat; echo $BASH_VERSION | cut -c1 | grep -c .'})).toBe(
      `${root}\n1\nexit code: 0`,
    );
  });
  it('"truncated to 200 KB, with the exit code on the last line"', async () => {
    const {text, spoolPath = ''} = await tools.call('bash', {command: "head -c 10000000 /dev/zero | tr '\\0' 'x'; exit 7"});
    expect(Buffer.byteLength(text)).toBeLessThan(200_300);
    expect(text.startsWith('x'.repeat(200_000))).toBe(true);
    expect(text.slice(200_000)).toBe(`\n[cut at 200000 of 10000000 bytes; whole output: ${spoolPath}]\nexit code: 7`);
    expect((await stat(spoolPath)).size).toBe(10_000_000);
  });
  it('"combined stdout+stderr … truncated to 200 KB": a long stdout does not push stderr out, and nothing is lost', async () => {
    const {text, spoolPath = ''} = await tools.call('bash', {command: "head -c 300000 /dev/zero | tr '\\0' 'x'; echo why >&2; exit 1"});
    const kept = 200_000 - '--- stderr ---\nwhy\n'.length;
    expect(text).toBe(
      `${'x'.repeat(kept)}\n--- stderr ---\nwhy\n[cut at 200000 of 300004 bytes; whole output: ${spoolPath}]\nexit code: 1`,
    );
    expect((await stat(spoolPath)).size).toBe(300_000);
  });
  it('"truncated to 200 KB": two streams that fit one by one and not together are both kept', async () => {
    const half = (letter: string) => `head -c 150000 /dev/zero | tr '\\0' '${letter}'`;
    const {text} = await tools.call('bash', {command: `${half('o')}; ${half('e')} >&2`});
    const [, output = '', errors = '', paths = ''] =
      /^(o+)\n--- stderr ---\n(e+)\n\[cut at 200000 of 300000 bytes; whole output: (.+)\]\nexit code: 0$/.exec(text) ?? [];
    expect([output.length, errors.length]).toEqual([100_000, 100_000 - '--- stderr ---\n'.length]);
    expect(await Promise.all(paths.split(', ').map(async (path) => (await stat(path)).size))).toEqual([150_000, 150_000]);
  });
  it('"timeout_ms— max ms": what did not end is killed and an error', async () => {
    const {text, isError} = await tools.call('bash', {command: 'echo begun; sleep 60', timeout_ms: 300});
    expect({text, isError}).toEqual({
      // However long a busy machine took to get there.
      text: expect.stringMatching(/^begun\nexit code: none \(timed out after \d+\.\d s; everything it started was killed\)$/),
      isError: true,
    });
  });
});
