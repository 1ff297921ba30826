import {mkdir, readFile, symlink, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {afterEach, describe, expect, it} from 'vitest';
import {KNOWN_SERVERS} from '../../../src/code/servers/known-servers.table.ts';
import {openLanguageServers, type LanguageServers} from '../../../src/code/servers/language-servers.ts';
import {childEnvironment} from '../../../src/exec/variables/child-environment.ts';
import {scratch} from '../../support/scratch.ts';

const signal = new AbortController().signal;
const MODULES = join(import.meta.dirname, '../../../node_modules');
const opened: LanguageServers[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (servers) => await servers.close()));
});

const TYPESCRIPT = {
  'tsconfig.json': '{"compilerOptions": {"strict": true, "noEmit": true}, "include": ["*.ts"]}',
  'greet.ts': 'export function greet(name: string): string {\n  return `hello ${name}`;\n}\n',
  'main.ts': "import {greet} from './greet';\n\nconsole.log(greet('you'));\nconst count: number = greet('me');\n",
};
const PYTHON = {
  'pyrightconfig.json': '{}',
  'greet.py': 'def greet(name: str) -> str:\n    return "hello " + name\n',
  'main.py': 'from greet import greet\n\ncount: int = greet("me")\n',
};

describe('language servers, the real ones', {timeout: 60_000}, () => {
  it('tsc: definitions, references, rename, diagnostics', async () => {
    const {servers, file} = await project(TYPESCRIPT);
    const asked = {...(await file('main.ts')), language: 'typescript'};
    const call = {...asked, position: {line: 2, character: 13}};
    expect(await servers.definitions(call, signal)).toEqual([place((await file('greet.ts')).file, 0, 16, 21)]);
    const places = (await servers.references(call, signal))?.map(
      ({file: path, range: {start}}) => `${basename(path)}:${start.line}:${start.character}`,
    );
    expect(places?.toSorted()).toEqual(['greet.ts:0:16', 'main.ts:0:8', 'main.ts:2:12', 'main.ts:3:22']);
    const declared = {...(await file('greet.ts')), language: 'typescript', position: {line: 0, character: 16}, newName: 'salute'};
    const edits = (await servers.rename(declared, signal))?.map(({file: path, newText}) => `${basename(path)} ${newText}`);
    expect(edits?.toSorted()).toEqual(['greet.ts salute', 'main.ts salute', 'main.ts salute', 'main.ts salute']);
    expect(await servers.diagnostics({...asked, ms: 30_000}, signal)).toEqual({
      server: 'tsc',
      diagnostics: [
        {
          severity: 'error',
          range: {start: {line: 3, character: 6}, end: {line: 3, character: 11}},
          message: "Type 'string' is not assignable to type 'number'.",
          code: '2322',
          source: 'ts',
        },
      ],
    });
  });

  it('what was just written is judged, and nothing older', async () => {
    const {servers, file} = await project(TYPESCRIPT);
    const {file: path, text} = await file('main.ts');
    const rewritten = text.replace('count: number', 'count: string');
    await writeFile(path, rewritten);
    await servers.changed([path]);
    expect(await servers.diagnostics({language: 'typescript', file: path, text: rewritten, ms: 30_000}, signal)).toEqual({
      server: 'tsc',
      diagnostics: [],
    });
    const broken = {language: 'typescript', file: path, text: `${rewritten}greet(1);\n`, ms: 30_000};
    expect((await servers.diagnostics(broken, signal))?.diagnostics.map(({code}) => code)).toEqual(['2345']);
    expect(servers.running()).toEqual(['tsc']);
  });

  it('pyright, which speaks when it likes: diagnostics of the text that was given', async () => {
    const {servers, file} = await project(PYTHON);
    const asked = {...(await file('main.py')), language: 'python'};
    const [found] = (await servers.diagnostics({...asked, ms: 30_000}, signal))?.diagnostics ?? [];
    expect([found?.code, found?.range.start]).toEqual(['reportAssignmentType', {line: 2, character: 13}]);
    const rewritten = {...asked, text: asked.text.replace('int', 'str'), ms: 30_000};
    expect(await servers.diagnostics(rewritten, signal)).toEqual({server: 'pyright', diagnostics: []});
    expect(await servers.definitions({...asked, position: {line: 2, character: 14}}, signal)).toEqual([
      place((await file('greet.py')).file, 0, 4, 9),
    ]);
  });

  it('one server for many questions at once; none for a language without one', async () => {
    const {servers, file} = await project(TYPESCRIPT);
    const call = {...(await file('main.ts')), language: 'typescript', position: {line: 2, character: 13}};
    const answers = await Promise.all([1, 2, 3].map(async () => await servers.definitions(call, signal)));
    expect(answers.map((places) => places?.length)).toEqual([1, 1, 1]);
    expect(servers.running()).toEqual(['tsc']);
    expect(await servers.definitions({...call, language: 'cobol'}, signal)).toBeUndefined();
  });
});

async function project(files: Readonly<Record<string, string>>) {
  const root = await scratch(files);
  // As npm lays them: that of TypeScript 7 in the project, that of pyright on PATH.
  await mkdir(join(root, 'node_modules/.bin'), {recursive: true});
  await symlink(join(MODULES, 'typescript/bin/tsc'), join(root, 'node_modules/.bin/tsc'));
  await mkdir(join(root, 'bin'));
  await symlink(join(MODULES, 'pyright/langserver.index.js'), join(root, 'bin/pyright-langserver'));
  const env = {...childEnvironment(process.env), PATH: `${join(root, 'bin')}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`};
  const servers = openLanguageServers({root, env, specs: KNOWN_SERVERS, mayRunProject: true});
  opened.push(servers);
  return {
    root,
    servers,
    file: async (name: string) => ({file: join(root, name), text: await readFile(join(root, name), 'utf8')}),
  };
}

function place(file: string, line: number, from: number, to: number) {
  return {file, range: {start: {line, character: from}, end: {line, character: to}}};
}
