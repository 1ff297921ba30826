import {mkdir} from 'node:fs/promises';
import {basename, dirname, relative, resolve, sep} from 'node:path';
import {counted} from '../../../base/counted.ts';
import {FettleError, isFettleError} from '../../../base/errors.ts';
import {createRedactor} from '../../../base/redact.ts';
import {secretValuesOf} from '../../../base/secret-variables.ts';
import type {CodeGraph, Definition, IndexStatus, OutlineNode} from '../../../code/code-graph.ts';
import {drawEdges} from '../../../code/pictures/draw-edges.ts';
import type {PictureFormat} from '../../../code/pictures/edge-picture.ts';
import type {RelationKind} from '../../../code/relation.ts';
import {projectOverview} from '../../../code/overview/project-overview.ts';
import type {CodeSymbol, SymbolKind} from '../../../code/symbol.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {openCode} from '../../../sdk/tools/code-access.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import type {SymbolsResult} from '../../../tools/operations/symbols/find-symbols.ts';
import {findReferences, viewOfMeant} from '../../../tools/operations/symbols/symbol-references.ts';
import {findSelected, namePlace, onlyOne, parseSelector, type SelectorArgs} from '../../../tools/operations/symbols/symbol-selector.ts';
import {viewOfNode} from '../../../tools/operations/symbols/symbol-outline.ts';
import {viewOfEdge, viewOfSymbol} from '../../../tools/operations/symbols/symbol-view.ts';
import {symbolsText} from '../../../tools/toolsets/symbols-text.ts';
import {openWorkspace} from '../../../workspace/open-workspace.ts';
import type {Workspace} from '../../../workspace/workspace.ts';
import {writeFileAtomic} from '../../../workspace/write-file.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {progressBar} from '../output/progress-bar.ts';

export interface IndexOptions {
  readonly cwd?: string;
  readonly json?: true;
  readonly force?: true;
  readonly path?: string;
  readonly kind?: SymbolKind;
  readonly relation?: RelationKind;
  readonly format?: PictureFormat;
  readonly limit?: string;
  readonly write?: true;
  /** As it was left: nothing is looked at. */
  readonly stale?: true;
}

/** `fettle index NAME`: exit code 1 where a name means nothing. */
export const INDEX_COMMANDS = {
  build: (io: Io, _: string, options: IndexOptions) => withIndex(io, options, async (at) => tell(at, await at.graph.status(at.signal))),
  status: (io: Io, _: string, options: IndexOptions) =>
    withIndex(io, {...options, stale: true}, async (at) => tell(at, await at.graph.status(at.signal))),
  search: (io: Io, query: string, options: IndexOptions) => withIndex(io, options, async (at) => await search(at, query)),
  resolve: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await resolveName(at, name)),
  outline: (io: Io, file: string, options: IndexOptions) => withIndex(io, options, async (at) => await outline(at, file)),
  graph: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await graphOf(at, name)),
  references: (io: Io, name: string, options: IndexOptions) => withIndex(io, options, async (at) => await references(at, name)),
  overview: (io: Io, folder: string, options: IndexOptions) => withIndex(io, options, async (at) => await overview(at, folder)),
};

export type IndexCommand = keyof typeof INDEX_COMMANDS;

interface At {
  readonly io: Io;
  readonly options: IndexOptions;
  readonly workspace: Workspace;
  readonly root: string;
  /** Where the person stands. */
  readonly cwd: string;
  readonly graph: CodeGraph;
  readonly signal: AbortSignal;
}

async function withIndex(given: Io, options: IndexOptions, command: (at: At) => Promise<number>): Promise<number> {
  const io = withoutSecrets(given);
  const {cwd, paths} = await loadSettings({cwd: resolve(io.cwd, options.cwd ?? '.'), env: io.env, home: io.home});
  const workspace = await openWorkspace(cwd);
  const {root} = workspace;
  const code = openCode({root, cacheDir: paths.cacheDir, rebuild: options.force});
  const interrupts = listenForInterrupts(() => io.note('Stopping. What is indexed so far is kept.'));
  const signal = interrupts.signal();
  const bar = progressBar(io, 'files');
  try {
    const graph = await code.open(signal);
    if (options.stale !== true) await graph.fresh(signal, ({done, total}) => bar.show(done, total));
    bar.clear();
    return await orNotFound(io, command({io, options, workspace, root, cwd: resolve(io.cwd, options.cwd ?? '.'), graph, signal}));
  } finally {
    bar.clear();
    await code.close();
    interrupts.dispose();
  }
}

