import {FettleError} from '../../../base/errors.ts';
import type {Definition, OutlineNode} from '../../../code/code-graph.ts';
import {drawEdges} from '../../../code/pictures/draw-edges.ts';
import type {CodeSymbol} from '../../../code/symbol.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {viewOfNode} from '../../../tools/operations/symbols/symbol-outline.ts';
import {findReferences, viewOfMeant} from '../../../tools/operations/symbols/symbol-references.ts';
import {findSelected, namePlace, onlyOne, parseSelector, type SelectorArgs} from '../../../tools/operations/symbols/symbol-selector.ts';
import {viewOfEdge, viewOfSymbol} from '../../../tools/operations/symbols/symbol-view.ts';
import {type At, fromRoot, json, limitOf, show} from './index-answers.ts';

/** `fettle index search`: symbols by name. */
export async function search({io, options, root, cwd, graph, signal}: At, query: string): Promise<number> {
  const path = options.path === undefined ? undefined : fromRoot(options.path, cwd, root);
  const {symbols, truncated} = await graph.search({text: query, limit: limitOf(options), path, kind: options.kind}, signal);
  const results = symbols.map(({symbol, score}) => ({symbol: viewOfSymbol(symbol), score}));
  const exit = results.length === 0 ? EXIT.failed : EXIT.done;
  return show({io, options}, {action: 'search', found: {query, results, truncated}}, exit);
}

/** `fettle index resolve`: the symbols that a name or a place means. */
export async function resolveName(at: At, name: string): Promise<number> {
  const local = await localAt(at, name);
  if (local !== undefined) return printLocal(at, local);
  const symbols = await selected(at, name);
  if (at.options.json === true) return json(at.io, symbols.map(viewOfSymbol));
  for (const {id, signature, path, range} of symbols) at.io.shown(`${path}:${range.start.line + 1} ${signature}\n  ${id}\n`);
  return EXIT.done;
}

/** Finds the declaration of a name that is not a symbol: a local variable, a module. */
async function localAt(at: At, name: string): Promise<Definition | undefined> {
  const place = namePlace(selectorOf(at, name));
  if (place === undefined) return undefined;
  const definitions = await at.graph.definitionAt(place.path, place.position, at.signal);
  return definitions.some(({symbol}) => symbol !== undefined) ? undefined : definitions[0];
}

function printLocal({io, options}: At, {path, range}: Definition): number {
  if (options.json === true) return json(io, [{file_path: path, range}]);
  io.shown(`${path}:${range.start.line + 1}:${range.start.character + 1}\n`);
  return EXIT.done;
}

/** `fettle index outline`: the symbols of a file. Throws NOT_FOUND for a folder. */
export async function outline({io, options, root, cwd, graph, signal}: At, file: string): Promise<number> {
  const path = fromRoot(file, cwd, root);
  const isFolder = await graph.files(signal).then((files) => files.some((one) => one.path.startsWith(path === '' ? '' : `${path}/`)));
  if (isFolder) {
    const hint = 'Name a file in it; `fettle index overview FOLDER` tells what is below.';
    throw new FettleError({code: 'NOT_FOUND', message: `${file} is a folder.`, hint});
  }
  const nodes: readonly OutlineNode[] = await graph.outline(path, signal);
  return show({io, options}, {action: 'outline', found: {path, outline: nodes.map(viewOfNode)}}, EXIT.done);
}

/** `fettle index graph`: the relations of one symbol, as text or as a picture. */
export async function graphOf(at: At, name: string): Promise<number> {
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

/** `fettle index references`: where a symbol is used. */
export async function references(at: At, name: string): Promise<number> {
  const {io, options, graph, signal} = at;
  const selector = selectorOf(at, name);
  const {symbols, places, unproven, truncated} = await findReferences(graph, {...selector, limit: limitOf(options)}, signal);
  const found = {...viewOfMeant(symbols), references: places.map(viewOfEdge), unproven: unproven.map(viewOfEdge), truncated};
  return show({io, options}, {action: 'references', found}, EXIT.done);
}

async function selected(at: At, name: string): Promise<readonly CodeSymbol[]> {
  return await findSelected(at.graph, selectorOf(at, name), at.signal);
}

function selectorOf({options, root, cwd}: At, name: string): SelectorArgs {
  const selector = parseSelector(name, options.path);
  return {...selector, path: selector.path === undefined ? undefined : fromRoot(selector.path, cwd, root)};
}
