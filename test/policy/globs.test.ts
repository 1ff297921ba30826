import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Decision, ListFolder, Mode, Rule} from '../../src/policy/decision.ts';
import {defaultRules} from '../../src/policy/rules/default-rules.ts';
import {globMatches} from '../../src/policy/shell/shell-glob.ts';
import {listFolderNames} from '../../src/workspace/list-folder.ts';
import {scratch} from '../support/scratch.ts';

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '/repo': ['src', 'keys', 'a.ts', 'b.ts', 'note.md', '.env', 'package.json'],
  '/repo/src': ['x.ts', 'y.ts', '.hidden'],
  '/repo/keys': ['server.pem', 'readme.txt'],
  '/repo/out': ['passwd', 'ok.txt'],
  '/repo/dash': ['-o', 'a.txt'],
  '/repo/a': ['package.json'],
};

/** `out/passwd` and `away` are links that lead out. */
const listing: ListFolder = (folder) => {
  const names = FOLDERS[folder];
  if (names === undefined) return undefined;
  const links = new Map(folder === '/repo/out' ? [['passwd', '/etc/passwd']] : []);
  return {real: folder, names, links, folders: new Set(names.filter((name) => FOLDERS[`${folder}/${name}`] !== undefined))};
};

interface Judged {
  readonly rules?: readonly Rule[];
  readonly mode?: Mode;
  readonly facts?: boolean;
}

function judge(command: string, {rules = [], mode = 'ask', facts = true}: Judged = {}): Promise<Decision> {
  const subjects = [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}] as const;
  const request = {toolNames: ['bash'], sideEffect: 'execute', subjects, listFolder: facts ? listing : undefined} as const;
  return decide(request, {mode, rules: [...rules, ...defaultRules('fettle')], fallback: 'ask'});
}

const ruled = (effect: Rule['effect'], ...texts: string[]): Rule[] => texts.map((text) => ({text, effect, source: 'user'}));

