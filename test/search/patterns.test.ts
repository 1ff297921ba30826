import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {GrepQuery} from '../../src/search/engine.ts';
import {scratch} from '../support/scratch.ts';
import {bothEngines, filesQuery, grepQuery, never} from './support.ts';

type Contents = Readonly<Record<string, string | {readonly b64: string}>>;

interface Cases {
  readonly bash: readonly {
    readonly files: readonly string[];
    readonly symlinks: Readonly<Record<string, string>>;
    readonly rows: readonly (readonly [pattern: string, hidden: boolean, expected: readonly string[]])[];
  }[];
  readonly git: {readonly files: readonly string[]; readonly rows: readonly (readonly [ignore: string, expected: readonly string[]])[]};
  readonly grep: {
    readonly files: Contents;
    readonly ignore: string;
    readonly rows: readonly (readonly [args: readonly string[], expected: readonly string[]])[];
  };
}

const cases = JSON.parse(await readFile(join(import.meta.dirname, '../cases/patterns.json'), 'utf8')) as Cases;
const engines = Object.entries(bothEngines('/nonexistent'));

describe.each(cases.bash)('globs, measured with bash', ({files, symlinks, rows}) => {
  it('expand to the same files', async () => {
    const root = await lay(Object.fromEntries(files.map((path) => [path, 'x\n'])));
    for (const [path, target] of Object.entries(symlinks)) await symlink(target, join(root, path));
    for (const [pattern, hidden, expected] of rows) {
      for (const [name, engine] of engines) {
        const query = filesQuery({root, hidden, requireGit: false, match: {dialect: 'bash', pattern}});
        const {paths} = await engine.files(query, never());
        expect({name, pattern, hidden, paths: paths.toSorted()}).toEqual({name, pattern, hidden, paths: expected});
      }
    }
  });
});

it('ignore files, measured with git', async () => {
  const root = await lay(Object.fromEntries(cases.git.files.map((path) => [path, 'x\n'])));
  for (const [ignore, expected] of cases.git.rows) {
    await writeFile(join(root, '.gitignore'), ignore);
    for (const [name, engine] of engines) {
      const {paths} = await engine.files(filesQuery({root, toolIgnoreFiles: false, requireGit: false}), never());
      expect({name, ignore, paths: paths.toSorted()}).toEqual({name, ignore, paths: expected});
    }
  }
});

describe('grep, measured with ripgrep', () => {
  /** Where more is found than ripgrep finds: files of Latin-1 are searched as they are read. */
  const beyond: Readonly<Record<string, readonly string[]>> = {'\u00e9': ['l.txt']};
  it.each(cases.grep.rows)('%j: both engines find the same lines in the expected files', async (args, expected) => {
    const root = await lay({...cases.grep.files, '.gitignore': cases.grep.ignore});
    const results = [];
    for (const [, engine] of engines) {
      const {matches} = await engine.grep(grepQuery({root, hidden: true, requireGit: false, pattern: '', ...optionsOf(args)}), never());
      expect([...new Set(matches.map(({path}) => path))]).toEqual(beyond[args.join(' ')] ?? expected);
      results.push(matches);
    }
    expect(results[1]).toEqual(results[0]);
  });
});

function optionsOf([first = '', ...rest]: readonly string[]): Partial<GrepQuery> {
  if (first === '-g') return {...optionsOf(rest.slice(1)), globs: rest.slice(0, 1)};
  if (first === '-i') return {...optionsOf(rest), caseInsensitive: true};
  if (first === '-U') return {...optionsOf(rest), multiline: true};
  return {pattern: first};
}

async function lay(contents: Contents): Promise<string> {
  const root = await scratch();
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), typeof content === 'string' ? content : Buffer.from(content.b64, 'base64'));
  }
  return root;
}
