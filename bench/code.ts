// The code index: a first build against `ctags -R` over the same files, and questions to a million symbols.
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {FileFacts, SymbolFact, UseFact} from '../src/code/file-facts.ts';
import {createResolver} from '../src/code/index/resolve-open.ts';
import {openCodeGraph} from '../src/code/index/open-code-graph.ts';
import {IndexWriter} from '../src/code/store/index-writer.ts';
import {databasePath, openForBuilding} from '../src/code/store/open-database.ts';
import {packFile} from '../src/code/store/parsed-file.ts';
import {SYMBOL_KINDS} from '../src/code/symbol.ts';
import {median} from './measure.ts';

const SOURCES = join(import.meta.dirname, '../src');
const PAIRS = 3;
const BUILD_BUDGET = 3;
const QUERY_MS = 10;
const CHANGE_MS = 50;
const {signal} = new AbortController();

/** Returns how many budgets are broken. */
export async function measureCode(): Promise<number> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fettle-bench-code-')));
  try {
    return (await measureBuild(root)) + (await measureQueries(root));
  } finally {
    rmSync(root, {recursive: true, force: true});
  }
}

async function measureBuild(place: string): Promise<number> {
  const root = join(place, 'tree');
  for (const copy of ['a', 'b', 'c']) cpSync(SOURCES, join(root, copy), {recursive: true});
  const list = join(place, 'list');
  const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.ts'));
  writeFileSync(list, files.map((name) => join(root, name)).join('\n'));
  const [ours, theirs]: [number[], number[]] = [[], []];
  const changes: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const graph = await openCodeGraph({root, cacheDir: join(place, `cache${pair}`)});
    ours.push(await timed(() => graph.fresh(signal)));
    await graph.fresh(signal);
    for (let change = 0; change < 5; change++) {
      writeFileSync(
        join(root, 'a/base/ids.ts'),
        `export const changed${pair}_${change} = 1;\n${readFileSync(join(SOURCES, 'base/ids.ts'), 'utf8')}`,
      );
      changes.push(
        await timed(async () => (await graph.fresh(signal, undefined, 'symbols'), await graph.outline('a/base/ids.ts', signal))),
      );
    }
    await graph.close();
    theirs.push(await timed(() => spawnSync('ctags', ['-L', list, '-f', join(place, 'tags')])));
  }
  const hasCtags = existsSync(join(place, 'tags'));
  const ratio = median(ours) / median(theirs);
  const isBuilt = !hasCtags || ratio <= BUILD_BUDGET;
  say(isBuilt, 'first build', hasCtags ? `${ratio.toFixed(2)} x ctags (budget ${BUILD_BUDGET} x)` : 'ctags is not installed', median(ours));
  const isSeen = median(changes) <= CHANGE_MS;
  say(isSeen, 'one changed file', `budget ${CHANGE_MS} ms`, median(changes));
  return Number(!isBuilt) + Number(!isSeen);
}

const FILES = 10_000;
const SYMBOLS = 100;
const VERBS = 'get set make open close read write find load save send parse build start stop check merge split apply reset'.split(' ');
const NOUNS =
  'User Order Item Server Client Session Token Buffer Stream Graph Node Edge Cache Index Query Result Model View State Event'.split(' ');