/** Code may hold what the environment holds: as in results of tools, it is not shown. */
function withoutSecrets(io: Io): Io {
  const redactor = createRedactor({secrets: secretValuesOf(io.env), shapes: false});
  return {...io, data: (text) => io.data(redactor.text(text)), shown: (text) => io.shown(redactor.text(text))};
}

/** A name that means nothing is an answer, as it is for `grep`: 1, and no mistake in how the command was used. */
async function orNotFound(io: Io, answer: Promise<number>): Promise<number> {
  try {
    return await answer;
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'NOT_FOUND') throw error;
    io.note(error.hint === undefined ? error.message : `${error.message}\n  ${error.hint}`);
    return EXIT.failed;
  }
}

function tell({io, options, root}: At, status: IndexStatus): number {
  if (options.json === true) return json(io, {root, ...status});
  const {state, files, symbols, relations, broken, languages} = status;
  if (state === 'absent') {
    io.data(`${root}: not indexed yet; \`fettle index build\`, or any question, does it\n`);
    return EXIT.done;
  }
  io.data(`${root}: ${counted(files, 'file')}, ${counted(symbols, 'symbol')}, ${counted(relations, 'relation')}\n`);
  if (broken > 0) io.data(`${counted(broken, 'file has', 'files have')} parts that could not be parsed\n`);
  const byCount = Object.entries(languages).toSorted(([, a], [, b]) => b - a);
  for (const [language, count] of byCount) io.data(`  ${language} ${count}\n`);
  return EXIT.done;
}

async function search({io, options, root, cwd, graph, signal}: At, query: string): Promise<number> {
  const path = options.path === undefined ? undefined : fromRoot(options.path, cwd, root);
  const {symbols, truncated} = await graph.search({text: query, limit: limitOf(options), path, kind: options.kind}, signal);
  const results = symbols.map(({symbol, score}) => ({symbol: viewOfSymbol(symbol), score}));
  const exit = results.length === 0 ? EXIT.failed : EXIT.done;
  return show({io, options}, {action: 'search', found: {query, results, truncated}}, exit);
}

async function resolveName(at: At, name: string): Promise<number> {
  const local = await localAt(at, name);
  if (local !== undefined) return tellLocal(at, local);
  const symbols = await selected(at, name);
  if (at.options.json === true) return json(at.io, symbols.map(viewOfSymbol));
  for (const {id, signature, path, range} of symbols) at.io.shown(`${path}:${range.start.line + 1} ${signature}\n  ${id}\n`);
  return EXIT.done;
}

/** Where the name at a place is declared, when that is no symbol: a local variable, a module. */
async function localAt(at: At, name: string): Promise<Definition | undefined> {
  const place = namePlace(selectorOf(at, name));
  if (place === undefined) return undefined;
  const definitions = await at.graph.definitionAt(place.path, place.position, at.signal);
  return definitions.some(({symbol}) => symbol !== undefined) ? undefined : definitions[0];
}

function tellLocal({io, options}: At, {path, range}: Definition): number {
  if (options.json === true) return json(io, [{file_path: path, range}]);
  io.shown(`${path}:${range.start.line + 1}:${range.start.character + 1}\n`);
  return EXIT.done;
}

async function outline({io, options, root, cwd, graph, signal}: At, file: string): Promise<number> {
  const path = fromRoot(file, cwd, root);
  const isFolder = await graph.files(signal).then((files) => files.some((one) => one.path.startsWith(path === '' ? '' : `${path}/`)));
  if (isFolder) {
    const hint = 'Name a file in it; `fettle index overview FOLDER` tells what is below.';
    throw new FettleError({code: 'NOT_FOUND', message: `${file} is a folder.`, hint});
  }
  const nodes: readonly OutlineNode[] = await graph.outline(path, signal);
  return show({io, options}, {action: 'outline', found: {path, outline: nodes.map(viewOfNode)}}, EXIT.done);
}

