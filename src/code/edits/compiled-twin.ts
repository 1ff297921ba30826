import {posix} from 'node:path';
import type {ImportFact} from '../file-facts.ts';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal} from './is-member.ts';
import {moduleName} from './module-name.ts';

/**
 * Where a module of Python, or another of its folder, imports the compiled one that stands beside it (`_json` of `json`, `._speedups`), whose
 * source is not here: that looks names up that no file shows. As `path:line:column`; undefined where there is none, and for what nothing
 * outside can name.
 */
export async function compiledTwin(symbol: CodeSymbol, {graph, read, signal}: EditSources): Promise<string | undefined> {
  if (!PYTHON.test(symbol.path) || isLocal(symbol)) return undefined;
  const paths = (await graph.files(signal)).map(({path}) => path);
  const known = new Set(paths.filter((path) => SOURCE.test(path)).map(moduleName));
  const folder = posix.dirname(symbol.path);
  for (const path of paths) {
    if (posix.dirname(path) !== folder || !PYTHON.test(path)) continue;
    const homes = [posix.basename(folder), ...(path === symbol.path ? [moduleName(path)] : [])];
    const text = await read(path);
    if (!/\bimport\b/.test(text) || !/[ .]_[a-z]/.test(text)) continue;
    const twin = (await graph.factsOf(path, text, signal))?.imports.find((each) => {
      const name = twinName(each, homes);
      return name !== undefined && !known.has(name);
    });
    if (twin !== undefined) return `${path}:${twin.range.start.line + 1}:${twin.range.start.character + 1}`;
  }
  return undefined;
}

const PYTHON = /\.py$/;
/** Its own texts are read, those of a compiled module by {@link unreadPlaces}. */
const SOURCE = /\.(?:py|pyx|c|cc|cpp)$/;

/** `_json` in `json`, whatever private module in the own package; what tools write there is none. */
function twinName({module, original}: ImportFact, homes: readonly string[]): string | undefined {
  const [name = '', ...around] = (/^\.+$/.test(module) ? `${module}${original}` : module).split('.').toReversed();
  if (!name.startsWith('_') || /^_(?:_|version)/.test(name)) return undefined;
  const isOwn = around.length === 0 ? homes.some((home) => `_${home}`.toLowerCase() === name.toLowerCase()) : isInside(around, homes);
  return isOwn ? name : undefined;
}

function isInside(around: readonly string[], homes: readonly string[]): boolean {
  return around.some((each) => each === '' || homes.includes(each));
}
