import {FettleError} from '../../base/errors.ts';
import {HANDED_IN, type LoadedTool} from './load-tool-file.ts';

/**
 * Decides which of several tools keeps a name: a later file replaces an earlier one, and a built-in tool is replaced only by one that
 * says `override: true`. Adds a notice for each name that was taken over or refused. @throws FettleError BAD_ARGS for a tool handed in as
 * a value under a built-in name.
 */
export function resolveNameClashes(
  loaded: readonly LoadedTool[],
  {builtIn, notices}: {readonly builtIn: readonly string[]; readonly notices: string[]},
): ReadonlyMap<string, LoadedTool> {
  const chosen = new Map<string, LoadedTool>();
  for (const tool of loaded) {
    if (refusesBuiltIn(tool, builtIn, notices)) continue;
    const earlier = chosen.get(tool.name);
    if (earlier !== undefined) notices.push(`${tool.file}: ${tool.name} replaces the one of ${earlier.file}`);
    chosen.set(tool.name, tool);
  }
  return chosen;
}

/** Replacing a built-in tool must be intended: permission rules and models rely on its name. */
function refusesBuiltIn({name, file, definition}: LoadedTool, builtIn: readonly string[], notices: string[]): boolean {
  if (!builtIn.includes(name)) return false;
  if (file === HANDED_IN && definition.override !== true) throw takesBuiltIn(name);
  if (definition.override === true) {
    notices.push(`${file}: ${name} replaces the built-in tool`);
    return false;
  }
  notices.push(`${file}: not loaded: ${name} is a built-in tool (Give it another name, or \`override: true\`.)`);
  return true;
}

function takesBuiltIn(name: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `${name} is a built-in tool.`,
    hint: 'Give the tool another name, or `override: true`.',
  });
}
