import type {FileFacts} from '../file-facts.ts';
import {familyOf} from '../store/symbol-edges.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isMember} from './is-member.ts';
import {meetingPlace, wordsIn} from './meeting-place.ts';

/**
 * The first place where one value may be of the class of a member, or of another that has the same member: `a: A | B`, `c ? new A() : new B()`,
 * a name that gets both, a function that returns both. Behind it the name means both, of which the index knows one. As `path:line:column`;
 * undefined where no other class has the member, or none meets it.
 */
export async function metClasses(symbol: CodeSymbol, sources: EditSources): Promise<string | undefined> {
  const own = symbol.qualifiedName.split('.').at(-2);
  if (own === undefined || !isMember(symbol) || !symbol.parentId?.endsWith('#class')) return undefined;
  const files = await scripts(symbol, sources);
  const others = new Set((await factsOf(files, [symbol.name], sources)).flatMap(({facts}) => classesWith(facts, symbol.name)));
  others.delete(own);
  if (others.size === 0) return undefined;
  const [ownNames, otherNames] = [await standIns(new Set([own]), files, sources), await standIns(others, files, sources)];
  for (const file of await factsOf(files, [...ownNames], sources)) {
    const place = meetingPlace(file, [ownNames, otherNames]);
    if (place !== undefined) return `${file.path}:${place.line + 1}:${place.character + 1}`;
  }
  return undefined;
}

interface Script {
  readonly path: string;
  readonly text: string;
}

async function scripts({path: own}: CodeSymbol, {graph, read, signal}: EditSources): Promise<readonly Script[]> {
  const files = await graph.files(signal);
  const family = familyOf(files.find(({path}) => path === own)?.language ?? '');
  if (family !== 'typescript' && family !== 'python') return [];
  return await Promise.all(
    files.filter(({language}) => familyOf(language) === family).map(async ({path}) => ({path, text: await read(path)})),
  );
}

type Parsed = Script & {readonly facts: FileFacts};

/** Of the files that have one of several words. */
async function factsOf(files: readonly Script[], words: readonly string[], {graph, signal}: EditSources): Promise<readonly Parsed[]> {
  const found: Parsed[] = [];
  for (const {path, text} of files) {
    const facts = words.some((word) => text.includes(word)) ? await graph.factsOf(path, text, signal) : undefined;
    if (facts !== undefined) found.push({path, text, facts});
  }
  return found;
}

function classesWith({symbols}: FileFacts, member: string): readonly string[] {
  return symbols.flatMap(({name, parent}) => (name === member && symbols[parent]?.kind === 'class' ? [symbols[parent].name] : []));
}

/** Their classes below, types that say the same, and names of imports: what stands for them. */
async function standIns(names: ReadonlySet<string>, files: readonly Script[], sources: EditSources): Promise<ReadonlySet<string>> {
  const all = new Set(names);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const {facts} of await factsOf(files, [...all], sources)) for (const name of standInsOf(facts, all)) all.add(name);
  }
  return all;
}

function standInsOf({symbols, uses, imports}: FileFacts, names: ReadonlySet<string>): readonly string[] {
  return [
    ...uses.flatMap(({kind, name, within}) => (HERITAGE.has(kind) && names.has(name) ? (symbols[within]?.name ?? []) : [])),
    ...symbols.flatMap(({kind, name, typeName = ''}) => (kind === 'type' && wordsIn(typeName).some((word) => names.has(word)) ? name : [])),
    ...imports.flatMap(({original, local}) => (local !== undefined && names.has(original) ? local : [])),
  ];
}

const HERITAGE: ReadonlySet<string> = new Set(['extends', 'implements']);