async function graphOf(at: At, name: string): Promise<number> {
  const {io, options, graph, signal} = at;
  const {id} = onlyOne(await selected(at, name));
  const edges = await graph.graph(id, {limit: limitOf(options), kind: options.relation}, signal);
  if (options.format !== undefined) {
    io.shown(drawEdges(edges, options.format));
    return EXIT.done;
  }
  const [incoming, outgoing] = [edges.incoming.map(viewOfEdge), edges.outgoing.map(viewOfEdge)];
  const found = {symbol: viewOfSymbol(edges.symbol), incoming, outgoing, relationship_type: options.relation, truncated: edges.truncated};
  return show({io, options}, {action: 'show', found}, EXIT.done);
}

async function references(at: At, name: string): Promise<number> {
  const {io, options, graph, signal} = at;
  const selector = selectorOf(at, name);
  const {symbols, places, unproven, truncated} = await findReferences(graph, {...selector, limit: limitOf(options)}, signal);
  const found = {...viewOfMeant(symbols), references: places.map(viewOfEdge), unproven: unproven.map(viewOfEdge), truncated};
  return show({io, options}, {action: 'references', found}, EXIT.done);
}

async function overview({io, options, workspace, root, cwd, graph, signal}: At, folder: string): Promise<number> {
  const below = fromRoot(folder, cwd, root);
  if (below !== '' && !(await graph.files(signal)).some(({path}) => path.startsWith(`${below}/`))) {
    throw new FettleError({code: 'NOT_FOUND', message: `Nothing below ${folder} is indexed.`, hint: 'Name a folder with code.'});
  }
  const text = await projectOverview(graph, {name: basename(root), below: below === '' ? undefined : below}, signal);
  if (options.json === true) return json(io, {root, overview: text});
  if (options.write !== true) {
    io.shown(text);
    return EXIT.done;
  }
  // A project may have links in the place of these names: what they lead to must lie in it, too.
  const {path: file} = await workspace.resolve(STORED, {scope: 'inside', forWrite: true});
  await mkdir(dirname(file), {recursive: true});
  await writeFileAtomic(file, Buffer.from(text), {});
  io.note(`Wrote ${STORED}.`);
  return EXIT.done;
}

/** What `get_project_index_overview` reads in sessions without an index. */
const STORED = '.fettle/context/project_index.md';

async function selected(at: At, name: string): Promise<readonly CodeSymbol[]> {
  return await findSelected(at.graph, selectorOf(at, name), at.signal);
}

function selectorOf({options, root, cwd}: At, name: string): SelectorArgs {
  const selector = parseSelector(name, options.path);
  return {...selector, path: selector.path === undefined ? undefined : fromRoot(selector.path, cwd, root)};
}

function show({io, options}: Pick<At, 'io' | 'options'>, result: SymbolsResult, exit: number = EXIT.done): number {
  if (options.json === true) return json(io, result.found, exit);
  io.shown(`${symbolsText(result, HOW[result.action]).text}\n`);
  return exit;
}

/** How to see what an answer leaves out. */
const HOW: Readonly<Record<string, string>> = {
  search: '--limit shows more, --path and --kind show less',
  show: '--limit shows more, --relation shows less',
  references: '--limit shows more',
};

function json(io: Io, value: object, exit: number = EXIT.done): number {
  io.data(`${JSON.stringify(value, null, 2)}\n`);
  return exit;
}

function limitOf({limit = '20'}: IndexOptions): number {
  const count = Number(limit);
  if (Number.isInteger(count) && count > 0) return count;
  throw new FettleError({code: 'USAGE', message: `--limit: ${limit} is no number of results.`, hint: 'Give a whole number from 1.'});
}

/** A file is named from where the person stands. */
function fromRoot(file: string, cwd: string, root: string): string {
  const path = relative(root, resolve(cwd, file)).split(sep).join('/');
  if (path !== '..' && !path.startsWith('../')) return path;
  throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${file} is outside of ${root}.`, hint: 'Name a file in this folder.'});
}
