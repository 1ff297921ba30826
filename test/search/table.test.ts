import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {GrepQuery} from '../../src/search/engine.ts';
import {scratch} from '../support/scratch.ts';
import {bothEngines, filesQuery, grepQuery, never} from './support.ts';

/** Measured with git 2.39.5, bash 5.2.15 and ripgrep 15.2.0; the fields are explained in the file itself. */
interface Case {
  readonly id: string;
  readonly kind: 'ignore' | 'glob' | 'grep';
  readonly note: string;
  readonly git: boolean;
  readonly files: readonly string[] | Readonly<Record<string, string | {b64: string}>>;
  readonly ignore?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly gitfile?: Readonly<Record<string, string>>;
  readonly nested_repos?: readonly string[];
  readonly exclude?: string;
  readonly global_excludes?: string;
  readonly outer_ignore?: string;
  readonly cwd?: string;
  readonly pattern?: string;
  readonly shopt?: readonly string[];
  readonly args?: readonly string[];
  readonly expected: readonly string[];
  readonly expected_no_require_git?: readonly string[];
  readonly ripgrep?: readonly string[];
}

const {cases} = JSON.parse(await readFile(join(import.meta.dirname, '../cases/ignore-glob-grep.json'), 'utf8')) as {cases: readonly Case[]};

describe('cases measured with git: ignore rules', () => {
  for (const entry of cases.filter(({kind}) => kind === 'ignore')) {
    it(`${entry.id}: ${entry.note}`, async () => {
      const {root, home} = await lay(entry);
      const from = join(root, entry.cwd ?? '');
      for (const engine of Object.values(bothEngines(home))) {
        const listed = async (rules: {requireGit?: boolean; toolIgnoreFiles?: boolean}): Promise<string[]> =>
          (await engine.files(filesQuery({root: from, ...rules}), never())).paths.map((path) =>
            entry.cwd === undefined ? path : `${entry.cwd}/${path}`,
          );
        expect((await listed({toolIgnoreFiles: false})).toSorted()).toEqual(entry.expected.toSorted());
        if (entry.expected_no_require_git !== undefined) {
          expect((await listed({requireGit: false})).toSorted()).toEqual(entry.expected_no_require_git.toSorted());
        }
        if (usesToolFiles(entry)) expect((await listed({})).toSorted()).toEqual((entry.ripgrep ?? entry.expected).toSorted());
      }
    });
  }
});

describe('cases measured with bash: globs', () => {
  for (const entry of cases.filter(({kind}) => kind === 'glob')) {
    it(`${entry.id}: ${entry.note}`, async () => {
      const {root, home} = await lay(entry);
      for (const engine of Object.values(bothEngines(home))) {
        const match = {dialect: 'bash', pattern: entry.pattern ?? ''} as const;
        const found = await engine.files(filesQuery({root, hidden: entry.shopt?.includes('dotglob') === true, match}), never());
        expect(found.paths).toEqual(entry.expected.toSorted());
      }
    });
  }
});

describe('cases measured with ripgrep: grep', () => {
  for (const entry of cases.filter(({kind}) => kind === 'grep')) {
    it(`${entry.id}: ${entry.note}`, async () => {
      const {root, home} = await lay(entry);
      for (const engine of Object.values(bothEngines(home))) {
        const {matches} = await engine.grep(grepQuery({root, pattern: '', ...optionsOf(entry.args ?? [])}), never());
        expect([...new Set(matches.map(({path}) => path))]).toEqual(entry.expected.toSorted());
      }
    });
  }
});

it('has all cases of the table', () => {
  expect(cases).toHaveLength(124);
});

function usesToolFiles({ignore}: Case): boolean {
  return Object.keys(ignore ?? {}).some((path) => /(?:^|\/)\.(?:rg)?ignore$/.test(path));
}

type Options = Partial<
  Pick<GrepQuery, 'pattern' | 'hidden' | 'ignoreFiles' | 'requireGit' | 'multiline' | 'caseInsensitive' | 'globs' | 'maxFileBytes'>
>;

/** The options of a query for the arguments of ripgrep that the table uses. */
function optionsOf(args: readonly string[]): Options {
  const [first = '', second = '', ...rest] = args;
  const flags: Readonly<Record<string, Options>> = {
    '--hidden': {hidden: true},
    '--no-ignore': {ignoreFiles: false},
    '--no-require-git': {requireGit: false},
    '-U': {multiline: true},
    '-i': {caseInsensitive: true},
  };
  const flag = flags[first];
  if (flag !== undefined) return {...optionsOf(args.slice(1)), ...flag};
  const more = optionsOf.bind(undefined, rest);
  if (first === '-g') return {...more(), globs: [second, ...(more().globs ?? [])]};
  if (first === '-t') return {...more(), globs: [`*.${second}`]};
  if (first === '--max-filesize') return {...more(), maxFileBytes: Number.parseInt(second, 10) * 1024};
  return {pattern: first};
}

async function lay(entry: Case): Promise<{root: string; home: string}> {
  const base = await scratch();
  const root = join(base, 'r');
  const home = join(base, 'home');
  await mkdir(root);
  await mkdir(home);
  const contents = Array.isArray(entry.files) ? entry.files.map((path: string) => [path, 'x\n'] as const) : Object.entries(entry.files);
  for (const [path, content] of contents)
    await put(join(root, path), typeof content === 'string' ? content : Buffer.from(content.b64, 'base64'));
  if (entry.git) await makeRepository(root);
  for (const path of entry.nested_repos ?? []) await makeRepository(join(root, path));
  for (const [path, text] of Object.entries({...entry.ignore, ...entry.gitfile})) await put(join(root, path), text);
  for (const [path, target] of Object.entries(entry.symlinks ?? {})) await symlink(target, join(root, path));
  if (entry.exclude !== undefined) await put(join(root, '.git/info/exclude'), entry.exclude);
  if (entry.outer_ignore !== undefined) await put(join(base, '.gitignore'), entry.outer_ignore);
  if (entry.global_excludes !== undefined) {
    await put(join(home, 'excludes'), entry.global_excludes);
    await put(join(home, '.gitconfig'), '[core]\n\texcludesFile = ~/excludes\n');
  }
  return {root, home};
}

async function makeRepository(folder: string): Promise<void> {
  await mkdir(join(folder, '.git/objects'), {recursive: true});
  await mkdir(join(folder, '.git/refs'), {recursive: true});
  await put(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
}

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, content);
}
