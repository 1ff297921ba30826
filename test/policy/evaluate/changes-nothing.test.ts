import {describe, expect, it} from 'vitest';
import {changesNothing} from '../../../src/policy/evaluate/changes-nothing.ts';

const listFolder = (folder: string) => ({real: folder, names: ['a.txt', 'b.txt'], links: new Map(), folders: new Set<string>()});

async function judged(...lines: readonly string[]): Promise<readonly boolean[]> {
  const subjects = (command: string) => [{kind: 'command', command, cwd: '/repo', workspace: '/repo'} as const];
  return await Promise.all(lines.map((line) => changesNothing(subjects(line), listFolder)));
}

describe('a line that changes no file', () => {
  it.each([
    'cat a.txt',
    'cat a.txt | grep x | wc -l',
    'cd src && ls -la',
    'head -5 a.txt; tail -5 b.txt',
    'cat *.txt',
    'grep x a.txt 2>/dev/null || echo none',
    'find . -name "*.ts"',
    'sort a.txt | uniq -c',
  ])('is %s', async (line) => {
    expect(await judged(line)).toEqual([true]);
  });

  it.each([
    ['a redirect', 'cat a.txt > b.txt', 'echo x >> a.txt', '> a.txt'],
    [
      'an option that writes',
      'sort -o a.txt a.txt',
      'find . -delete',
      'find . -fprint x',
      'tree -o x',
      'uniq a.txt b.txt',
      'file -C -m x',
      'find . -fls x',
    ],
    ['an option that runs something', 'find . -exec rm {} ;', 'sort --compress-program=./x a.txt', 'rg --pre ./x y'],
    ['variables', 'PATH=. cat a.txt', 'LD_PRELOAD=./x.so cat a.txt', 'PATH=.', 'x=1'],
    ['a program by its path', './cat a.txt', '/bin/cat a.txt', 'bin/ls'],
    ['another program behind it', 'env cat a.txt', 'xargs cat', 'sh -c "cat a.txt"', 'cat a.txt | tee b.txt', 'cat a.txt | sh'],
    ['what was put in another line', 'cat $(touch x)', 'cat <(touch x)', 'echo `touch x`', 'eval cat a.txt', 'cat() { rm a.txt; }; cat'],
    ['a program that runs what a repository or a file of settings names', 'git diff', 'git status', 'npm --version', 'less a.txt', 'bat a'],
    ['one that is not on the list', 'sleep 1', 'npm test', 'make', 'node -e 1'],
    ['nothing', '', ' ', '# cat'],
  ])('is none with %s', async (_, ...lines) => {
    expect(await judged(...lines)).toEqual(lines.map(() => false));
  });

  it('is known for command lines alone', async () => {
    expect([await changesNothing([], listFolder), await changesNothing([{kind: 'name', name: 'cat a.txt'}], listFolder)]).toEqual([
      false,
      false,
    ]);
  });
});
