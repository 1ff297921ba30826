import {posix} from 'node:path';
import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal} from './is-member.ts';
import {isModulePrivate} from './is-module-private.ts';
import {wordOf} from './left-names.ts';
import {scriptModule, scriptStem} from './script-module.ts';
import {SCRIPT, scriptsWith, type Script} from './whole-uses.ts';

/**
 * Finds the places of scripts that take a name out of a built copy of its module: imports and exports of files that are not indexed
 * (`../dist/a.js`, which git ignores or which is not built yet), texts that name a member of such a module, and declarations of the name in
 * build output that is committed. A rename of the source breaks them at the next build. As `path:line:column`.
 */
export async function builtCopies(symbol: CodeSymbol, sources: EditSources): Promise<readonly string[]> {
  if (!SCRIPT.test(symbol.path) || isLocal(symbol) || (await isModulePrivate(symbol, sources))) return [];
  const indexed = new Set((await sources.graph.files(sources.signal)).map(({path}) => scriptStem(path)));
  const scripts = await scriptsWith(new RegExp(wordOf(symbol.name), 'u'), sources);
  return scripts.flatMap((script) => [
    ...takenFromUnindexed(script, symbol.name, indexed).map((start) => placeText(script.path, start)),
    ...declaredInOutput(script, symbol).map((start) => placeText(script.path, start)),
  ]);
}

interface Position {
  readonly line: number;
  readonly character: number;
}

function takenFromUnindexed({path, text, facts}: Script, name: string, indexed: ReadonlySet<string>): readonly Position[] {
  const isUnindexed = (module: string | undefined): boolean =>
    module !== undefined && /^\.{1,2}(?:\/|$)/.test(module) && !indexed.has(scriptModule(path, module)) && !DATA.test(module);
  const named = [...facts.imports, ...facts.exports]
    .filter(({original, module}) => original === name && isUnindexed(module))
    .map(({range}) => range.start);
  const takesWhole = facts.imports.some(({original, module}) => WHOLE.has(original) && isUnindexed(module));
  return takesWhole ? [...named, ...computedMembers(text, name)] : named;
}

/** Modules that are not scripts have no names of ours. */
const DATA = /\.(?:json|css|s[ac]ss|less|svg|png|jpe?g|gif|webp|wasm|node|txt|md|html|ya?ml|graphql|gql)(?:\?.*)?$/;
const WHOLE: ReadonlySet<string> = new Set(['*', '=', 'default']);

/** Finds `module['name']`. */
function computedMembers(text: string, name: string): readonly Position[] {
  const pattern = new RegExp(`[\\p{ID_Continue}$)\\]]\\s*\\[\\s*(['"\`])(?=${wordOf(name)}\\1\\s*\\])`, 'gu');
  return text
    .split('\n')
    .flatMap((content, line) => [...content.matchAll(pattern)].map(({index, 0: {length}}) => ({line, character: index + length})));
}

/** A module of the same name, or a bundle of all of them, in a folder that build tools write and the source is not in. */
function declaredInOutput({path, facts}: Script, symbol: CodeSymbol): readonly Position[] {
  const folders = posix.dirname(path).split('/');
  const own = new Set(posix.dirname(symbol.path).split('/'));
  const isOutput = (names: ReadonlySet<string>): boolean => folders.some((folder) => names.has(folder) && !own.has(folder));
  const isSameModule = posix.basename(scriptStem(path)) === posix.basename(scriptStem(symbol.path));
  if (path === symbol.path || !(isOutput(OUTPUT) || (isSameModule && isOutput(MAYBE_OUTPUT)))) return [];
  return facts.symbols
    .filter(({name, kind, parent}) => name === symbol.name && kind === symbol.kind && parent < 0 === (symbol.parentId === undefined))
    .map(({nameRange}) => nameRange.start);
}

const OUTPUT: ReadonlySet<string> = new Set(['dist', 'out', 'esm', 'cjs', 'umd']);
const MAYBE_OUTPUT: ReadonlySet<string> = new Set(['lib', 'build', 'es', 'bin', 'compiled']);

function placeText(path: string, {line, character}: Position): string {
  return `${path}:${line + 1}:${character + 1}`;
}
