import {join, relative, sep} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {Relation} from '../relation.ts';
import type {CodeSymbol, Range} from '../symbol.ts';
import {boundTwice} from './bound-twice.ts';
import {builtCopies} from './built-copies.ts';
import {compiledTwin} from './compiled-twin.ts';
import type {EditPlan, EditSources, PlannedFile} from './edit-plan.ts';
import {exportKeys} from './export-keys.ts';
import {fixedName} from './fixed-name.ts';
import {givenPackages} from './given-packages.ts';
import {handedModule} from './handed-module.ts';
import {handedOn} from './handed-on.ts';
import {isMember} from './is-member.ts';
import {leftNames} from './left-names.ts';
import {looseNames} from './loose-names.ts';
import {mayMean} from './may-mean.ts';
import {familyProblem} from './member-family.ts';
import {metClasses} from './met-classes.ts';
import {renameProblem} from './prove-rename.ts';
import {applyRangeEdits, textOfRange, type RangeEdit} from './range-edits.ts';
import {toldNames} from './told-name.ts';
import {twinNames} from './twin-names.ts';
import {unreadPlaces} from './unread-places.ts';

export interface Rename {
  readonly symbol: CodeSymbol;
  readonly newName: string;
}

/**
 * A symbol and every use of it under another name. By a language server where there is one; else by the index, and only where it proves
 * that every name of every changed file still means what it meant.
 * Throws BAD_ARGS for a name that is none, NOT_UNIQUE with the uses that could not be proved, STALE, and what the index throws.
 */
export async function renameSymbol(rename: Rename, given: EditSources): Promise<EditPlan> {
  checkName(rename);
  const sources = {...given, read: readOnce(given.read)};
  await checkFixed(rename.symbol, sources);
  const plan = (await byServer(rename, sources)) ?? (await byIndex(rename, sources));
  await prove(plan.files, rename, sources);
  await checkReaders(rename.symbol, plan.files, sources);
  return plan;
}

/** In most languages; what a language does not take shows when the new text is parsed. */
const NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*[?!]?$/u;

function checkName({symbol, newName}: Rename): void {
  if (symbol.name === newName) throw new FettleError({code: 'BAD_ARGS', message: `It is called ${newName} already.`});
  if (NAME.test(newName)) return;
  throw new FettleError({code: 'BAD_ARGS', message: `${newName} is no name.`, hint: 'Letters, digits and _, no digit first.'});
}

/** Most files are asked about several times: all answers are of one text. */
function readOnce(read: EditSources['read']): EditSources['read'] {
  const texts = new Map<string, Promise<string>>();
  return async (path) => {
    const text = texts.get(path) ?? read(path);
    texts.set(path, text);
    return await text;
  };
}

async function checkFixed(symbol: CodeSymbol, {graph, read, signal}: EditSources): Promise<void> {
  const text = await read(symbol.path);
  const fixed = fixedName(symbol, text, (await graph.factsOf(symbol.path, text, signal))?.language ?? '');
  if (fixed !== undefined) throw refused(symbol, [fixed], 'its name is no matter of the code alone');
}

async function byServer({symbol, newName}: Rename, sources: EditSources): Promise<EditPlan | undefined> {
  const {servers, root, read, graph, signal} = sources;
  if (servers === undefined) return undefined;
  const text = await read(symbol.path);
  const facts = await graph.factsOf(symbol.path, text, signal);
  if (facts === undefined) return undefined;
  const asked = {language: facts.language, file: join(root, symbol.path), text, position: symbol.nameRange.start, newName};
  const edits = await servers.rename(asked, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined; // it cannot, or is gone: the index may
  });
  if (edits === undefined || edits.length === 0) return undefined;
  const byPath = Map.groupBy(edits, ({file}) => relative(root, file).split(sep).join('/'));
  // What is outside, ignored by git or generated is nobody's to change.
  const own = new Set((await graph.files(signal)).map(({path}) => path));
  if (![...byPath.keys()].every((path) => own.has(path))) return undefined;
  if (!(await isWhole(symbol, byPath, sources))) return undefined;
  const texts = await editedTexts(byPath, read);
  if (texts.length > 0) throw refused(symbol, texts, 'texts that are its name may be data as well');
  return {files: await changed(byPath, read), provedBy: 'language server'};
}

