import {execFileSync} from 'node:child_process';
import {chmod, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createSearchEngine} from '../../src/search/create-engine.ts';
import type {GrepQuery, SearchEngine} from '../../src/search/engine.ts';
import {scratch} from '../support/scratch.ts';
import {bothEngines, fuzzing, grepQuery, never, put} from './support.ts';

const engines = Object.entries(bothEngines('/nonexistent'));

async function lines(engine: SearchEngine, query: Partial<GrepQuery> & {root: string; pattern: string}): Promise<string[]> {
  const {matches} = await engine.grep(grepQuery(query), never());
  return matches.map(({path, line, text}) => `${path}:${line}:${text}`);
}

describe.each(engines)('grep with the %s engine', (_, engine) => {
  it('gives path, line and text, ordered by path and line, with context', async () => {
    const root = await scratch({'b.txt': 'one\nfoo 1\nfoo 2\r\nfour\n', 'a/c.txt': 'foo', 'a.txt': 'x\n'});
    const result = await engine.grep(grepQuery({root, pattern: 'foo', contextLines: 1}), never());
    expect(result).toEqual({
      matches: [
        {path: 'a/c.txt', line: 1, text: 'foo', before: [], after: []},
        {path: 'b.txt', line: 2, text: 'foo 1', before: ['one'], after: ['foo 2']},
        {path: 'b.txt', line: 3, text: 'foo 2', before: ['foo 1'], after: ['four']},
      ],
      truncated: false,
      timedOut: false,
    });
  });

  it('the 201st match is cut, and the first 200 by path and line are kept ("microcode tools › grep": up to 200)', async () => {
    const root = await scratch({
      'z.txt': 'foo\n'.repeat(300),
      'm.txt': 'foo\n'.repeat(150),
      'a-b/x': 'foo\n',
      'a/x': 'foo\n',
      'a.txt': 'foo\n',
    });
    const result = await engine.grep(grepQuery({root, pattern: 'foo', maxMatches: 200}), never());
    const counts = Object.groupBy(result.matches, ({path}) => path);
    expect([Object.entries(counts).map(([path, list]) => [path, list?.length]), result.truncated]).toEqual([
      [
        ['a-b/x', 1],
        ['a.txt', 1],
        ['a/x', 1],
        ['m.txt', 150],
        ['z.txt', 47],
      ],
      true,
    ]);
    expect((await engine.grep(grepQuery({root, pattern: 'foo', maxMatches: 453}), never())).truncated).toBe(false);
  });

  it('a flood of matches gives the same as a slow look', async () => {
    const files = Object.fromEntries(Array.from({length: 120}, (_, i) => [`d${i % 7}/f${i}.txt`, `foo ${i}\n`.repeat(60)]));
    const root = await scratch({...files, 'd0/a.bin': 'foo\0', 'd0/b.txt': `${'x'.repeat(9000)}\nfoo\0late\n`});
    const expected = Object.keys(files)
      .toSorted()
      .slice(0, 1)
      .flatMap((path) => Array.from({length: 50}, (_, i) => `${path}:${i + 1}`));
    const result = await engine.grep(grepQuery({root, pattern: 'foo', maxMatches: 51}), never());
    expect([result.matches.map(({path, line}) => `${path}:${line}`), result.truncated]).toEqual([['d0/b.txt:2', ...expected], true]);
  });

  it('a flood of which any matches will do: as many as are wanted, whole, by path', async () => {
    const files = Object.fromEntries(Array.from({length: 120}, (_, i) => [`d${i % 7}/f${i}.txt`, `foo ${i}\n`.repeat(60)]));
    const root = await scratch(files);
    const {matches, truncated} = await engine.grep(grepQuery({root, pattern: 'foo', maxMatches: 51, anyMatches: true}), never());
    const wrong = matches.filter(({path, text}) => text !== `foo ${/f(\d+)/.exec(path)?.[1]}`);
    expect([matches.length, truncated, wrong, matches.map(({path}) => path)]).toEqual([
      51,
      true,
      [],
      matches.map(({path}) => path).toSorted(),
    ]);
  });

  it('a NUL in the first 8 KB makes a file binary, a later one does not ("microcode tools › grep")', async () => {
    const early = `${'x'.repeat(8190)}\n\0foo\n`;
    const late = `foo 1\n${'x'.repeat(8190)}\n\0\nfoo 2\nfoo\0three\n`;
    const far = `${'x\n'.repeat(100_000)}\0\nfoo far\n`;
    const root = await scratch({'early.txt': early, 'late.txt': late, 'far.txt': far, 'head.bin': 'foo\n\0'});
    expect(await lines(engine, {root, pattern: 'foo'})).toEqual([
      'far.txt:100002:foo far',
      'late.txt:1:foo 1',
      'late.txt:4:foo 2',
      'late.txt:5:foo\0three',
    ]);
  });

  it('names with line feeds, dashes, messages of ripgrep, and bytes that are not UTF-8', async () => {
    const odd = 'x: binary file matches (found "\\0" byte around offset 3)';
    const root = await scratch({'a\nb': 'foo\n', '-n': 'foo\n', [odd]: 'foo\n', 'é🚀': 'foo\n'});
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x7a, 0xff])]), 'foo\n');
    expect(await lines(engine, {root, pattern: 'foo'})).toEqual([
      '-n:1:foo',
      'a\nb:1:foo',
      `${odd}:1:foo`,
      ...(engine.name === 'ripgrep' ? ['z\uFFFD:1:foo'] : []),
      'é🚀:1:foo',
    ]);
  });

  it('cuts long lines, never within a code point', async () => {
    const root = await scratch({a: `foo${'🚀'.repeat(100_000)}\n`, b: `foo${'x'.repeat(3_000_000)}`});
    expect(await lines(engine, {root, pattern: 'foo', maxLineChars: 6})).toEqual(['a:1:foo🚀', 'b:1:fooxxx']);
  });

  it.each([
    ['café', ['cp.txt:1:café “x”', 'latin.txt:2:un café foo', 'utf.txt:1:café']],
    ['CAFÉ', []],
    ['(?i)CAFÉ', ['cp.txt:1:café “x”', 'latin.txt:2:un café foo', 'utf.txt:1:café']],
    ['“', ['cp.txt:1:café “x”']],
    ['[à-ü] foo$', ['latin.txt:2:un café foo']],
    ['caf\\x{e9}', ['cp.txt:1:café “x”', 'latin.txt:2:un café foo', 'utf.txt:1:café']],
    ['Ã©', []],
  ])('files of Latin-1 and Windows-1252 are searched as they are read: %s (issue 14 › 5)', async (pattern, expected) => {
    const root = await scratch({
      '.ignore': 'ignored\n',
      'latin.txt': Buffer.from('one\nun caf\xe9 foo\r\n', 'latin1'),
      'cp.txt': Buffer.from('caf\xe9 \x93x\x94\n', 'latin1'),
      'utf.txt': 'café\n',
      'ignored/x.txt': Buffer.from('caf\xe9 \x93\n', 'latin1'),
      binary: Buffer.from('caf\xe9 foo\0\n', 'latin1'),
    });
    expect(await lines(engine, {root, pattern})).toEqual(expected);
    expect(await lines(engine, {root: join(root, 'latin.txt'), pattern})).toEqual(expected.filter((line) => line.startsWith('latin')));
  });

  it('Latin-1 does not end the search, UTF-16 with a BOM is read, a UTF-8 BOM belongs to no line', async () => {
    const root = await scratch({
      latin: Buffer.from('caf\xe9 foo\n', 'latin1'),
      wide: Buffer.from('\uFEFFfoo\n', 'utf16le'),
      bom: '\uFEFFfoo\n',
    });
    expect(await lines(engine, {root, pattern: 'foo$'})).toEqual(['bom:1:foo', 'latin:1:caf\uFFFD foo', 'wide:1:foo']);
    expect(await lines(engine, {root, pattern: '^foo'})).toEqual(['bom:1:foo', 'wide:1:foo']);
  });

  it.each([
    ['foo$', ['dos.txt:1:foo', 'unix.txt:1:foo']],
    ['foo *$', ['dos.txt:1:foo', 'unix.txt:1:foo']],
    ['^$', ['dos.txt:3:', 'unix.txt:3:']],
    ['^(?:foo|bar)$', ['dos.txt:1:foo', 'dos.txt:2:bar', 'unix.txt:1:foo', 'unix.txt:2:bar']],
    ['^...$', ['dos.txt:1:foo', 'dos.txt:2:bar', 'mac.txt:1:one\rtwo', 'unix.txt:1:foo', 'unix.txt:2:bar']],
    ['(?i)END$', ['dos.txt:4:the end', 'unix.txt:4:the end']],
    ['o\\s*$|d$', ['dos.txt:1:foo', 'dos.txt:4:the end', 'mac.txt:1:one\rtwo', 'unix.txt:1:foo', 'unix.txt:4:the end']],
    ['bar[^x]', []],
    ['bar\\s', []],
    ['bar.$', []],
    // A pattern that names the carriage return sees it.
    ['foo\\r$', ['dos.txt:1:foo']],
    ['\\x0d', ['dos.txt:1:foo', 'dos.txt:2:bar', 'dos.txt:3:', 'mac.txt:1:one\rtwo', 'path.txt:1:C:\\run']],
    ['C:\\\\run$', ['path.txt:1:C:\\run']],
    ['one.two', []],
    ['^two$', ['mac.txt:1:one\rtwo']],
  ])('the end of a line is the same with LF and CRLF: %s', async (pattern, expected) => {
    const root = await scratch({
      'dos.txt': 'foo\r\nbar\r\n\r\nthe end',
      'unix.txt': 'foo\nbar\n\nthe end',
      'mac.txt': 'one\rtwo\n',
      'path.txt': 'C:\\run\r\n',
    });
    expect(await lines(engine, {root, pattern})).toEqual(expected);
  });

  it.each(['foo\\nbar', 'foo\nbar', 'foo$\\s*^bar', '(?s)foo.+bar$', '(?:foo\\n)+bar', '(?x) foo \\n\n bar', 'foo\\s+?bar'])(
    'a pattern over several lines finds both line endings: %j',
    async (pattern) => {
      const root = await scratch({'dos.txt': 'x\r\nfoo\r\nbar\r\n', 'unix.txt': 'x\nfoo\nbar\n'});
      const found = await lines(engine, {root, pattern, multiline: true});
      expect(found).toEqual(['dos', 'unix'].flatMap((name) => [`${name}.txt:2:foo`, `${name}.txt:3:bar`]));
    },
  );

  it('a match over several lines gives each of them', async () => {
    const root = await scratch({a: 'x\nstart\nmiddle\nend\ny\nstart end\n'});
    expect(await lines(engine, {root, pattern: '(?s)start.*?end', multiline: true})).toEqual([
      'a:2:start',
      'a:3:middle',
      'a:4:end',
      'a:6:start end',
    ]);
  });

  it('globs, sizes and case', async () => {
    const root = await scratch({
      'a.ts': 'foo\n',
      'b.js': 'FOO\n',
      '.c.ts': 'foo\n',
      'd/e.ts': 'foo\n',
      'big.ts': `${'x'.repeat(2000)}foo\n`,
    });
    expect(await lines(engine, {root, pattern: 'foo', globs: ['*.{ts,js}', '!d/'], maxFileBytes: 1000})).toEqual([
      '.c.ts:1:foo',
      'a.ts:1:foo',
    ]);
    expect(await lines(engine, {root, pattern: 'foo', caseInsensitive: true, globs: ['/*.js']})).toEqual(['b.js:1:FOO']);
  });

  it('a file as root: ignore rules and globs do not count for it', async () => {
    const root = await scratch({'.ignore': 'a.log\n', 'a.log': 'foo\n'});
    expect(await lines(engine, {root: join(root, 'a.log'), pattern: 'foo', globs: ['*.ts']})).toEqual(['a.log:1:foo']);
  });

  it('does not follow links', async () => {
    const outside = await scratch({secret: 'foo\n'});
    const root = await scratch();
    await symlink(join(outside, 'secret'), join(root, 'link'));
    await symlink(outside, join(root, 'folder'));
    expect(await lines(engine, {root, pattern: 'foo'})).toEqual([]);
  });

  it.each(['(?=x)', '(a)\\1', '(a', '[a', '*', 'a{2,1}', '\\q', 'a\nb', 'a\0', 'a'.repeat(40_000)])(
    '%j is BAD_ARGS with a hint',
    async (pattern) => {
      const root = await scratch({a: 'x\n'});
      await expect(engine.grep(grepQuery({root, pattern}), never())).rejects.toMatchObject({
        code: 'BAD_ARGS',
        hint: expect.any(String) as unknown,
      });
    },
  );

  it('names a missing root, a FIFO, and an abort', async () => {
    const root = await scratch();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(engine.grep(grepQuery({root: join(root, 'no'), pattern: 'x'}), never())).rejects.toMatchObject({code: 'NOT_FOUND'});
    await expect(engine.grep(grepQuery({root: join(root, 'pipe'), pattern: 'x'}), never())).rejects.toMatchObject({code: 'NOT_A_FILE'});
    await expect(engine.grep(grepQuery({root, pattern: 'x'}), AbortSignal.abort())).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await lines(engine, {root, pattern: 'x'})).toEqual([]);
  });
});

