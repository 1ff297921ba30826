import type {CodeSymbol, Range, SymbolKind} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {scriptModule, scriptStem} from './script-module.ts';
import {SCRIPT, scriptsWith, wholeUses, type Script} from './whole-uses.ts';

/**
 * The first place where a module of scripts goes elsewhere as a whole, for what it holds: its names are those of members there
 * (`Object.assign(A.prototype, module)`, `typeof module`), or keys that are read. As `path:line:column`; undefined where every use names one.
 */
export async function handedModule(symbol: CodeSymbol, sources: EditSources): Promise<string | undefined> {
  if (!(await isOfModule(symbol, sources))) return undefined;
  const files = await scriptsWith(/\*|\brequire\s*\(/, sources);
  const homes = homesOf(symbol.path, files);
  for (const file of files) {
    const place = wholeUse(file, homes);
    if (place !== undefined) return `${file.path}:${place.line + 1}:${place.character + 1}`;
  }
  return undefined;
}

async function isOfModule({name, parentId, path, kind, exported}: CodeSymbol, {graph, read, signal}: EditSources): Promise<boolean> {
  if (parentId !== undefined || !SCRIPT.test(path) || TYPES.has(kind)) return false;
  if (exported) return true;
  const facts = await graph.factsOf(path, await read(path), signal);
  return facts?.exports.some(({original, module}) => original === name && module === undefined) === true;
}

/** They are gone while it runs. */
const TYPES: ReadonlySet<SymbolKind> = new Set(['type', 'interface']);

/** The stems of its file, and of those that export everything of it again. */
function homesOf(path: string, files: readonly Script[]): ReadonlySet<string> {
  const homes = new Set([scriptStem(path)]);
  for (let size = 0; size < homes.size;) {
    size = homes.size;
    for (const file of files) {
      const forwards = file.facts.exports.some(({name, module}) => name === '*' && module !== undefined && leadsTo(module, file, homes));
      if (forwards) homes.add(scriptStem(file.path));
    }
  }
  return homes;
}

function leadsTo(module: string, {path}: Script, homes: ReadonlySet<string>): boolean {
  return module.startsWith('.') && homes.has(scriptModule(path, module));
}

function wholeUse(file: Script, homes: ReadonlySet<string>): Range['start'] | undefined {
  const modules = file.facts.imports.filter(({original, module}) => (original === '*' || original === '=') && leadsTo(module, file, homes));
  const lines = file.text.split('\n');
  const inPlace = modules.find(({local, range}) => local === undefined && isArgument(range, lines));
  return wholeUses(file, modules)[0]?.range.start ?? inPlace?.range.start;
}

/** `f(require('./a'))`, `{...require('./a')}` */
function isArgument({start, end}: Range, lines: readonly string[]): boolean {
  const before = (lines[start.line] ?? '').slice(0, start.character);
  return (
    /(?:[(,[]|\.\.\.)\s*require\s*\(\s*['"`]?$/.test(before) && !/^['"`]?\s*\)\s*[.([]/.test((lines[end.line] ?? '').slice(end.character))
  );
}