/** Texts that a server of scripts would change because of their type: `['a', 'b'] as const`. Where one names a member, it is no data: `o['a']`. */
async function editedTexts(edits: ReadonlyMap<string, readonly RangeEdit[]>, read: EditSources['read']): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [path, ofFile] of edits) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const lines = (await read(path)).split('\n');
    const isData = ({start, end}: Range): boolean => {
      const [before, after] = [(lines[start.line] ?? '').slice(0, start.character), (lines[end.line] ?? '').slice(end.character)];
      if (!/["'`]$/.test(before) || after[0] !== before.at(-1)) return false;
      return !/^.\s*:/.test(after) && !(/[\p{ID_Continue}$)\].]\s*\[\s*.$/u.test(before) && /^.\s*\]/.test(after));
    };
    found.push(...ofFile.filter(({range}) => isData(range)).map(({range}) => placeText({path, range})));
  }
  return found;
}

/** A server may know an older text, or (without a project file) only the files that are open: then the index has places that it lacks. */
async function isWhole(symbol: CodeSymbol, edits: ReadonlyMap<string, readonly RangeEdit[]>, sources: EditSources): Promise<boolean> {
  const {graph, read, signal} = sources;
  const edited = new Set([...edits].flatMap(([path, ofFile]) => ofFile.map(({range}) => placeText({path, range}))));
  for (const [path, ofFile] of edits) {
    const text = await read(path);
    if (ofFile.some(({range}) => !names(text, range, symbol))) return false;
  }
  const {places, unproven, truncated} = await graph.references(symbol.id, {limit: MOST_PLACES, merged: true}, signal);
  for (const [path, ofFile] of Map.groupBy(places, (place) => place.path)) {
    const text = await read(path);
    if (ofFile.some((place) => !edited.has(placeText(place)) && textOfRange(text, place.range) === symbol.name)) return false;
  }
  if (truncated) return false;
  // A server does not know files that import build output, nor (TypeScript 7) all uses of members of unions.
  const open = await mayMean(symbol, unproven, sources);
  if (open.some((place) => !edited.has(placeText(place)))) return false;
  return (await looseNames({symbol, known: edited}, sources)).every((place) => edited.has(place));
}

/** No, where the text has no such place: it is another one than the server knows. */
function names(text: string, range: Range, {name}: CodeSymbol): boolean {
  try {
    return textOfRange(text, range) === name;
  } catch {
    return false;
  }
}

async function byIndex({symbol, newName}: Rename, sources: EditSources): Promise<EditPlan> {
  const {read} = sources;
  const places = await provenPlaces({symbol, newName}, sources);
  const byPath = new Map<string, readonly RangeEdit[]>();
  for (const [path, ofFile] of Map.groupBy(places, (place) => place.path)) {
    const text = await read(path);
    // Under an alias it has another name there, which stays.
    const named = ofFile.map(({range}) => range).filter((range) => textOfRange(text, range) === symbol.name);
    if (named.length > 0) byPath.set(path, await editsOf({path, text, named}, {symbol, newName}, sources));
  }
  return {files: await changed(byPath, read), provedBy: 'index'};
}

/** Every place that means the symbol; throws where another may. */
async function provenPlaces({symbol, newName}: Rename, sources: EditSources): Promise<readonly Place[]> {
  const {graph, signal} = sources;
  const {places, unproven: open, truncated} = await graph.references(symbol.id, {limit: MOST_PLACES, merged: true}, signal);
  const unproven = await mayMean(symbol, open, sources);
  if (truncated) throw refused(symbol, [`more than ${MOST_PLACES} places use it`]);
  if (unproven.length > 0)
    throw refused(symbol, unproven.map(placeText), `${unproven.length} uses of this name may mean it, or something else`);
  const shared = places.filter(({others = []}) => others.length > 0).map(placeText);
  if (shared.length > 0) throw refused(symbol, shared, 'a value there may be of another type that has this member as well');
  const family = await familyProblem(symbol, newName, sources);
  if (family !== undefined) throw refused(symbol, [family]);
  const known = new Set([...places, declaration(symbol)].map(placeText));
  const twice = await boundTwice(symbol, known, sources);
  if (twice.length > 0) throw refused(symbol, twice, 'what it is declared in has this name otherwise, too');
  const loose = await looseNames({symbol, known}, sources);
  if (loose.length > 0) throw refused(symbol, loose, 'these places may mean it, or something else');
  return distinct([...places, declaration(symbol)]);
}

const MOST_PLACES = 100_000;

type Place = Pick<Relation, 'path' | 'range'>;

function declaration({path, nameRange}: CodeSymbol): Place {
  return {path, range: nameRange};
}

/** One place may stand in several relations. */
function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [placeText(place), place])).values()];
}

interface NamedIn {
  readonly path: string;
  readonly text: string;
  readonly named: readonly Range[];
}

