import {posix} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {FileFacts, ImportFact} from '../file-facts.ts';
import type {Relation} from '../relation.ts';
import type {CodeSymbol} from '../symbol.ts';
import {declarationLines} from './declaration-lines.ts';
import type {EditPlan, EditSources, PlannedFile} from './edit-plan.ts';
import {importLines, importsName, withImport, withoutImport, type ImportLine, type NewImport} from './import-lines.ts';
import {insertedBeside} from './insert-symbol.ts';
import {withoutLines} from './move-symbol.ts';
import {specifierTo} from './specifier.ts';

export interface FileMove {
  readonly symbol: CodeSymbol;
  /** From the root of the workspace; need not be there yet. */
  readonly file: string;
  /** Beside a symbol there; absent: at the end. */
  readonly beside?: {readonly symbol: CodeSymbol; readonly where: 'before' | 'after'} | undefined;
}

/**
 * A declaration at the top of a TypeScript or JavaScript module into another: it takes the imports along that it needs, and who imported it
 * imports it from there. Throws BAD_ARGS with the reason where that is not certain to mean the same: what it needs is private to its old
 * file, both files would import each other, a name is taken there, it is exported as the default or again by others, or used as a member
 * of its module.
 */
export async function moveToFile(move: FileMove, sources: EditSources): Promise<EditPlan> {
  const {symbol, file} = move;
  const {graph, read, signal} = sources;
  const [text, there] = [await read(symbol.path), await textAt(file, sources)];
  const [from, to] = [await graph.factsOf(symbol.path, text, signal), await graph.factsOf(file, there, signal)];
  checkLanguages(symbol, [from, to], [text, there]);
  if (from === undefined || to === undefined) throw wrong('one of the files is in no known language');
  const {places, truncated} = await graph.references(symbol.id, {limit: MOST_PLACES, merged: true}, signal);
  if (truncated) throw wrong(`more than ${MOST_PLACES} places use it`);
  const needs = neededBy(symbol, from);
  const isUsedHere = places.some((place) => place.path === symbol.path && !isInside(place, symbol));
  checkNames(move, {needs, isUsedHere, from, to});
  const isShared = symbol.exported || isUsedHere;
  const lines = text.split('\n');
  const own = declarationLines(lines, symbol);
  if (own === undefined) throw wrong('it shares its line with something else');
  const block = declared(lines.slice(own.start, own.end).join('\n').trimEnd(), symbol, isShared && !symbol.exported);
  const files = new Map<string, PlannedFile>();
  const isType = symbol.kind === 'interface' || symbol.kind === 'type';
  const wanted = {name: symbol.name, isType};
  const left = withoutLines(text, own);
  const here = isUsedHere ? withImport(left, {...wanted, module: specifierTo(symbol.path, file, [text, there])}) : left;
  files.set(symbol.path, {
    path: symbol.path,
    before: text,
    after: withoutUnused(here, needs.imports, await graph.factsOf(symbol.path, left, signal)),
  });
  files.set(file, {path: file, before: there, after: await arrived(move, {there, block, needs, text}, places)});
  for (const [path] of Map.groupBy(places, (place) => place.path)) {
    if (files.has(path)) continue;
    const before = await read(path);
    files.set(path, {path, before, after: redirected(before, path, move)});
  }
  const changed = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  await prove(changed, move, sources);
  return {files: changed, provedBy: 'index'};
}

const MOST_PLACES = 10_000;
const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);

async function textAt(file: string, {read}: EditSources): Promise<string> {
  return await read(file).catch((error: unknown) => {
    if (error instanceof FettleError && error.code === 'NOT_FOUND') return '';
    throw error;
  });
}

