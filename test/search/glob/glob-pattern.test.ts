import {symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {expandBraces} from '../../../src/search/glob/brace-expansion.ts';
import {findFiles} from '../../../src/search/files.ts';
import {scratch} from '../../support/scratch.ts';
import {filesQuery, never} from '../support.ts';

function braces(text: string): string[] | undefined {
  const words = expandBraces(Array.from(text, (char) => ({char, quoted: false})));
  return words?.map((word) => word.map(({char}) => char).join(''));
}

async function glob(
  root: string,
  pattern: string,
  options: {dialect?: 'bash' | 'gitignore'; hidden?: boolean} = {},
): Promise<readonly string[]> {
  const match = {dialect: options.dialect ?? 'bash', pattern} as const;
  return (await findFiles(filesQuery({root, hidden: options.hidden ?? false, match}), {}, never())).paths;
}

describe('brace expansion of bash(1)', () => {
  const rows: readonly [string, readonly string[]][] = [
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b{1,2}}', ['a', 'b1', 'b2']],
    ['{,x}', ['', 'x']],
    ['{a}', ['{a}']],
    ['{a},b}', ['a}', 'b']],
    ['{a,b', ['{a,b']],
    ['{{a,b}', ['{a', '{b']],
    ['{1..3}', ['1', '2', '3']],
    ['{3..1..2}', ['3', '1']],
    ['{08..10}', ['08', '09', '10']],
    ['{-01..1}', ['-01', '000', '001']],
    ['{a..e..2}', ['a', 'c', 'e']],
    ['{1..a}', ['{1..a}']],
    ['${a,b}', ['${a,b}']],
    ['{a..b}{1..2}', ['a1', 'a2', 'b1', 'b2']],
  ];
  for (const [text, expected] of rows) it(`${text} → ${expected.join(' ')}`, () => expect(braces(text)).toEqual(expected));

  it('gives up above 1,024 words', () => {
    expect([braces('{1..100000}'), braces('{a,b}'.repeat(11)), braces('{a,b}'.repeat(10))?.length]).toEqual([undefined, undefined, 1024]);
  });
});

describe('bash globs', () => {
  it('a dot must be named, unless hidden files are asked for', async () => {
    const root = await scratch({'.env': '', a: '', '.github/w.yml': '', 'src/.x': ''});
    expect(await glob(root, '*')).toEqual(['a']);
    expect(await glob(root, '.*')).toEqual(['.env']);
    expect(await glob(root, '.github/*')).toEqual(['.github/w.yml']);
    expect(await glob(root, '**', {hidden: true})).toEqual(['.env', '.github/w.yml', 'a', 'src/.x']);
  });

  it('a leading ** takes no link, a later one takes a link as its last name', async () => {
    const root = await scratch({'d/e/a': '', 'real/a': '', 'real/s/a': ''});
    await symlink('real', join(root, 'link'));
    await symlink('../../real', join(root, 'd/e/link'));
    expect(await glob(root, '**/a')).toEqual(['d/e/a', 'real/a', 'real/s/a']);
    expect(await glob(root, './**/link/a')).toEqual(['./d/e/link/a', './link/a']);
    expect(await glob(root, 'd/**/a')).toEqual(['d/e/a', 'd/e/link/a']);
    expect(await glob(root, '*/**/a')).toEqual(['d/e/a', 'd/e/link/a', 'link/a', 'link/s/a', 'real/a', 'real/s/a']);
  });

  it('./ is kept as bash keeps it, the root may stand in front', async () => {
    const root = await scratch({'a.ts': '', 'd/b.ts': ''});
    expect(await glob(root, './*.ts')).toEqual(['./a.ts']);
    expect(await glob(root, `${root}/d/*.ts`)).toEqual(['d/b.ts']);
    expect(await glob(root, 'd/./b.ts')).toEqual(['d/b.ts']);
  });

  it('what leads out of the folder or explodes is BAD_ARGS', async () => {
    const root = await scratch();
    for (const pattern of ['../*', '/etc/*', 'a/../../b', '{1..9}{1..9}{1..9}{1..9}']) {
      await expect(glob(root, pattern)).rejects.toMatchObject({code: 'BAD_ARGS'});
    }
  });

  it('hostile patterns end in bounded time', async () => {
    const root = await scratch({['a'.repeat(250)]: ''});
    for (const pattern of [
      `${'*a'.repeat(100)}b`,
      `${'*(a|a)'.repeat(20)}b`,
      `+(${'a*'.repeat(30)})b`,
      `${'!(b)'.repeat(15)}c`,
      `${'**/'.repeat(100)}b`,
    ]) {
      expect(await glob(root, pattern)).toEqual([]);
    }
  }, 10_000);
});

describe('globs as a line of gitignore ("microcode tools › glob")', () => {
  const files = {'a.rs': '', 'src/b.rs': '', 'src/deep/c.rs': '', 'src/d.ts': '', 'docs/src/e.rs': '', '.github/f.rs': ''};

  it('without a slash at every depth, with one anchored, a folder means all below it', async () => {
    const root = await scratch(files);
    const list = (pattern: string): Promise<readonly string[]> => glob(root, pattern, {dialect: 'gitignore'});
    expect(await list('*.rs')).toEqual(['a.rs', 'docs/src/e.rs', 'src/b.rs', 'src/deep/c.rs']);
    expect(await list('src/**/*.rs')).toEqual(['src/b.rs', 'src/deep/c.rs']);
    expect(await list('/*.rs')).toEqual(['a.rs']);
    expect(await list('src/')).toEqual(['docs/src/e.rs', 'src/b.rs', 'src/d.ts', 'src/deep/c.rs']);
    expect(await list('!*.rs')).toEqual(['src/d.ts']);
    expect(await list('.github/*')).toEqual(['.github/f.rs']);
    expect(await list('')).toEqual([]);
  });

  it('braces are alternatives, or themselves; `./` is the folder', async () => {
    const root = await scratch({...files, '{a,b}.md': '', 'a.md': ''});
    const list = (pattern: string): Promise<readonly string[]> => glob(root, pattern, {dialect: 'gitignore'});
    expect(await list('src/**/*.{rs,ts}')).toEqual(['src/b.rs', 'src/d.ts', 'src/deep/c.rs']);
    expect(await list('{a,b}.md')).toEqual(['a.md', '{a,b}.md']);
    expect(await list('\\{a,b}.md')).toEqual(['{a,b}.md']);
    expect(await list('./*.rs')).toEqual(['a.rs']);
    expect(await list('./src/*.rs')).toEqual(['src/b.rs']);
  });
});
