import {execFileSync} from 'node:child_process';
import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {findFiles} from '../../src/search/files.ts';
import {scratch} from '../support/scratch.ts';
import {fuzzing} from './support.ts';

// prettier-ignore
const FILES = [
  'a', 'b', 'ab', 'a.ts', 'b.ts', 'ab.tsx', 'A', 'é', '🚀', 'a1', 'a2', 'a10', 'f01', '{a}', '[a]', 'a b', 'a*b', '-x', 'x]', '.e',
  '.env', 'a,b', 'a|b', '!a', 'd/a', 'd/b.ts', 'd/.h', 'd/e/a.ts', 'd/e/f/g', '.d/a', '.d/.b', 'real/a', 'real/s/x.ts', '1', '2', '10',
];
// prettier-ignore
const pieces = [
  'a', 'b', 'd', 'e', '.', '*', '*', '?', '**', '/', '/', '**/', '[ab]', '[!a]', '[^a]', '[a-c]', '[]a]', '[!]a]', '[[:alpha:]]',
  '[[:digit:]]', '[', ']', '{a,b}', '{a,b', '{', '}', ',', '{1..3}', '{a..c}', '{01..10..3}', '{,.ts}', '{a}', '@(a|b)', '!(a)',
  '*(a|b)', '+(a)', '?(a)', '!(*.ts)', '@(a|@(b|c))', '\\*', "'a'", '"*"', '.ts', '1', 'real', 'link', '@(.e|a)', '!(.*)', '[[:upper:]]',
  '[a-', '..', '[.]', '?(.)', '*(.)', '[\\]a]', "['a-c']", '@(', '|', ')',
];
const pattern = fc.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 5}).map((parts) => parts.join(''));

describe('bash 5.2 globs with globstar and extglob, compared with bash itself', () => {
  it.skipIf(!hasBash())('expands to the same files', {timeout: 120_000}, async () => {
    const root = await scratch();
    for (const file of FILES) {
      await mkdir(dirname(join(root, file)), {recursive: true});
      await writeFile(join(root, file), '');
    }
    await symlink('real', join(root, 'link'));
    await symlink('../real', join(root, 'd', 'link'));
    await symlink('nowhere', join(root, 'gone.ts'));
    await symlink('a', join(root, 'tolink'));
    const patterns = fc.array(pattern, {minLength: 40, maxLength: 40});
    await fc.assert(
      fc.asyncProperty(patterns, fc.boolean(), async (list, hidden) => {
        const usable = list.filter((text) => isComparable(text));
        const expected = expandWithBash(usable, root, hidden);
        const rules = {root, hidden, ignoreFiles: false, requireGit: false} as const;
        for (const [i, text] of usable.entries()) {
          const found = await findFiles(
            {...rules, match: {dialect: 'bash', pattern: text}, order: 'path', limit: 1000},
            {},
            AbortSignal.timeout(10_000),
          );
          expect({text, hidden, paths: found.paths.map(plainPath).toSorted()}).toEqual({text, hidden, paths: expected[i]});
        }
      }),
      fuzzing(8),
    );
  });
});

/** What is left out: patterns that leave the folder, and words that bash would not take as one. */
function isComparable(text: string): boolean {
  return (
    !/^\/|^\W*\/|\.\.(?!\d|[a-z])|^-|(?:^|[^@?*+!])\(|\|(?![^(]*\))|\$/.test(text) &&
    balanced(text) &&
    !leavesFolder(text) &&
    !BASH_DEFECT.test(text)
  );
}

/** What bash does by accident: `a*!(a)a` matches `a`, `d/**` names `d/` itself, `[a[.]` is not a bracket, `a//b` and `./` are kept as they stand. */
const BASH_DEFECT = /\*[^/]*!\(|\(\)|\[[^\]/]*\[[.]|\/\/|\/\.(?:\/|$|\{)|\}\.\/|\/\*\*$|\*\*\/\*\*/;

function leavesFolder(text: string): boolean {
  return text.includes('..') || /\{,[^}]*\}\/|\/\{,/.test(text) || text.includes(',/');
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Files and links as bash lists them; folders only where the pattern ends in `/`. */
function expandWithBash(patterns: readonly string[], root: string, hidden: boolean): string[][] {
  const words = patterns.map((text) => `for f in ${text}; do emit "$f"; done; printf '\\1\\0'`);
  const script = `shopt -s nullglob globstar extglob ${hidden ? 'dotglob' : ''}
emit() { case "$1" in */) [ -d "$1" ] && printf '%s\\0' "$1";; *) { [ -L "$1" ] || [ -f "$1" ]; } && printf '%s\\0' "$1";; esac; }
${words.join('\n')}`;
  const output = execFileSync('bash', ['--norc', '-c', script], {
    cwd: root,
    encoding: 'utf8',
    env: {PATH: process.env['PATH'], LC_ALL: 'C.UTF-8'},
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lists = output.split('\x01\0').slice(0, -1);
  return lists.map((list, i) => {
    const wanted = list.split('\0').filter((path) => path !== '' && (patterns[i]?.endsWith('/') === true || !path.endsWith('/')));
    return [...new Set(wanted.map(plainPath))].toSorted();
  });
}

function plainPath(path: string): string {
  return path
    .replaceAll(/\/+/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replaceAll('/./', '/');
}

function hasBash(): boolean {
  try {
    return execFileSync('bash', ['-c', 'echo "${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"'], {encoding: 'utf8'}).trim() === '5.2';
  } catch {
    return false;
  }
}
