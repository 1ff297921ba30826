import {isFettleError} from '../../base/errors.ts';
import {namesCall, parseRule} from '../../policy/rules/parse-rule.ts';
import {fitsPattern} from '../../policy/pattern.ts';
import {ownTool} from '../../tools/dispatch/resolve-tool.ts';
import type {Tool} from '../../tools/toolset.ts';

/**
 * Returns true if a profile means this tool: by its name, by a name in other agents (`Read`, `str_replace`), or a pattern with `*`, in any
 * case.
 */
export function toolFits(tool: Pick<Tool, 'name'>, name: string): boolean {
  if (name.includes('*')) return fitsPattern(name.toLowerCase(), tool.name.toLowerCase());
  return ownTool({tools: [tool as Tool]}, name) !== undefined;
}

/** The same, or by its permission family: taking `write` away means every tool that writes. */
export function toolOrFamilyFits(tool: Pick<Tool, 'name' | 'permission'>, name: string): boolean {
  return toolFits(tool, name) || toolFits({name: tool.permission}, name) || isDenied(tool, name);
}

/** Matches in the same way as a deny rule for the name. */
function isDenied({name: own, permission}: Pick<Tool, 'name' | 'permission'>, name: string): boolean {
  try {
    return namesCall(parseRule({text: name, effect: 'deny', source: 'profile'}), [own, permission]);
  } catch (thrown) {
    if (isFettleError(thrown)) return false;
    throw thrown;
  }
}
