import {FettleError} from '../../base/errors.ts';
import type {EditDialect, Settings} from '../../config/settings.ts';
import {agentName} from '../../policy/rules/tool-families.ts';
import {withEditDialect} from '../../tools/toolsets/edit-dialects.ts';
import {loadToolsetByName, TOOLSET_NAMES, toolsetToolNames} from '../../tools/toolsets/load-toolset.ts';
import {selectTools, switchedOff, type ToolSelection} from '../../tools/toolsets/select-tools.ts';
import type {Tool, Toolset} from '../../tools/toolset.ts';

/** Candidates that may be chosen, at least one, and a line on each other one. */
export interface Usable<Action extends string> {
  readonly usable: readonly [Action, ...Action[]];
  readonly leftOut: readonly string[];
}

type Asked = Pick<Settings, 'toolset' | 'optimization'> & ToolSelection;

/**
 * The candidates among the toolsets that offer nothing which the person switched off: neither by its name nor under another one. Throws CONFIG if none is
 * left.
 */
export async function usableToolsets(settings: Asked): Promise<Usable<string>> {
  const groups = await groupsSwitchedOff(settings);
  const judged = [...new Set(settings.optimization.toolsets)].map(async (name) => {
    if (!TOOLSET_NAMES.includes(name)) return {name, problem: 'its name is unknown'};
    const selected = selectTools(await loadToolsetByName(name), settings);
    return {name, problem: await problemOf(selected, groups)};
  });
  return usableOf('toolset', await Promise.all(judged));
}

/** The candidates among the edit dialects whose tool may be called in the toolset of the settings. Throws CONFIG if none is left. */
export async function usableDialects(settings: Asked): Promise<Usable<EditDialect>> {
  const selected = selectTools(await loadToolsetByName(settings.toolset), settings);
  const judged = [...new Set(settings.optimization.edit_dialects)].map(async (name) => {
    const isOffered = name === 'own' || (await withEditDialect(selected, name)) !== undefined;
    return {name, problem: isOffered ? undefined : `its tool cannot be called with the toolset ${settings.toolset} and your settings`};
  });
  return usableOf('edit dialect', await Promise.all(judged));
}

interface Judged<Action> {
  readonly name: Action;
  readonly problem: string | undefined;
}

function usableOf<Action extends string>(what: string, judged: readonly Judged<Action>[]): Usable<Action> {
  const leftOut = judged.flatMap(({name, problem}) => (problem === undefined ? [] : [`The ${what} ${name} is left out: ${problem}.`]));
  const [first, ...rest] = judged.flatMap(({name, problem}) => (problem === undefined ? [name] : []));
  if (first !== undefined) return {usable: [first, ...rest], leftOut};
  throw new FettleError({
    code: 'CONFIG',
    message: `No ${what} can be chosen. ${leftOut.join(' ')}`,
    hint: 'Change the candidates below [optimization], or `disabled_tools` and `enabled_tools`.',
  });
}

/** Groups of names for tools that do the same, of which the person has switched one off. With `enabled_tools`, names alone count. */
async function groupsSwitchedOff(selection: ToolSelection): Promise<ReadonlySet<string>> {
  const reason = selection.enabled_tools.length > 0 ? undefined : switchedOff(selection);
  if (reason === undefined) return new Set();
  const names = [...(await toolsetToolNames()), ...selection.disabled_tools];
  return new Set(names.flatMap((name) => (reason(name) === undefined ? [] : (agentName(name)?.group ?? []))));
}

async function problemOf(selected: Toolset, groups: ReadonlySet<string>): Promise<string | undefined> {
  if (selected.tools.length === 0) return 'none of its tools is switched on';
  if (groups.size === 0) return undefined;
  const tools: readonly Tool[] = [...selected.tools, ...((await selected.deferred?.()) ?? [])];
  const same = tools.find(({name}) => groups.has(agentName(name)?.group ?? ''));
  return same === undefined ? undefined : `it has ${same.name}, which does what disabled_tools switches off`;
}