describe('both engines', () => {
  const [ripgrep, builtin] = engines.map(([, engine]) => engine);
  const paths = fc
    .array(fc.constantFrom('a', 'b', 'c.ts', 'd.log', '.e', 'build'), {minLength: 1, maxLength: 3})
    .map((parts) => parts.join('/'));
  const texts = fc
    .array(fc.constantFrom('foo', 'Foo bar', 'x', '', 'foo\r', 'é foo', 'a b'), {maxLength: 5})
    .map((list) => list.join('\n'));
  const globs = fc.constantFrom('*.ts', '!*.log', 'build', 'build/**', '!a/', '/b', '.e', '*.{ts,log}', 'a/*', '**/c.ts');
  const query = fc.record({
    pattern: fc.constantFrom('foo', '^foo$', '(?i)FOO', 'o\\b', '[^a-z]', 'bar|x', '^$', '\\s', 'fo+ ?'),
    hidden: fc.boolean(),
    ignoreFiles: fc.boolean(),
    requireGit: fc.boolean(),
    caseInsensitive: fc.boolean(),
    globs: fc.array(globs, {maxLength: 2}),
    maxMatches: fc.integer({min: 1, max: 6}),
    contextLines: fc.integer({min: 0, max: 2}),
  });
  const rules = fc
    .array(fc.constantFrom('*.log', 'build/', '!c.ts', '/a', 'b/*', '.e', '!.e', '**/d.log'), {maxLength: 3})
    .map((list) => list.join('\n'));

  it('give the same results', {timeout: 60_000}, async () => {
    const base = await scratch();
    let run = 0;
    const files = fc.array(fc.tuple(paths, texts), {minLength: 1, maxLength: 8});
    await fc.assert(
      fc.asyncProperty(files, rules, fc.tuple(rules, query), async (list, gitignore, [ignore, options]) => {
        const root = join(base, String(run++));
        for (const [path, text] of [...list, ['.gitignore', gitignore], ['a/.ignore', ignore]] as const) await put(join(root, path), text);
        const full = grepQuery({...options, root});
        expect(await builtin?.grep(full, never())).toEqual(await ripgrep?.grep(full, never()));
      }),
      fuzzing(40),
    );
  });
});