/** A database of a million symbols, with the names and uses that programs have: some everywhere, most in one place. */
async function measureQueries(place: string): Promise<number> {
  const root = join(place, 'large');
  mkdirSync(root);
  const cacheDir = join(place, 'cache-large');
  const database = openForBuilding(databasePath(join(cacheDir, 'code'), root));
  const writer = new IndexWriter(database);
  for (let file = 0; file < FILES; file += 100) {
    writer.transaction(() => {
      for (let n = file; n < file + 100; n++)
        writer.storeFile(packFile({path: pathOf(n), language: 'typescript', hash: String(n), size: 1, mtime: 1}, factsOf(n)));
    });
  }
  const resolve = createResolver(database, root);
  const resolved = writer.openFiles().map(resolve);
  writer.transaction(() => resolved.forEach((resolution) => writer.storeEdges(resolution)));
  writer.transaction(() => {
    writer.indexNames();
    writer.setMeta('built', 1);
  });
  database.close();
  const graph = await openCodeGraph({root, cacheDir});
  const popular = `${pathOf(0)}::${nameOf(0, 0)}#function`;
  const questions: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
    'search, exact': (n) => graph.search({text: nameOf(n * 37, 3), limit: 20}, signal),
    'search, beginning': (n) => graph.search({text: `${VERBS[n % 20] ?? ''}${NOUNS[n % 20] ?? ''}`, limit: 20}, signal),
    'search, short': (n) => graph.search({text: (VERBS[n % 20] ?? '').slice(0, 2), limit: 20}, signal),
    'search, humps': (n) =>
      graph.search({text: `${(VERBS[n % 20] ?? '').charAt(0)}${(NOUNS[(n + 3) % 20] ?? '').charAt(0)}U`, limit: 20}, signal),
    'search, a part': (n) => graph.search({text: `${(NOUNS[n % 20] ?? '').slice(1)}${n}`, limit: 20}, signal),
    'search, an error': (n) => graph.search({text: `${nameOf(n * 37, 3).slice(0, 5)}x${nameOf(n * 37, 3).slice(6)}`, limit: 20}, signal),
    'search, in a folder': (n) => graph.search({text: 'render', path: `packages/p${n % 50}`, limit: 20}, signal),
    resolve: (n) => graph.resolve({name: nameOf(n * 37, 3)}, signal),
    'resolve, id': (n) => graph.resolve({id: `${pathOf(n)}::${nameOf(n, 0)}#function`}, signal),
    outline: (n) => graph.outline(pathOf(n * 41), signal),
    graph: (n) => graph.graph(`${pathOf(n)}::${nameOf(n, 0)}#function`, {limit: 50}, signal),
    'graph, used in every file': () => graph.graph(popular, {limit: 50}, signal),
    'references, 100': () => graph.references(popular, {limit: 100}, signal),
  };
  let failed = 0;
  for (const [name, ask] of Object.entries(questions)) {
    const times: number[] = [];
    for (let n = 0; n < 40; n++) times.push(await timed(() => ask(n)));
    const isQuick = median(times) <= QUERY_MS;
    failed += Number(!isQuick);
    say(isQuick, name, `budget ${QUERY_MS} ms, slowest ${Math.max(...times).toFixed(1)}`, median(times));
  }
  await graph.close();
  return failed;
}

function pathOf(n: number): string {
  const file = n % FILES;
  return `packages/p${file % 50}/src/m${Math.floor(file / 50) % 20}/file${file}.ts`;
}

function nameOf(file: number, at: number): string {
  if (at % 10 === 9) return ['render', 'toString', 'constructor', 'init', 'dispose'][at % 5] ?? '';
  return `${VERBS[(file + at) % 20] ?? ''}${NOUNS[(file * 7 + at) % 20] ?? ''}${NOUNS[(file + at * 3) % 20] ?? ''}${(file % FILES) % 5000}${at === 0 ? 'a' : ''}`;
}

function factsOf(file: number): FileFacts {
  const range = (line: number) => ({start: {line, character: 0}, end: {line: line + 1, character: 1}});
  const symbols = Array.from({length: SYMBOLS}, (_, at): SymbolFact => ({
    name: nameOf(file, at),
    kind: at === 0 ? 'function' : (SYMBOL_KINDS[at % 3] ?? 'function'),
    parent: at % 10 > 5 ? at - (at % 10) : -1,
    range: range(at * 5),
    nameRange: range(at * 5),
    signature: `function ${nameOf(file, at)}(one: string, two: number): void`,
    exported: at % 2 === 0,
  }));
  const next = (file + 1) % FILES;
  const imports = [
    {local: 'popular', original: nameOf(0, 0), module: `../../../../${pathOf(0).replace('.ts', '')}`, range: range(0)},
    {local: 'next', original: nameOf(next, 0), module: `../../../../${pathOf(next)}`, range: range(1)},
  ];
  const uses = Array.from({length: SYMBOLS * 2}, (_, at): UseFact => ({
    kind: 'call',
    name: at % 20 === 0 ? 'popular' : at % 20 === 1 ? 'next' : nameOf(file, at % SYMBOLS),
    range: range(at * 2),
    within: at % SYMBOLS,
    target: at % 20 < 2 ? -1 : at % SYMBOLS,
  }));
  return {language: 'typescript', symbols, imports, exports: [], uses, broken: false};
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function say(isKept: boolean, name: string, what: string, ms: number): void {
  console.log(`${isKept ? 'ok    ' : 'FAILED'} ${name.padEnd(26)} ${ms.toFixed(1).padStart(9)} ms  (${what})`);
}
