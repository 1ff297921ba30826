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
  if (!(await hasOthers(symbol, own, sources))) return undefined;
  const parsed = factsOnce(await scripts(symbol, sources), sources);
  const others = new Set((await parsed([symbol.name])).flatMap(({facts}) => classesWith(facts, symbol.name)));
  others.delete(own);
  if (others.size === 0) return undefined;
  const [ownNames, otherNames] = [await standIns(new Set([own]), parsed), await standIns(others, parsed)];
  for (const file of await parsed([...ownNames])) {
    const place = meetingPlace(file, [ownNames, otherNames]);
    if (place !== undefined) return `${file.path}:${place.line + 1}:${place.character + 1}`;
  }
  return undefined;
}

/** Whether another class may have the member: most names are of one alone, which the index knows at once. */
async function hasOthers({name, qualifiedName}: CodeSymbol, own: string, {graph, signal}: EditSources): Promise<boolean> {
  const named = await graph.resolve({name}, signal);
  const isOther = (other: CodeSymbol): boolean =>
    other.qualifiedName !== qualifiedName && other.parentId?.endsWith('#class') === true && other.qualifiedName.split('.').at(-2) !== own;
  return named.length >= MANY || named.some(isOther);
}

/** The index may not name further ones. */
const MANY = 200;

async function scripts({path: own}: CodeSymbol, {graph, signal}: EditSources): Promise<readonly string[]> {
  const files = await graph.files(signal);
  const family = familyOf(files.find(({path}) => path === own)?.language ?? '');
  if (family !== 'typescript' && family !== 'python') return [];
  return files.filter(({language}) => familyOf(language) === family).map(({path}) => path);
}

interface Parsed {
  readonly path: string;
  readonly text: string;
  readonly facts: FileFacts;
}

/** What files say that have one of several words. Each is parsed once. */
function factsOnce(paths: readonly string[], {graph, read, signal}: EditSources): (words: readonly string[]) => Promise<readonly Parsed[]> {
  const known = new Map<string, FileFacts | undefined>();
  return async (words) => {
    const found: Parsed[] = [];
    for (const path of paths) {
      const text = await read(path);
      if (!words.some((word) => text.includes(word))) continue;
      const facts = known.has(path) ? known.get(path) : await graph.factsOf(path, text, signal);
      known.set(path, facts);
      if (facts !== undefined) found.push({path, text, facts});
    }
    return found;
  };
}

function classesWith({symbols}: FileFacts, member: string): readonly string[] {
  return symbols.flatMap(({name, parent}) => (name === member && symbols[parent]?.kind === 'class' ? [symbols[parent].name] : []));
}

/** Their classes below, types that say the same, and names of imports: what stands for them. */
async function standIns(names: ReadonlySet<string>, parsed: ReturnType<typeof factsOnce>): Promise<ReadonlySet<string>> {
  const all = new Set(names);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const {facts} of await parsed([...all])) for (const name of standInsOf(facts, all)) all.add(name);
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