describe('createSearchEngine', () => {
  it('takes ripgrep where it is, else the built-in engine', () => {
    expect([createSearchEngine().name, createSearchEngine({locate: () => undefined}).name]).toEqual(['ripgrep', 'builtin']);
  });

  it.each(['/nonexistent/rg', 'foreign', 'plain'])('gives up a program that cannot run: %s', async (name) => {
    const root = await scratch({'d/a.txt': 'foo\n', foreign: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 9, 9]), plain: 'x'});
    await chmod(join(root, 'foreign'), 0o755);
    const engine = createSearchEngine({locate: () => join(root, name)});
    expect(await lines(engine, {root: join(root, 'd'), pattern: 'foo'})).toEqual(['a.txt:1:foo']);
    expect(engine.name).toBe('builtin');
  });

  it('a search that takes too long gives what it has; an abort ends the process', async () => {
    const root = await scratch({'rg.sh': "#!/bin/sh\nprintf './a\\0001:foo\\n'\nexec sleep 60\n"});
    await chmod(join(root, 'rg.sh'), 0o755);
    const engine = createSearchEngine({locate: () => join(root, 'rg.sh')});
    const query = grepQuery({root, pattern: 'foo', timeoutMs: 200});
    const found = {path: 'a', line: 1, text: 'foo', before: [], after: []};
    expect(await engine.grep(query, never())).toEqual({matches: [found], truncated: false, timedOut: true});
    await expect(engine.grep({...query, timeoutMs: 60_000}, AbortSignal.timeout(100))).rejects.toMatchObject({code: 'CANCELLED'});
  });
});
