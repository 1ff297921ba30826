import {builtinModules} from 'node:module';
import {posix} from 'node:path';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {scriptModule, scriptStem} from './script-module.ts';

export interface Loader {
  readonly path: string;
  readonly text: string;
}

/**
 * Whether a file of scripts loads, or replaces, a module while it runs that may hold the symbol: then whatever it takes out of that may be it.
 * A module whose name is a text is followed: one of Node, of another package, or of a file that does not say the name holds no such symbol.
 */
export async function mayLoad({path, text}: Loader, symbol: CodeSymbol, {graph, read, signal}: EditSources): Promise<boolean> {
  if (!LOADS.test(text)) return false;
  if (ANY.test(text)) return true;
  const paths = (await graph.files(signal)).map((file) => file.path).filter((each) => SCRIPT.test(each));
  for (const module of loadedIn(text)) {
    const targets = module.startsWith('.') ? paths.filter((each) => scriptStem(each) === scriptModule(path, module)) : named(module, paths);
    for (const target of targets) {
      const held = await read(target);
      if (target === symbol.path || held.includes(symbol.name) || FORWARDS.test(held)) return true;
    }
    if (module.startsWith('.') && targets.length === 0) return true; // it is not indexed: generated, or of another sort
  }
  return false;
}

/** What takes a module by its path, to replace it or to have it as it is. */
const TAKES = String.raw`\b(?:(?:importActual|requireActual)|(?:jest|vi|vitest|mock|td)\.(?:unstable_)?(?:do)?(?:[mM]ock|module|mockModule|replace))`;
const PATH = String.raw`\s*(?:<[^()]*>)?\(\s*(['"])[^'"\n]+`;
const OTHERS = String.raw`\b(?:importOriginal|proxyquire|esmock|rewire|quibble)\b`;
const LOADS = new RegExp(String.raw`\bimport\s*\(|\brequire\([^)]{0,200}\)\s*[.[]|${OTHERS}|${TAKES}\s*[(<]`);
/** A computed name, or a replacement that is told no single path. */
const ANY = new RegExp(
  String.raw`\bimport\s*\((?!\s*(['"])[^'"\n]+\1\s*\))|\brequire\((?!\s*(['"])[^'"\n]+\2\s*\))[^)]{0,200}\)\s*[.[]|${OTHERS}|${TAKES}(?=\s*[(<])(?!${PATH}\3\s*[,)])`,
);
const FORWARDS = /\bexport\s*\*|__exportStar|\.\.\.|\bmodule\.exports\s*=\s*require\b|\bassign\s*\(|\bfor\s*\(/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

const LOADED = new RegExp(
  String.raw`(?:\bimport\s*\(\s*|${TAKES}\s*(?:<[^()]*>)?\(\s*)['"](?<taken>[^'"\n]+)['"]|\brequire\(\s*['"](?<require>[^'"\n]+)['"]\s*\)\s*[.[]`,
  'g',
);

function loadedIn(text: string): readonly string[] {
  return [...text.matchAll(LOADED)].flatMap(({groups}) => groups?.['taken'] ?? groups?.['require'] ?? []);
}

/** Files that a path without a dot may mean: of a package in the same repository, or an alias. */
function named(module: string, paths: readonly string[]): readonly string[] {
  if (module.startsWith('node:') || builtinModules.includes(module)) return [];
  const last = posix.basename(scriptStem(module));
  return paths.filter((path) => scriptStem(path).split('/').includes(last));
}