describe('globs are judged by what they can match (issue 13.5)', () => {
  it.each([
    ['ls *.ts', 'allow'],
    ['wc -l src/*.ts', 'allow'],
    ['cat *.ts', 'allow'],
    ['cat *', 'allow'],
    ['cat src/*', 'allow'],
    ['grep -n x */package.json', 'allow'],
    ['head -1 ?.ts', 'allow'],
    ['cat [a-z]*.md', 'allow'],
    ['ls keys/*', 'allow'],
    ['for f in *; do cat "$f"; done', 'allow'],
    ['for f in *.ts; do head -2 "$f"; done', 'allow'],
    ['cd src && cat *', 'allow'],
    ['cat "*"', 'allow'],
    ["head 'src/*'", 'allow'],
    ['cat keys/*', 'ask: keys/server.pem is asked by read:*.pem (default)'],
    ['cat .e*', 'ask: .e* is asked by read:*/.env (default)'],
    ['cat .*', 'ask: .* is asked by read:*/.env (default)'],
    ['cat .[e]nv', 'ask: .[e]nv is asked by read:*/.env (default)'],
    ['cat **/.env', 'ask: **/.env is asked by read:*/.env (default)'],
    ['cat */.env', 'ask: */.env is asked by read:*/.env (default)'],
    ['cat {.env,a.ts}', 'ask: .env is asked by read:*/.env (default)'],
    ['cat *.pem', 'ask: *.pem is asked by read:*.pem (default)'],
    ['cat out/*', 'ask: cat out/*: out/passwd is outside the workspace'],
    ['cat ../*.ts', 'ask: cat ../*.ts: ../*.ts is outside the workspace'],
    ['cd keys && cat *', 'ask: keys/server.pem is asked by read:*.pem (default)'],
    ['cd "$d" && cat *', 'ask: cat *: the folder of * is not known'],
    ['for f in .e*; do cat "$f"; done', 'ask: .e* is asked by read:*/.env (default)'],
    ['mv x y; cat *', 'ask: * is asked by read:*.pem (default)'],
    ['cat "$d"/*.ts', 'ask: cat "$d"/*.ts: "$d"/*.ts may become anything'],
  ])('%s → %s', async (line, expected) => {
    const {verdict, parts} = await judge(line);
    expect(verdict === 'allow' ? verdict : `${verdict}: ${parts.findLast((part) => part.verdict === verdict)?.reason ?? ''}`).toBe(
      expected,
    );
  });

  it.each([
    'shopt -s dotglob; cat *',
    `'sh'opt -s dotg''lob; cat *`,
    'GLOBIGNORE=x; cat *',
    `bash -O dotglob -c 'cat *'`,
    `zsh -c 'cat *'`,
    'env BASHOPTS=dotglob bash -c "cat *"',
    'export BASHOPTS=dotglob; bash -c "cat *"',
    '$x dotglob; cat *',
    'eval "$x"; cat *',
  ])('a line that may change what stars stand for is judged with stars for anything: %s', async (line) => {
    const {verdict, reason} = await judge(line, {mode: 'full-auto'});
    expect(`${verdict}: ${reason}`).toBe('ask: * is asked by read:*/.env (default)');
  });

  it('without knowing the files a star may be any name without a leading dot', async () => {
    const lines = ['ls *', 'wc -l *', 'cat *.ts', 'cat src/*/index.ts', 'cat *', 'cat keys/*', 'git add *.ts', 'git add *'];
    const verdicts = await Promise.all(lines.map(async (line) => (await judge(line, {mode: 'full-auto', facts: false})).verdict));
    expect(verdicts).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'ask', 'allow', 'ask']);
  });

  it.each(['full-auto', 'ask'] as const)('a deny rule counts wherever the glob could match, whatever is there now: %s', async (mode) => {
    const rules = ruled('deny', 'read:**/.env', 'read:secret/*', 'read:*.key');
    const lines = ['cat *.ts', 'cat src/*.ts', 'cat .e*', 'cat s*/x', 'cat *', 'cat a*'];
    const verdicts = await Promise.all(lines.map(async (line) => (await judge(line, {mode, rules})).verdict));
    expect(verdicts).toEqual(['allow', 'allow', 'deny', 'ask', 'ask', 'ask']);
  });

  it('a rule with a star covers a glob whose names are known to be no options', async () => {
    const rules = ruled('allow', 'bash:git add *', 'bash:sort *');
    const lines = ['git add *.ts', 'git add *', 'sort src/*', 'sort dash/*', 'cd dash && sort *', 'sort *.nothing'];
    const verdicts = await Promise.all(lines.map(async (line) => (await judge(line, {rules})).verdict));
    expect(verdicts).toEqual(['allow', 'allow', 'allow', 'allow', 'ask', 'allow']);
  });

  it('the glob of bash and the stars of a rule have a text in common exactly where a search finds one', () => {
    const piece = fc.constantFrom('a', '.', '/', '*', '?', 'b');
    const name = fc.array(fc.constantFrom('a', 'b', '.', '/'), {maxLength: 5}).map((chars) => chars.join(''));
    const text = fc.array(piece, {maxLength: 6}).map((pieces) => pieces.join(''));
    const expression = (glob: string, star: string, one: string): RegExp =>
      new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll(/\*+/g, star).replaceAll('?', one)}$`);
    fc.assert(
      fc.property(text, text, name, (rule, glob, file) => {
        const fromRule = expression(rule.replaceAll('?', 'x'), '[^]*', '').test(file);
        const byGlob = expression(glob.replaceAll(/(^|\/)(?=[*?])/g, '$1(?!\\.)'), '[^/]*', '[^/]').test(file);
        return !(fromRule && byGlob) || globMatches(rule.replaceAll('?', 'x'), glob);
      }),
      {numRuns: 3000},
    );
    expect([
      globMatches('*/.env', '/r/*.ts'),
      globMatches('*/.env', '/r/*'),
      globMatches('*.pem', '/r/*'),
      globMatches('a/.b', 'a/?b'),
    ]).toEqual([false, false, true, false]);
  });

  it('finds links and folders of a real folder', async () => {
    const folder = join(await scratch(), 'list');
    mkdirSync(join(folder, 'sub'), {recursive: true});
    writeFileSync(join(folder, '.a'), '');
    symlinkSync('/etc', join(folder, 'etc'));
    symlinkSync('nowhere', join(folder, 'lost'));
    const listed = listFolderNames(folder);
    expect({...listed, names: [...(listed?.names ?? [])].sort(), real: listed?.real === folder}).toEqual({
      real: true,
      names: ['.a', 'etc', 'lost', 'sub'],
      links: new Map([
        ['etc', '/etc'],
        ['lost', ''],
      ]),
      folders: new Set(['etc', 'sub']),
    });
    expect([listFolderNames(join(folder, '.a')), listFolderNames(join(folder, 'none'))]).toEqual([undefined, undefined]);
  });
});

describe('a deep folder', () => {
  const root = `/${'company-projects/'.repeat(6)}scratch/8ee4c3b989dc5c63ba559dee`;
  const own = Array.from({length: 20}, (_, index) => `part${index}`).flatMap((name) => [
    `write:${root}/state/${name}`,
    `write:${root}/state/${name}/*`,
  ]);
  const look = async (command: string): Promise<Decision> => {
    const subjects = [{kind: 'command', command, cwd: `${root}/tree`, workspace: `${root}/tree`}] as const;
    const rules = [...ruled('ask', ...own), ...defaultRules('fettle')];
    const listFolder: ListFolder = (folder) => ({
      real: folder,
      names: folder === root ? ['state', 'tree'] : ['part1'],
      links: new Map(),
      folders: new Set(['state']),
    });
    return await decide(
      {toolNames: ['bash'], sideEffect: 'execute', subjects, listFolder},
      {mode: 'full-auto', rules, fallback: 'ask', sandboxed: true},
    );
  };

  it('leaves a glob enough of the budget: only what differs from a rule is compared with it', async () => {
    expect((await look('head -n 20 config/*')).verdict).toBe('allow');
  });

  it('still finds the rule that a glob may match', async () => {
    const {verdict, parts} = await look('rm -r ../st*/part1');
    expect([verdict, parts.at(-1)?.rule?.text]).toEqual(['ask', `write:${root}/state/part1`]);
  });

  it.each([
    ['/a/b/*', '/a/b/c', true],
    ['/a/b/c', '/a/b/*', true],
    ['/a/b/.c', '/a/b/*', false],
    ['/a/b.c', '/a/b*', true],
    ['/a/bc', '/a/b?', true],
    ['/a/b', '/a/b*', true],
    ['/a/b', '/a/b/*', false],
    ['/a/b', '/a/c*', false],
    ['/a/b*', '/a/bc/d', true],
    ['', '*', true],
  ])('compares %s with the glob %s: %s', (pattern, glob, expected) => {
    expect(globMatches(pattern, glob)).toBe(expected);
  });
});
