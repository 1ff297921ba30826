import {posix} from 'node:path';
import type {FileFacts} from '../file-facts.ts';
import type {Relation} from '../relation.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal, isMember} from './is-member.ts';
import {isModulePrivate} from './is-module-private.ts';
import {isOfLanguage} from './of-language.ts';

/**
 * Of the uses of a name that nothing proves, those that could mean this symbol: where a language tells members from other names by how they
 * are written, `console.log` is no use of a function `log`, and `start()` none of a method. Elsewhere all of them.
 */
export async function mayMean(symbol: CodeSymbol, uses: readonly Relation[], sources: EditSources): Promise<readonly Relation[]> {
  const {graph, read, signal} = sources;
  const isPrivate = isLocal(symbol) || (await isModulePrivate(symbol, sources));
  const found: Relation[] = [];
  for (const [path, ofFile] of Map.groupBy(uses, (use) => use.path)) {
    if (isPrivate && path !== symbol.path) continue;
    const text = await read(path);
    const facts = await graph.factsOf(path, text, signal);
    const lines = text.split('\n');
    found.push(...ofFile.filter((use) => facts === undefined || couldBe(use, {lines, facts, symbol})));
  }
  return found;
}

interface Around {
  readonly lines: readonly string[];
  readonly facts: FileFacts;
  readonly symbol: CodeSymbol;
}

function couldBe({range: {start}, source}: Relation, {lines, facts, symbol}: Around): boolean {
  const {language} = facts;
  const before = wordsBefore(start, lines);
  if (!isMember(symbol) && OF_VALUES[language]?.test(before) === true) return false;
  if (!TELLS_MEMBERS.has(language)) return true;
  if (isOfLanguage(start, facts, symbol)) return false;
  const isWrittenAsMember = /\??\.$/.test(before);
  if (isMember(symbol)) return isWrittenAsMember || (language === 'python' && isInBody(symbol, source));
  return !isWrittenAsMember || (!isLocal(symbol) && isOfModule(before, facts, symbol));
}

/** On its line; where nothing stands there, on the one above. */
function wordsBefore({line, character}: Relation['range']['start'], lines: readonly string[]): string {
  const before = (lines[line] ?? '').slice(0, character).trimEnd();
  return before === '' ? (lines[line - 1] ?? '').trimEnd() : before;
}

/** In the body of a class, its members are names like others; in its methods they are not, but for what their parameters begin with. */
function isInBody({parentId}: CodeSymbol, source: CodeSymbol | undefined): boolean {
  return parentId !== undefined && (source?.id === parentId || source?.parentId === parentId);
}

/** Python hands modules on in variables: where the file of the symbol is imported, any member may be of it. */
function importsFileOf({path}: CodeSymbol, imports: FileFacts['imports']): boolean {
  const file = /([^/]+?)(?:\/__init__)?\.pyi?$/.exec(path)?.[1];
  return imports.some(({module, original}) => original === file || (original === '*' && module.split('.').at(-1) === file));
}

/** A module under a name: what it holds is written as its member. */
function isOfModule(above: string, {language, imports}: Pick<FileFacts, 'language' | 'imports'>, symbol: CodeSymbol): boolean {
  const chain = /([\p{ID_Continue}$.]+?)\??\.$/u.exec(above)?.[1] ?? '';
  // `import a.b` is named as `a.b`.
  const [first = ''] = chain.split('.');
  if (language === 'python') {
    // What is imported from a module of its own package, that has as an attribute.
    return imports.some(({local, module}) => local === first || module.split('.').includes(first)) || importsFileOf(symbol, imports);
  }
  if (language === 'go') return imports.some(({module}) => isPackageOf(symbol, module));
  return imports.find(({local}) => local === chain)?.module.startsWith('.') === true;
}

/** In Go the path of an import ends with the folder of the package; which one the root is called by, only `go.mod` knows. */
function isPackageOf({path}: CodeSymbol, module: string): boolean {
  const folder = posix.dirname(path);
  return folder === '.' ? module.includes('.') : `/${folder}`.endsWith(`/${posix.basename(module.replace(/\/v\d+$/, ''))}`);
}

/** Behind what only members of values stand: modules and types have another mark. */
const OF_VALUES: Readonly<Record<string, RegExp | undefined>> = {
  rust: /(?<!\.)\.$/,
  c: /(?:(?<!\.)\.|->)$/,
  cpp: /(?:(?<!\.)\.|->)$/,
};

const TELLS_MEMBERS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'python', 'go']);
