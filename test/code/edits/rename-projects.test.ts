import {execFile} from 'node:child_process';
import {cp, mkdir, readFile, readdir, symlink, writeFile} from 'node:fs/promises';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {FettleError} from '../../../src/base/errors.ts';
import type {EditPlan, EditSources} from '../../../src/code/edits/edit-plan.ts';
import {renameSymbol} from '../../../src/code/edits/rename-symbol.ts';
import type {OutlineNode} from '../../../src/code/code-graph.ts';
import {openCodeGraph} from '../../../src/code/index/open-code-graph.ts';
import type {CodeSymbol} from '../../../src/code/symbol.ts';
import {scratch} from '../../support/scratch.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SEED = 20_261_121;
const run = promisify(execFile);
const {signal} = new AbortController();

describe('issue 6 › rename on real projects: their own checks still pass', {timeout: 180_000}, () => {
  it('the lower layers of these sources: tsc finds nothing, and all names back give the same bytes', async () => {
    const root = await scratch();
    for (const layer of ['base', 'protocol', 'text']) await cp(join(ROOT, 'src', layer), join(root, 'src', layer), {recursive: true});
    const options = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')) as object;
    await writeFile(join(root, 'tsconfig.json'), JSON.stringify({...options, include: ['src'], exclude: []}));
    await cp(join(ROOT, 'package.json'), join(root, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const before = await texts(root);
    const renames = await renameMany(root, {count: 30, under: 'src/'});
    expect(renames.done.length).toBeGreaterThanOrEqual(15);
    expect(await failure(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit'], root)).toBe('');
    for (const {files} of renames.done.toReversed()) for (const file of files) await writeFile(join(root, file.path), file.before);
    expect(await texts(root)).toEqual(before);
    expect(renames.differentBack).toEqual([]);
  });

  it('modules of the standard library of Python: their tests pass', async ({skip}) => {
    const library = await run('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))']).then(
      ({stdout}) => stdout.trim(),
      () => '',
    );
    skip(!existsSync(join(library, 'test/test_netrc.py')), 'no python3 with the tests of its library');
    const root = await scratch();
    await mkdir(join(root, 'test'));
    for (const path of ['html', 'shlex.py', 'netrc.py', 'test/__init__.py', 'test/support']) {
      await cp(join(library, path), join(root, path), {recursive: true, filter: (from) => !from.includes('__pycache__')});
    }
    const tests = ['html', 'htmlparser', 'shlex', 'netrc'];
    for (const name of tests) await cp(join(library, `test/test_${name}.py`), join(root, `test/test_${name}.py`));
    const renames = await renameMany(root, {count: 24, under: ''});
    expect(renames.done.length).toBeGreaterThanOrEqual(10);
    expect(renames.differentBack).toEqual([]);
    const unittest = ['-B', '-m', 'unittest', ...tests.map((name) => `test.test_${name}`)];
    expect(await failure('env', [`PYTHONPATH=${root}`, 'python3', ...unittest], root)).toBe('');
  });
});

interface Renames {
  readonly done: readonly EditPlan[];
  /** Ids of what does not get its old text by renaming it back. */
  readonly differentBack: readonly string[];
}

/** Renames symbols one after the other, spread over kinds, and writes what is not refused. Only refusals may be thrown. */
async function renameMany(root: string, {count, under}: {readonly count: number; readonly under: string}): Promise<Renames> {
  const graph = await openCodeGraph({root, cacheDir: await scratch()});
  onTestFinished(async () => await graph.close());
  await graph.fresh(signal);
  const sources: EditSources = {graph, root, signal, read: async (path) => await readFile(join(root, path), 'utf8')};
  const done: EditPlan[] = [];
  const differentBack: string[] = [];
  for (const [index, {id}] of (await sampled(sources, {count, under})).entries()) {
    const [symbol] = await graph.resolve({id}, signal).catch(() => []);
    if (symbol === undefined) continue; // what it is in has another name by now
    const newName = `${symbol.name}_${index}`;
    const plan = await planned({symbol, newName}, sources);
    if (plan === undefined) continue;
    for (const {path, after} of plan.files) await writeFile(join(root, path), after);
    await graph.fresh(signal);
    done.push(plan);
    const [renamed] = await graph.resolve({path: symbol.path, name: newName}, signal);
    const back = renamed === undefined ? undefined : await planned({symbol: renamed, newName: symbol.name}, sources);
    const texts = new Map(back?.files.map(({path, after}) => [path, after]));
    if (plan.files.some(({path, before}) => shortened(texts.get(path)) !== shortened(before))) differentBack.push(id);
  }
  return {done, differentBack};
}

/** `{a: a}` is `{a}`: who wrote a shorthand cannot be told from who did not. */
function shortened(text = ''): string {
  return text.replaceAll(/([\p{ID_Continue}$]+): \1(?=\s*[,=}])/gu, '$1');
}

async function planned(rename: {readonly symbol: CodeSymbol; readonly newName: string}, sources: EditSources) {
  return await renameSymbol(rename, sources).catch((error: unknown) => {
    if (error instanceof FettleError && error.code === 'NOT_UNIQUE') return undefined;
    throw error;
  });
}

/** Of each kind as many as there are places, members first: what they are in keeps its name so long. */
async function sampled({graph}: EditSources, {count, under}: {readonly count: number; readonly under: string}): Promise<CodeSymbol[]> {
  const symbols: CodeSymbol[] = [];
  for (const {path} of await graph.files(signal)) {
    if (path.startsWith(under) && !path.startsWith('test/'))
      symbols.push(...flat(await graph.outline(path, signal)).filter(({name}) => WORD.test(name)));
  }
  const random = generator(SEED);
  const shuffled = symbols.map((symbol) => ({symbol, at: random()})).toSorted((a, b) => a.at - b.at);
  const kinds = [...Map.groupBy(shuffled, ({symbol: {kind, parentId}}) => `${kind} ${parentId === undefined}`).values()];
  const rows = Array.from({length: count}, (_, row) => kinds.flatMap((kind) => kind[row]?.symbol ?? [])).flat();
  const depth = ({qualifiedName}: CodeSymbol): number => qualifiedName.split('.').length;
  return rows.slice(0, count).toSorted((a, b) => depth(b) - depth(a));
}

/** Keys that are texts have names, too. */
const WORD = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

function flat(nodes: readonly OutlineNode[]): CodeSymbol[] {
  return nodes.flatMap(({symbol, children}) => [symbol, ...flat(children)]);
}

/** Numbers from 0 to 1, always the same ones. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function texts(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(join(root, 'src'), {recursive: true, withFileTypes: true});
  const files = entries.filter((entry) => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

/** What a check says when it fails; empty where it passes. */
async function failure(command: string, args: readonly string[], cwd: string): Promise<string> {
  return await run(command, [...args], {cwd}).then(
    () => '',
    (error: {stdout: string; stderr: string}) => (error.stdout + error.stderr).slice(-2000) || 'failed',
  );
}
