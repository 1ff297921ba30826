import type {EditDialect} from '../../config/settings.ts';
import type {Tool, Toolset} from '../toolset.ts';

/** A dialect with a tool of its own. */
export type OfferedDialect = Exclude<EditDialect, 'own'>;

/**
 * Offers the edit tool of one dialect in place of those of the toolset, which can still be called. Only a tool that could be called before is offered, so
 * that nothing more is permitted. Undefined if it is switched off, or if the toolset has no edit tool.
 */
export async function withEditDialect(toolset: Toolset, dialect: OfferedDialect): Promise<Toolset | undefined> {
  const first = toolset.tools.findIndex(isEditTool);
  const place = toolset.tools[first];
  if (place === undefined) return undefined;
  const offered = toolset.tools.find(({name}) => TOOLS[dialect].includes(name)) ?? (await borrowed(toolset, dialect));
  if (offered === undefined) return undefined;
  const {audience: _, ...shown} = offered;
  const hidden = toolset.tools.filter((tool) => isEditTool(tool) && tool.name !== offered.name);
  const hide = (tool: Tool): Tool => (hidden.includes(tool) ? {...tool, audience: 'nobody'} : tool);
  const others = toolset.tools.filter(({name}) => name !== offered.name).map(hide);
  const tools = [...others.slice(0, first), {...shown, pathScope: place.pathScope}, ...others.slice(first)];
  return {...toolset, tools: tools.map((tool) => pointingTo(tool, offered.name))};
}

/** Tools by which text of a file is replaced, by what they take. */
const TOOLS: Readonly<Record<OfferedDialect, readonly string[]>> = {
  exact: ['edit', 'edit_file'],
  blocks: ['search_replace'],
  patch: ['apply_patch', 'apply_edit'],
};

const EDIT_TOOLS: ReadonlySet<string> = new Set(Object.values(TOOLS).flat());

function isEditTool({name, permission}: Tool): boolean {
  return permission === 'edit' && EDIT_TOOLS.has(name);
}

/** The tool of the toolset that has this dialect by itself, if a call of it would run here. */
async function borrowed(toolset: Toolset, dialect: OfferedDialect): Promise<Tool | undefined> {
  const {tools} = await OWNERS[dialect]();
  const tool = tools.find(({name}) => TOOLS[dialect].includes(name));
  return tool !== undefined && toolset.accepts?.(tool) === true ? tool : undefined;
}

const OWNERS: Readonly<Record<OfferedDialect, () => Promise<Toolset>>> = {
  exact: async () => (await import('./fettle/fettle.ts')).fettle,
  blocks: async () => (await import('./vibe.ts')).vibe,
  patch: async () => (await import('./blade/blade.ts')).blade,
};

/** `write` names the tool for changing a part of a file: the one that the model is shown. */
function pointingTo(tool: Tool, name: string): Tool {
  const description = tool.description.replace(/(?<=To change a part, use )\w+(?=\.$)/, name);
  return description === tool.description ? tool : {...tool, description};
}