function checkLanguages(symbol: CodeSymbol, facts: readonly (FileFacts | undefined)[], texts: readonly string[]): void {
  if (facts.some((one) => one === undefined || !SCRIPTS.has(one.language)))
    throw wrong('between files only TypeScript and JavaScript are moved');
  if (symbol.parentId !== undefined) throw wrong('it belongs to something else');
  if (/^export default\b/.test(symbol.signature)) throw wrong('it is the default of its module');
  if (texts.some((text) => /\b(?:require\s*\(|module\.exports\b)/.test(text))) throw wrong('these are no ES modules');
}

/** What the declaration uses that stands outside of it. */
interface Needs {
  readonly imports: readonly ImportFact[];
  /** Symbols of its old file. */
  readonly own: readonly string[];
  /** Names that nothing in the old file declares. */
  readonly free: readonly string[];
}

function neededBy({name, range}: CodeSymbol, {symbols, imports, uses}: FileFacts): Needs {
  const inside = uses.filter((use) => use.receiver === undefined && isWithin(use.range, range));
  const own = new Set<string>();
  const free = new Set<string>();
  const taken = new Set<ImportFact>();
  for (const use of inside) {
    const target = symbols[use.target];
    const imported = imports.find(({local}) => local === use.name);
    if (target !== undefined && !isWithin(target.range, range)) own.add(target.name);
    else if (target === undefined && imported !== undefined) taken.add(imported);
    else if (target === undefined && use.name !== name) free.add(use.name);
  }
  // In the order in which they stood.
  return {imports: imports.filter((one) => taken.has(one)), own: [...own], free: [...free]};
}

interface Names {
  readonly needs: Needs;
  /** Its old file goes on using it. */
  readonly isUsedHere: boolean;
  readonly from: FileFacts;
  readonly to: FileFacts;
}

function checkNames({symbol, file}: FileMove, {needs, isUsedHere, from, to}: Names): void {
  const top = to.symbols.filter(({parent}) => parent < 0).map(({name}) => name);
  const imported = to.imports.flatMap(({local}) => local ?? []);
  const foreign = to.imports.filter(({local, module}) => local === symbol.name && !leadsTo(module, file, symbol.path));
  if (top.includes(symbol.name) || foreign.length > 0) throw wrong(`${file} has the name ${symbol.name}`);
  if (from.symbols.filter(({name, parent}) => name === symbol.name && parent < 0).length > 1) throw wrong('it has several declarations');
  if (from.exports.some(({original, name}) => original === symbol.name || name === symbol.name))
    throw wrong('it is exported by a line of its own');
  const hidden = needs.own.find((name) => !from.symbols.some((one) => one.name === name && one.parent < 0 && one.exported));
  if (hidden !== undefined) throw wrong(`it uses ${hidden}, which its file keeps to itself`);
  const isImporting = from.imports.some(({module}) => leadsTo(module, symbol.path, file));
  if (needs.own.length > 0 && (isUsedHere || isImporting)) throw wrong(`${symbol.path} and ${file} would import each other`);
  const clash = [...needs.free, ...needs.own].find((name) => top.includes(name) || imported.includes(name));
  if (clash !== undefined) throw wrong(`${clash} means something else in ${file}`);
}

/** The declaration as it stands in its new file. */
function declared(block: string, {signature}: CodeSymbol, mustExport: boolean): string {
  if (!mustExport) return block;
  const first = signature.split(/[\s(<:=]/, 1)[0] ?? '';
  return block.replace(new RegExp(`^${first.replaceAll('$', '\\$')}\\b`, 'm'), `export ${first}`);
}

interface Arriving {
  readonly there: string;
  readonly block: string;
  readonly needs: Needs;
  /** Of the old file. */
  readonly text: string;
}

async function arrived(
  {symbol, file, beside}: FileMove,
  {there, block, needs, text}: Arriving,
  places: readonly Relation[],
): Promise<string> {
  const placed =
    beside === undefined
      ? `${there.trimEnd()}${there.trim() === '' ? '' : '\n\n'}${block}\n`
      : insertedBeside(there, {...beside, beside: beside.symbol, text: block});
  const old = importLines(there).find(({module}) => leadsTo(module, file, symbol.path));
  let after =
    old === undefined || !places.some(({path}) => path === file)
      ? placed
      : withoutImport(placed, {module: old.module, original: symbol.name});
  const taken = needs.imports.filter(({module}) => !leadsTo(module, symbol.path, file)); // else it is at home there
  for (const one of taken) after = withImport(after, takenAlong(one, text, {from: symbol.path, to: file}));
  for (const name of needs.own) after = withImport(after, {module: specifierTo(file, symbol.path, [there, text]), isType: false, name});
  return after;
}

/** An import of the old file, as the new one writes it. */
function takenAlong(
  {local = '', original, module}: ImportFact,
  text: string,
  {from, to}: {readonly from: string; readonly to: string},
): NewImport {
  const isOuter = original === '*' || original === 'default';
  const brings = ({outer, names = []}: ImportLine): boolean =>
    isOuter ? outer.includes(local) : names.some((name) => importsName(name, original));
  const line = importLines(text).find((one) => one.module === module && brings(one));
  const written = line?.names?.find((name) => importsName(name, original)) ?? original;
  const outer = original === '*' ? `* as ${local}` : local;
  const there = module.startsWith('.') ? specifierFrom(module, from, to) : module;
  return {module: there, isType: line?.isType ?? false, name: isOuter ? outer : written, isOuter};
}

/** Who imported it from the old file imports it from the new one. */
function redirected(text: string, path: string, {symbol, file}: FileMove): string {
  const line = importLines(text).find(
    (one) => leadsTo(one.module, path, symbol.path) && one.names?.some((name) => importsName(name, symbol.name)) === true,
  );
  const name = line?.names?.find((one) => importsName(one, symbol.name));
  if (line === undefined || name === undefined) throw wrong(`${path} names it in a way that cannot be followed`);
  const module = specifierTo(path, file, [`import {a} from '${line.module}';\n`]);
  if (line.names?.length === 1 && line.outer === '') {
    const [before, own, after] = [text.slice(0, line.start), text.slice(line.start, line.end), text.slice(line.end)];
    return before + own.replace(/(['"])[^'"]+\1/, (quoted) => quoted.replace(line.module, () => module)) + after;
  }
  const without = withoutImport(text, {module: line.module, original: symbol.name});
  return withImport(without, {module, isType: line.isType, name});
}

/** Without the imports that only the moved declaration used. */
function withoutUnused(text: string, imports: readonly ImportFact[], left: FileFacts | undefined): string {
  const used = new Set(left?.uses.map(({name}) => name));
  return imports
    .filter(({local = '', original}) => original !== '*' && original !== 'default' && !used.has(local))
    .reduce((rest, {module, original}) => withoutImport(rest, {module, original}), text);
}

async function prove(files: readonly PlannedFile[], {symbol, file}: FileMove, {graph, signal}: EditSources): Promise<void> {
  for (const {path, before, after} of files) {
    const [was, would] = [await graph.factsOf(path, before, signal), await graph.factsOf(path, after, signal)];
    if (was === undefined || would === undefined) continue;
    if (would.broken && !was.broken) throw wrong(`${path} would not parse any more`);
    const names = (facts: FileFacts): string[] => facts.symbols.filter(({parent}) => parent < 0).map(({name}) => name);
    const expected =
      path === file ? [...names(was), symbol.name] : names(was).filter((name) => path !== symbol.path || name !== symbol.name);
    if (names(would).toSorted().join(' ') !== expected.toSorted().join(' ')) throw wrong(`${path} would declare other names`);
  }
}

function leadsTo(module: string, from: string, to: string): boolean {
  if (!module.startsWith('.')) return false;
  const bare = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
  return bare(posix.join(posix.dirname(from), module)) === bare(to);
}

/** The same module, named from another file. */
function specifierFrom(module: string, from: string, to: string): string {
  const path = posix.relative(posix.dirname(to), posix.join(posix.dirname(from), module));
  return path.startsWith('.') ? path : `./${path}`;
}

function isInside({path, range}: Relation, symbol: CodeSymbol): boolean {
  return path === symbol.path && isWithin(range, symbol.range);
}

function isWithin({start}: Relation['range'], {start: first, end: last}: Relation['range']): boolean {
  const after = start.line > first.line || (start.line === first.line && start.character >= first.character);
  return after && (start.line < last.line || (start.line === last.line && start.character < last.character));
}

function wrong(problem: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `Not moved: ${problem}.`,
    hint: 'Insert it there, and change its users, by text edits.',
  });
}
