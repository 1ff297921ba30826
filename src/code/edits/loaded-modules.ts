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

const LOADS =
  /\bimport\s*\(|\brequire\([^)]{0,200}\)\s*[.[]|\b(?:importActual|requireActual|importOriginal|proxyquire|esmock|rewire|quibble)\b|\b(?:jest|vi|vitest|mock|td)\.(?:unstable_)?(?:do)?(?:[mM]ock|module|mockModule|replace)\s*[(<]/;
/** A computed name, or a replacement of what others import. */
const ANY =
  /\bimport\s*\((?!\s*(['"])[^'"\n]+\1\s*\))|\brequire\((?!\s*(['"])[^'"\n]+\2\s*\))[^)]{0,200}\)\s*[.[]|\b(?:importActual|requireActual|importOriginal|proxyquire|esmock|rewire|quibble)\b|\b(?:jest|vi|vitest|mock|td)\.(?:unstable_)?(?:do)?(?:[mM]ock|module|mockModule|replace)\s*[(<]/;
const FORWARDS = /\bexport\s*\*|__exportStar|\.\.\.|\bmodule\.exports\s*=\s*require\b|\bassign\s*\(|\bfor\s*\(/;
const SCRIPT = /\.[cm]?[jt]sx?$/;

function loadedIn(text: string): readonly string[] {
  const found = text.matchAll(/\bimport\s*\(\s*['"](?<import>[^'"\n]+)['"]|\brequire\(\s*['"](?<require>[^'"\n]+)['"]\s*\)\s*[.[]/g);
  return [...found].flatMap(({groups}) => groups?.['import'] ?? groups?.['require'] ?? []);
}

/** Files that a path without a dot may mean: of a package in the same repository, or an alias. */
function named(module: string, paths: readonly string[]): readonly string[] {
  if (module.startsWith('node:') || builtinModules.includes(module)) return [];
  const last = posix.basename(scriptStem(module));
  return paths.filter((path) => scriptStem(path).split('/').includes(last));
}
