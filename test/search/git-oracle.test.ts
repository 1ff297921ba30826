import {execFileSync} from 'node:child_process';
import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {findFiles} from '../../src/search/files.ts';
import {scratch} from '../support/scratch.ts';
import {fuzzing, put} from './support.ts';

const names = ['a', 'b', 'ab', 'a.js', 'b.log', '.x', 'A', 'é', '[a]', 'a b', '-', 'a]', '!a', '#a', 'build', 'a\\b', 'aab'];
const paths = fc.array(fc.constantFrom(...names), {minLength: 1, maxLength: 4}).map((parts) => parts.join('/'));
// prettier-ignore
const pieces = [
  'a', 'b', '*', '*', '**', '**/', '/', '/', '?', '[a]', '[!a]', '[^b]', '[a-c]', '[]a]', '[a', '[[:alpha:]]', '[[:x:]]', '[[:punct:]-]',
  '[:a]', '\\', '\\*', '\\a', ' ', '\\ ', '!', '#', '.', '.js', '*.log', 'é', 'ab', '[\\]]', '[a\\-c]', '[--a]', '{a,b}', '\t', '\r',
  'build', 'A', '[/a]', '[é]',
];
const line = fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 5}).map((parts) => parts.join(''));
const content = fc
  .tuple(fc.constantFrom('', '', '\uFEFF'), fc.array(line, {maxLength: 5}), fc.constantFrom('\n', '\n', '\r\n'), fc.boolean())
  .map(([bom, lines, end, last]) => bom + lines.join(end) + (last ? end : ''));
const tree = fc.record({
  files: fc.array(paths, {minLength: 1, maxLength: 14}),
  root: content,
  nested: fc.array(fc.tuple(paths, content), {maxLength: 2}),
  exclude: content,
  global: content,
  ignoreCase: fc.boolean(),
});

describe('gitignore(5), compared with git itself', () => {
  const hasGit = available('git');
  it.skipIf(!hasGit)('lists what `git ls-files -o --exclude-standard` lists', {timeout: 120_000}, async () => {
    const base = await scratch();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({files, root, nested, exclude, global, ignoreCase}) => {
        const home = join(base, String(run++));
        const repository = join(home, 'r');
        const env = {HOME: home, PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8'};
        await put(
          join(home, '.gitconfig'),
          `[core]\n  excludesFile = "${home}/global" ; all\n  ignoreCase = ${String(ignoreCase)}\n[init]\n  defaultBranch = m\n`,
        );
        await put(join(home, 'global'), global);
        for (const file of files) await put(join(repository, file), '');
        await put(join(repository, '.gitignore'), root);
        await mkdir(join(repository, '.git', 'info'), {recursive: true});
        await mkdir(join(repository, '.git', 'objects'));
        await mkdir(join(repository, '.git', 'refs'));
        await put(join(repository, '.git', 'HEAD'), 'ref: refs/heads/m\n');
        await put(join(repository, '.git', 'info', 'exclude'), exclude);
        for (const [path, text] of nested) await put(join(repository, path, '.gitignore'), text);
        await symlink('a', join(repository, 'link')).catch(() => undefined);
        const listed = execFileSync('git', ['ls-files', '-o', '-z', '--exclude-standard'], {cwd: repository, env, encoding: 'utf8'});
        const rules = {root: repository, hidden: true, ignoreFiles: true, requireGit: true, toolIgnoreFiles: false} as const;
        const found = await findFiles({...rules, order: 'path', limit: 1000}, env, AbortSignal.timeout(10_000));
        expect(found.paths.toSorted()).toEqual(listed.split('\0').filter(Boolean).toSorted());
      }),
      fuzzing(150),
    );
  });
});

function available(program: string): boolean {
  try {
    execFileSync(program, ['--version'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}
