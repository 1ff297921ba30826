import {rename, rm, symlink, utimes, writeFile, mkdir} from 'node:fs/promises';
import {statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {openCodeGraph} from '../../../src/code/index/open-code-graph.ts';
import {databasePath} from '../../../src/code/store/open-database.ts';
import {scratch} from '../../support/scratch.ts';
import {closing, dumpIndex, indexFiles, updateFiles} from '../index-files.ts';

const {signal} = new AbortController();
const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({length: count}, (_, n) => [
      `src/f${n}.ts`,
      `import {g${n + 1}} from './f${n + 1}.ts';\nexport function g${n}() { return g${n + 1}(); }\n`,
    ]),
  );

async function open(files: Record<string, string>) {
  const root = await scratch(files);
  const cacheDir = await scratch();
  const graph = closing(await openCodeGraph({root, cacheDir}));
  return {root, cacheDir, graph, database: databasePath(join(cacheDir, 'code'), root)};
}

const names = async (graph: Awaited<ReturnType<typeof openCodeGraph>>, path: string): Promise<string[]> =>
  (await graph.outline(path, signal)).map(({symbol}) => symbol.name);

describe('the index of a workspace (issue: built in parallel, incremental by content hash)', () => {
  it('is what the same files give in one thread, and is readable by its owner alone', async () => {
    const files = many(60);
    const {graph, database} = await open(files);
    expect((await graph.status(signal)).state).toBe('absent');
    const status = await graph.fresh(signal);
    expect({...status, builtAt: 0}).toEqual({
      state: 'ready',
      files: 60,
      symbols: 60,
      relations: 180 - 60,
      broken: 0,
      skipped: 0,
      builtAt: 0,
      languages: {typescript: 60},
    });
    expect(dumpIndex(database)).toEqual(dumpIndex(await indexFiles(files)));
    expect(statSync(database).mode & 0o777).toBe(0o600);
  });

  it('is what small steps in one thread give where threads share the files and what their names mean', async () => {
    const {root, graph, database} = await open(many(400));
    await graph.fresh(signal);
    const other = join(await scratch(), 'steps.sqlite');
    await updateFiles(root, other, 10);
    expect(dumpIndex(database)).toEqual(dumpIndex(other));
  });

  it('leaves out what git ignores, packages, secrets, binaries, minified files and links (issue: ignores what git ignores)', async () => {
    const {root, graph} = await open({
      '.gitignore': 'out/\n*.gen.ts\n',
      'a.ts': 'export const a = 1;\n',
      'out/b.ts': 'export const b = 1;\n',
      'c.gen.ts': 'export const c = 1;\n',
      'node_modules/p/index.js': 'exports.p = 1;\n',
      'binary.js': 'const x = "\0";\n',
      'app.min.js': `var a=1;${'a=a+1;'.repeat(20_000)}\n`,
      'made.ts': `// @generated\n${'export const x = 1;\n'.repeat(5000)}`,
    });
    await symlink(join(root, 'a.ts'), join(root, 'link.ts'));
    await graph.fresh(signal);
    expect((await graph.files(signal)).map(({path}) => path)).toEqual(['a.ts']);
    expect((await graph.status(signal)).skipped).toBe(3);
  });

  it('a changed, a new, a removed and a renamed file are seen by the next question, and what imports them means something else then', async () => {
    const {root, graph, database} = await open({
      'a.ts': 'export function one() {}\n',
      'use.ts': "import {one, two} from './a.ts';\nimport {late} from './late.ts';\none(); two(); late();\n",
    });
    const check = async (): Promise<void> => {
      await graph.fresh(signal);
      const other = join(await scratch(), 'fresh.sqlite');
      await updateFiles(root, other);
      expect(dumpIndex(database)).toEqual(dumpIndex(other));
    };
    await check();
    await writeFile(join(root, 'a.ts'), '// moved\nexport const before = 1;\nexport function one() {}\nexport function two() {}\n');
    await check();
    await writeFile(join(root, 'late.ts'), 'export function late() {}\n');
    await check();
    await rename(join(root, 'late.ts'), join(root, 'later.ts'));
    await check();
    await mkdir(join(root, 'late'));
    await writeFile(join(root, 'late/index.ts'), 'export function late() {}\n');
    await check();
    await rm(join(root, 'a.ts'));
    await check();
  });

  it('a symbol keeps its id and its uses when lines move before it, and only files that look at what has changed are resolved again', async () => {
    const {root, graph} = await open({
      'a.ts': 'export function one() {}\n',
      'b.ts': "import {one} from './a.ts';\none();\n",
      'c.ts': 'export const c = 1;\n',
    });
    await graph.fresh(signal);
    const places = async (): Promise<string[]> =>
      (await graph.references('a.ts::one#function', {limit: 10}, signal)).places.map(
        ({path, kind, range}) => `${path}:${range.start.line} ${kind}`,
      );
    await writeFile(join(root, 'a.ts'), '// What others see of it is the same.\nexport function one() {}\n');
    await graph.fresh(signal);
    expect(await places()).toEqual(['a.ts:1 reference', 'b.ts:0 import', 'b.ts:1 call']);
    await writeFile(join(root, 'a.ts'), 'export const zero = 0;\n\nexport function one() {}\n');
    await graph.fresh(signal);
    expect(await places()).toEqual(['a.ts:2 reference', 'b.ts:0 import', 'b.ts:1 call']);
  });

  it('settings that lead imports elsewhere count for all files', async () => {
    const {root, graph} = await open({
      'tsconfig.json': '{"compilerOptions": {"paths": {"x": ["./one.ts"]}}}',
      'one.ts': 'export const x = 1;\n',
      'two.ts': 'export const x = 2;\n',
      'use.ts': "import {x} from 'x';\n",
    });
    const target = async (): Promise<string | undefined> =>
      (await graph.definitionAt('use.ts', {line: 0, character: 8}, signal))[0]?.symbol?.path;
    await graph.fresh(signal);
    expect(await target()).toBe('one.ts');
    await writeFile(join(root, 'tsconfig.json'), '{"compilerOptions": {"paths": {"x": ["./two.ts"]}}}');
    await graph.fresh(signal);
    expect(await target()).toBe('two.ts');
  });

  it('keeps the last good parse while a file is broken (issue), and says so', async () => {
    const {root, graph} = await open({'a.ts': 'export function one() {}\nexport function two() {}\n'});
    await graph.fresh(signal);
    await writeFile(join(root, 'a.ts'), 'export function one( {\n');
    expect((await graph.fresh(signal)).broken).toBe(1);
    expect(await names(graph, 'a.ts')).toEqual(['one', 'two']);
    await writeFile(join(root, 'a.ts'), 'export function three() {}\n');
    expect((await graph.fresh(signal)).broken).toBe(0);
    expect(await names(graph, 'a.ts')).toEqual(['three']);
  });

  it('unsaved editor buffers overlay the disk (issue), also files that are not there', async () => {
    const {graph} = await open({'a.ts': 'export function one() {}\n'});
    await graph.fresh(signal);
    graph.overlay('a.ts', 'export function unsaved() {}\n');
    graph.overlay('new.ts', 'export function fresh() {}\n');
    await graph.fresh(signal);
    expect([await names(graph, 'a.ts'), await names(graph, 'new.ts')]).toEqual([['unsaved'], ['fresh']]);
    graph.overlay('a.ts', undefined);
    graph.overlay('new.ts', undefined);
    await graph.fresh(signal);
    expect([await names(graph, 'a.ts'), (await graph.files(signal)).length]).toEqual([['one'], 1]);
  });

  it('the same content with another time is not parsed again, and another content with the same size and time is found by who watches', async () => {
    const {root, graph} = await open({'a.ts': 'export const one = 1;\n'});
    await graph.fresh(signal);
    await graph.fresh(signal); // from now on it watches
    const {mtime} = statSync(join(root, 'a.ts'));
    await writeFile(join(root, 'a.ts'), 'export const two = 1;\n');
    await graph.fresh(signal);
    expect(await names(graph, 'a.ts')).toEqual(['two']);
    await utimes(join(root, 'a.ts'), mtime, mtime);
    await graph.fresh(signal);
    expect(await names(graph, 'a.ts')).toEqual(['two']);
  });

  it('a stopped question is CANCELLED, and the next one is answered', async () => {
    const {graph} = await open(many(30));
    const stop = new AbortController();
    const asked = graph.fresh(stop.signal);
    stop.abort();
    await expect(asked).rejects.toMatchObject({code: 'CANCELLED'});
    expect((await graph.fresh(signal)).files).toBe(30);
  });

  it('names what it does not know: no index, no file, no symbol', async () => {
    const {graph} = await open({'server.ts': 'export class Server { start() {} }\n'});
    await expect(graph.outline('server.ts', signal)).rejects.toMatchObject({code: 'UNAVAILABLE'});
    await graph.fresh(signal);
    await expect(graph.outline('servr.ts', signal)).rejects.toMatchObject({code: 'NOT_FOUND', hint: 'Nearest: server.ts.'});
    await expect(graph.graph('server.ts::Server.strt#method', {limit: 5}, signal)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: 'Nearest: server.ts::Server.start#method.',
    });
    await expect(graph.resolve({}, signal)).rejects.toMatchObject({code: 'BAD_ARGS'});
  });
});
