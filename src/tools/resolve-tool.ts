import {FettleError} from '../base/errors.ts';
import {nearestWord} from '../base/nearest-word.ts';
import {TOOL_ALIASES} from './tool-aliases.table.ts';
import type {Tool, Toolset} from './toolset.ts';

/** The tool that a model means by a name: its own, or what another agent calls it. Throws BAD_ARGS, naming the nearest. */
export function resolveTool(toolset: Toolset, name: string): Tool {
  const own = toolset.tools.find((tool) => tool.name === name);
  if (own !== undefined) return own;
  const asked = plain(name.replace(NAMESPACE, ''));
  const tool = toolset.tools.find((candidate) => spellings(candidate.name).includes(asked));
  if (tool !== undefined) return tool;
  throw unknownTool(toolset, name);
}

/** What some wire formats put before the name of a function. */
const NAMESPACE = /^(?:functions|tools|default_api)[.:]/;

function spellings(name: string): readonly string[] {
  return [name, ...(TOOL_ALIASES[name] ?? [])].map(plain);
}

/** `Read-File`, `readFile` and `read_file` are one name. */
export function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}

function unknownTool(toolset: Toolset, name: string): FettleError {
  const names = toolset.tools.map((tool) => tool.name);
  const nearest = nearestWord(name, names);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  return new FettleError({code: 'BAD_ARGS', message: `There is no tool "${name}".`, hint: `${meant}Tools: ${names.join(', ')}.`});
}