async function editsOf({path, text, named}: NamedIn, {symbol, newName}: Rename, sources: EditSources): Promise<readonly RangeEdit[]> {
  const facts = await sources.graph.factsOf(path, text, sources.signal);
  const keys = facts === undefined || isMember(symbol) ? [] : exportKeys(text, facts, symbol.name);
  const inTwo = await shorthands({path, text}, symbol, sources);
  const ranges = new Map([...named, ...keys].map((range) => [startText(range), range]));
  const both = isMember(symbol) ? `${newName}: ${symbol.name}` : `${symbol.name}: ${newName}`;
  return [...ranges].map(([start, range]) => ({range, newText: inTwo.has(start) ? both : newName}));
}

/** Where `{a}` names a member and a variable: the other one keeps its name, `{a: b}`, unless the variable is what others import. */
async function shorthands(
  {path, text}: {readonly path: string; readonly text: string},
  symbol: CodeSymbol,
  {graph, signal}: EditSources,
): Promise<ReadonlySet<string>> {
  const names = await graph.namesIn(path, {text, name: symbol.name}, signal);
  const places = names.filter(({is}) => is === 'shorthand').map(({range}) => startText(range));
  if (places.length === 0) return new Set();
  if (isMember(symbol)) return new Set(places);
  const facts = await graph.factsOf(path, text, signal);
  const shared = [...(facts?.exports ?? []), ...(facts?.imports ?? [])].map(({range}) => startText(range));
  return new Set(places.filter((place) => !shared.includes(place)));
}

function startText({start: {line, character}}: Range): string {
  return `${line}:${character}`;
}

async function changed(edits: ReadonlyMap<string, readonly RangeEdit[]>, read: EditSources['read']): Promise<readonly PlannedFile[]> {
  const files: PlannedFile[] = [];
  for (const [path, ofFile] of [...edits].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const before = await read(path);
    files.push({path, before, after: applyRangeEdits(before, ofFile)});
  }
  return files;
}

async function prove(files: readonly PlannedFile[], {symbol, newName}: Rename, {graph, signal}: EditSources): Promise<void> {
  const problems: string[] = [];
  for (const {path, before, after} of files) {
    const [was, would] = [await graph.factsOf(path, before, signal), await graph.factsOf(path, after, signal)];
    if (was === undefined || would === undefined) continue;
    const problem = renameProblem({path, before: was, after: would}, {from: symbol.name, to: newName});
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw refused(symbol, problems);
}

/** Who reads the name without using the symbol: no server asks about that either. */
async function checkReaders(symbol: CodeSymbol, files: readonly PlannedFile[], sources: EditSources): Promise<void> {
  const built = await builtCopies(symbol, sources);
  if (built.length > 0)
    throw refused(symbol, built, 'build output has this name until it is built again, and these places take it from there');
  const twins = await twinNames(symbol, sources);
  if (twins.length > 0) throw refused(symbol, twins, 'a .d.ts and its code say this name each for itself');
  const compiled = await compiledTwin(symbol, sources);
  if (compiled !== undefined) throw refused(symbol, [compiled], 'a compiled module, whose source is not here, may look for this name');
  const met = await metClasses(symbol, sources);
  if (met !== undefined) throw refused(symbol, [met], 'a value there may be of another type that has this member as well');
  const told = await toldNames(symbol, sources);
  if (told.length > 0) throw refused(symbol, told, 'texts that are read while it runs, or run as tests, have its name');
  const left = await leftNames(symbol, files, sources);
  if (left.length > 0) throw refused(symbol, left, 'something may look for this name there');
  const unread = await unreadPlaces(symbol, sources);
  if (unread.length > 0) throw refused(symbol, unread, 'files that the index does not read may mean it');
  const whole = await handedOn(symbol, sources);
  if (whole !== undefined) throw refused(symbol, [placeText(whole)], 'its object goes elsewhere as a whole, where its keys may be read');
  const module = await handedModule(symbol, sources);
  if (module !== undefined) throw refused(symbol, [module], 'its module goes elsewhere as a whole, where its names may be read');
  const given = await givenPackages(symbol, sources);
  if (given !== undefined) throw refused(symbol, [given], 'a package that has this name as well may be given there for its type');
}

function placeText({path, range: {start}}: Place): string {
  return `${path}:${start.line + 1}:${start.character + 1}`;
}

function refused({name}: CodeSymbol, reasons: readonly string[], what = 'it would change what the code means'): FettleError {
  const shown = `${reasons.slice(0, MOST_SHOWN).join('; ')}${reasons.length > MOST_SHOWN ? '; …' : ''}`;
  return new FettleError({
    code: 'NOT_UNIQUE',
    message: `${name} is not renamed: ${what}: ${shown}.`,
    hint: 'Look at these places, and change them by text edits.',
  });
}

const MOST_SHOWN = 12;
