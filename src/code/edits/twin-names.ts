import type {CodeSymbol, SymbolKind} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal} from './is-member.ts';
import {isModulePrivate} from './is-module-private.ts';

/**
 * Where a name of JavaScript is declared a second time, for its types: code and `.d.ts` say the same name without naming each other, so neither
 * can be renamed alone. As `path:line:column`. A value of a `.d.ts` always has its code elsewhere; its types are its own.
 */
export async function twinNames(symbol: CodeSymbol, sources: EditSources): Promise<readonly string[]> {
  if (isLocal(symbol) || (await isModulePrivate(symbol, sources))) return [];
  if (SCRIPTS.test(symbol.path)) return await namedIn(DECLARATIONS, symbol.name, sources);
  if (!DECLARATIONS.test(symbol.path) || TYPES.has(symbol.kind)) return [];
  const twins = await namedIn(SCRIPTS, symbol.name, sources);
  return isOfInterface(symbol) ? twins : [placeText(symbol), ...twins];
}

/** Where files of one sort declare this name. */
async function namedIn(sort: RegExp, name: string, {graph, read, signal}: EditSources): Promise<readonly string[]> {
  const found: string[] = [];
  for (const {path} of await graph.files(signal)) {
    if (!sort.test(path)) continue;
    const text = await read(path);
    const facts = text.includes(name) ? await graph.factsOf(path, text, signal) : undefined;
    const twins = facts?.symbols.filter((symbol) => symbol.name === name && !TYPES.has(symbol.kind)) ?? [];
    found.push(...twins.map(({nameRange}) => placeText({path, nameRange})));
  }
  return found;
}

const DECLARATIONS = /\.d\.[cm]?ts$/;
const SCRIPTS = /\.[cm]?jsx?$/;
const TYPES: ReadonlySet<SymbolKind> = new Set(['type', 'interface']);

/** Such a member may be of an object that only types know. */
function isOfInterface({parentId = ''}: CodeSymbol): boolean {
  return /#(?:interface|type|property)(?:~\d+)?$/.test(parentId);
}

function placeText({path, nameRange: {start}}: Pick<CodeSymbol, 'path' | 'nameRange'>): string {
  return `${path}:${start.line + 1}:${start.character + 1}`;
}
