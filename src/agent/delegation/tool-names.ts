import {fitsPattern} from '../../policy/pattern.ts';
import {ownTool} from '../../tools/resolve-tool.ts';
import type {Tool} from '../../tools/toolset.ts';

/**
 * Whether a profile means this tool: by its name, its permission family, what other agents call it (`Read`, `str_replace`), or a pattern with
 * `*`. The case does not matter.
 */
export function toolFits(tool: Pick<Tool, 'name' | 'permission'>, name: string): boolean {
  const names = [tool.name, tool.permission];
  if (name.includes('*')) return names.some((own) => fitsPattern(name.toLowerCase(), own.toLowerCase()));
  return names.some((own) => ownTool({tools: [{name: own} as Tool]}, name) !== undefined);
}
