import type {CodeSymbol} from '../symbol.ts';
import type {EditSources} from './edit-plan.ts';
import {isLocal} from './is-member.ts';

/**
 * Whether the modules of scripts keep a name to themselves: declared at the top of a module, or in a function, and nothing that others import.
 * No code of another file means it, however that writes the name.
 */
export async function isModulePrivate(symbol: CodeSymbol, {graph, read, signal}: EditSources): Promise<boolean> {
  const {name, parentId, path, exported} = symbol;
  if (exported || !SCRIPT.test(path) || (parentId !== undefined && !isLocal(symbol))) return false;
  const facts = await graph.factsOf(path, await read(path), signal);
  if (facts === undefined || facts.imports.length + facts.exports.length === 0) return false; // a script shares its names with all others
  return !facts.exports.some(({original, module}) => module === undefined && original === name);
}

const SCRIPT = /(?<!\.d)\.[cm]?[jt]sx?$/;
