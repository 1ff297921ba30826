import {execFileSync} from 'node:child_process';
import {chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {gitVariables} from '../../../../src/lab/rollout/tree/git-variables.ts';
import {filePatch} from '../../../../src/lab/rollout/tree/file-patch.ts';
import {smallTreeChanges} from '../../../../src/lab/rollout/tree/small-tree.ts';
import {scratch} from '../../../support/scratch.ts';

const LINES = Array.from({length: 40}, (_, index) => `line ${index}`);
const CODE = ['import os', '', 'def first():', ...LINES.slice(0, 9).map((line) => `    ${line}`), 'def second():', '    return 2', ''].join(
  '\n',
);

type Change = (tree: string) => void;

const CHANGES: readonly (readonly [string, Change])[] = [
  ['nothing', () => undefined],
  ['a new file', (tree) => put(tree, 'new/deep/file.txt', 'one\ntwo\n')],
  ['a new empty file', (tree) => put(tree, 'empty', '')],
  ['a new program', (tree) => put(tree, 'run.sh', 'exit 0\n', 0o755)],
  ['a file that is gone', (tree) => rmSync(join(tree, 'many.txt'))],
  ['an empty file that is gone', (tree) => rmSync(join(tree, 'none'))],
  ['one line below a function', (tree) => put(tree, 'code.py', CODE.replace('line 8', 'line eight'))],
  ['far places of a file', (tree) => put(tree, 'many.txt', text(LINES.with(2, 'x').with(30, 'y')))],
  ['near places of a file', (tree) => put(tree, 'many.txt', text(LINES.with(2, 'x').with(8, 'y').with(16, 'z')))],
  ['the first and the last line', (tree) => put(tree, 'many.txt', text(LINES.with(0, 'x').with(39, 'y')))],
  ['lines inserted at the start', (tree) => put(tree, 'many.txt', text(['a', 'b', ...LINES]))],
  ['a last line without its end', (tree) => put(tree, 'many.txt', LINES.join('\n'))],
  ['an end for the last line', (tree) => put(tree, 'no-end.txt', 'a\nb\n')],
  ['a file that is emptied', (tree) => put(tree, 'many.txt', '')],
  ['an empty file that is filled', (tree) => put(tree, 'none', 'something\n')],
  ['line ends', (tree) => put(tree, 'many.txt', LINES.join('\r\n'))],
  ['a lone carriage return', (tree) => put(tree, 'no-end.txt', 'a\rb\nb')],
  ['bytes that are not UTF-8', (tree) => put(tree, 'latin1.txt', Buffer.from('caf\xe9\n\xfcber\n', 'latin1'))],
  ['a mode', (tree) => chmodSync(join(tree, 'many.txt'), 0o755)],
  ['a mode and a line', (tree) => put(tree, 'many.txt', text(LINES.with(5, 'x')), 0o755)],
  [
    'several files, in the order of their paths',
    (tree) => {
      put(tree, 'a-b.txt', 'new\n');
      put(tree, 'a/b.txt', 'new\n');
      put(tree, 'a.txt', 'new\n');
      put(tree, 'B.txt', 'new\n');
    },
  ],
];

describe('git diff of the same trees is the oracle', () => {
  test.each(CHANGES)('%s', async (_, change) => {
    const {before, after} = await trees(change);
    const found = smallTreeChanges(before, after) ?? [];
    expect(Buffer.concat(found.map(filePatch)).toString('latin1')).toBe(gitDiff(before, after));
  });
});

const FOR_GIT: readonly (readonly [string, Change])[] = [
  ['ignore rules', (tree) => put(tree, 'sub/.gitignore', '*.log\n')],
  ['attributes', (tree) => put(tree, '.gitattributes', '* text\n')],
  ['a repository', (tree) => put(tree, 'sub/.git/HEAD', 'ref: refs/heads/main\n')],
  ['a repository in other letters', (tree) => put(tree, '.GIT/HEAD', 'ref: refs/heads/main\n')],
  ['a link', (tree) => symlinkSync('many.txt', join(tree, 'link'))],
  ['a FIFO', (tree) => void execFileSync('mkfifo', [join(tree, 'fifo')])],
  ['a binary file', (tree) => put(tree, 'image', Buffer.from([1, 0, 2]))],
  ['a name that git quotes', (tree) => put(tree, 'a"b', 'x\n')],
  ['a name with a space', (tree) => put(tree, 'a b', 'x\n')],
  ['more than 4 MiB', (tree) => put(tree, 'large.txt', 'x'.repeat(4 * 1024 * 1024))],
  [
    'more than 500 entries in both',
    (tree) => {
      for (let index = 0; index < 500; index += 1) put(tree, `f${index}`, '');
    },
  ],
];

test.each(FOR_GIT)('%s: git has to look', async (_, change) => {
  const {before, after} = await trees(change);
  expect(smallTreeChanges(before, after)).toBeUndefined();
});

test('a folder where a file was: both are named, of which git forgets the file', async () => {
  const {before, after} = await trees((tree) => {
    rmSync(join(tree, 'none'));
    put(tree, 'none/inside', 'x\n');
  });
  const found = smallTreeChanges(before, after) ?? [];
  expect(Buffer.concat(found.map(filePatch)).toString()).toMatchInlineSnapshot(`
    "diff --git a/none b/none
    deleted file mode 100644
    index e69de29..0000000
    diff --git a/none/inside b/none/inside
    new file mode 100644
    index 0000000..587be6b
    --- /dev/null
    +++ b/none/inside
    @@ -0,0 +1 @@
    +x
    "
  `);
  const patch = join(dirname(after), 'patch');
  writeFileSync(patch, Buffer.concat(found.map(filePatch)));
  execFileSync('git', ['apply', patch], {cwd: before, env: gitVariables()});
  expect(smallTreeChanges(before, after)).toEqual([]);
});

test('compiled Python is left out', async () => {
  const {before, after} = await trees((tree) => put(tree, 'pkg/__pycache__/m.pyc', Buffer.from([0, 1])));
  expect(smallTreeChanges(before, after)).toEqual([]);
});

async function trees(change: Change): Promise<{before: string; after: string}> {
  const root = await scratch({});
  const [before, after] = [join(root, 'before'), join(root, 'after')];
  put(before, 'many.txt', text(LINES));
  put(before, 'code.py', CODE);
  put(before, 'none', '');
  put(before, 'no-end.txt', 'a\nb');
  put(before, 'latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
  cpSync(before, after, {recursive: true});
  change(after);
  return {before, after};
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function put(tree: string, path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(join(tree, path)), {recursive: true});
  writeFileSync(join(tree, path), content);
  chmodSync(join(tree, path), mode);
}

function gitDiff(before: string, after: string): string {
  const repository = join(dirname(after), 'git');
  const env = {
    ...gitVariables(),
    GIT_DIR: repository,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.autocrlf',
    GIT_CONFIG_VALUE_0: 'false',
  };
  const git = (tree: string, ...args: readonly string[]): void =>
    void execFileSync('git', args, {cwd: tree, env: {...env, GIT_WORK_TREE: tree}, stdio: ['ignore', 'ignore', 'inherit']});
  mkdirSync(repository);
  git(before, 'init', '-q');
  git(before, 'add', '--all', '.');
  git(after, 'add', '--no-all', '--intent-to-add', '.');
  const patch = join(dirname(after), 'patch');
  git(after, 'diff', '--binary', '--no-renames', '--no-color', `--output=${patch}`);
  return readFileSync(patch, 'latin1');
}
