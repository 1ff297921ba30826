import {FettleError} from '../../base/errors.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import {plain} from '../../base/plain-name.ts';
import {SERVER_SIDE} from '../compat/server-side.table.ts';
import {TOOL_ALIASES} from '../../policy/rules/tool-aliases.table.ts';
import type {Tool, Toolset} from '../toolset.ts';

export interface ResolvedTool {
  readonly tool: Tool;
  /** A note for the model on how the name was resolved. */
  readonly note: string | undefined;
}

/**
 * Resolves the tool that a model means by a name: `<toolset>__<tool>`; a tool of the session's toolset by its
 * own name or by that of another agent; a deferred tool; a tool of another toolset, if only one has it. Other
 * toolsets are loaded when nothing else fits. Throws BAD_ARGS, naming the nearest name or the candidates, DENIED
 * for a tool that is switched off, and UNAVAILABLE for one that runs on the server of a provider.
 */
export async function resolveTool(toolset: Toolset, name: string): Promise<ResolvedTool> {
  if (name.length > MAX_NAME_CHARS) return unknownTool(toolset, `${name.slice(0, MAX_NAME_CHARS)}…`, []);
  const asked = name.replace(NAMESPACE, '');
  const own = ownTool(toolset, asked);
  if (own !== undefined) return {tool: own, note: undefined};
  const refusal = toolset.refusal?.(asked);
  if (refusal !== undefined)
    throw new FettleError({code: 'DENIED', message: `${refusal}.`, hint: `Tools: ${toolset.tools.map((tool) => tool.name).join(', ')}.`});
  const qualified = QUALIFIED.exec(asked)?.groups;
  if (qualified !== undefined) return await qualifiedTool(toolset, qualified);
  const deferred = (await toolset.deferred?.()) ?? [];
  const later = ownTool({tools: deferred}, asked);
  if (later !== undefined) return {tool: later, note: undefined};
  refuseServerSide(asked);
  return (await foreignTool(toolset, asked)) ?? unknownTool(toolset, asked, deferred);
}

/** Finds a tool of the toolset itself, by its own name or by that of another agent. */
export function ownTool({tools}: Pick<Toolset, 'tools'>, name: string): Tool | undefined {
  const asked = name.replace(NAMESPACE, '');
  return named(tools, asked) ?? akin(tools, asked);
}

/** No tool has a longer name, so longer names are not compared with the known ones. */
const MAX_NAME_CHARS = 200;
/** Prefix that some wire formats put before the name of a function. */
const NAMESPACE = /^(?:functions|tools|default_api)[.:]/;
const QUALIFIED = /^(?<owner>[a-z]+)__(?<name>.+)$/i;

function named(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => plain(tool.name) === plain(name));
}

function akin(tools: readonly Tool[], name: string): Tool | undefined {
  const family = FAMILY_OF.get(plain(name));
  return family === undefined ? undefined : tools.find((tool) => FAMILY_OF.get(plain(tool.name)) === family);
}

const FAMILY_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(TOOL_ALIASES).flatMap(([family, names]) => [family, ...names].map((name) => [plain(name), family] as const)),
);

interface Owned {
  readonly owner: string;
  readonly tool: Tool;
}

async function qualifiedTool(toolset: Toolset, {owner = '', name = ''}: Readonly<Record<string, string>>): Promise<ResolvedTool> {
  const {loadToolsetByName} = await import('../toolsets/load-toolset.ts');
  const other = await loadToolsetByName(owner.toLowerCase()).catch(() => undefined);
  if (other === undefined) return unknownTool(toolset, `${owner}__${name}`, []);
  const isOwn = other.name === toolset.name;
  const searched = await whole(isOwn ? toolset : other);
  const tool = ownTool(searched, name);
  if (tool === undefined) return unknownTool(searched, name, []);
  if (!isOwn && toolset.accepts?.(tool) !== true) throw notHere(toolset, tool.name);
  return {tool, note: undefined};
}

/** Finds a tool of another toolset, first by its own name, then by its family of names. Returns undefined if there is none. */
async function foreignTool(toolset: Toolset, name: string): Promise<ResolvedTool | undefined> {
  if (toolset.accepts === undefined) return undefined;
  const others = await otherToolsets(toolset);
  for (const find of [published, ownTool, deferredTool]) {
    const found = await Promise.all(others.map(async (other) => ({owner: other.name, tool: await find(other, name)}))).then(hits);
    const [only] = found;
    if (only === undefined) continue;
    const {owner, tool} = usual(found) ?? only;
    if (found.length > 1 && !found.every((one) => doesTheSame(one.tool, tool))) throw ambiguous(name, found);
    if (!toolset.accepts(tool)) throw notHere(toolset, name);
    return {tool: withScopeOf(toolset, tool), note: `${tool.name} is a tool of toolset ${owner}`};
  }
  return undefined;
}

/** Picks one of several equivalent tools: the one of toolset fettle, else the first. */
function usual(found: readonly Owned[]): Owned | undefined {
  return found.find(({owner}) => owner === 'fettle');
}

function doesTheSame(one: Tool, other: Tool): boolean {
  return one.permission === other.permission && one.sideEffect === other.sideEffect && ALIKE.has(one.permission);
}

/** Families of tools that do the same thing with a path or pattern in every toolset. */
const ALIKE: ReadonlySet<string> = new Set(['read', 'edit', 'write', 'glob', 'grep', 'ls']);

/** If every file tool of a session is confined to the workspace, so is a file tool from another toolset. */
function withScopeOf({tools}: Toolset, tool: Tool): Tool {
  const own = tools.filter(({permission}) => ALIKE.has(permission));
  return ALIKE.has(tool.permission) && own.length > 0 && own.every(({pathScope}) => pathScope === 'inside')
    ? {...tool, pathScope: 'inside'}
    : tool;
}

/** Finds a tool by its published name: aliases in other toolsets do not make a name ambiguous. */
function published({tools}: Toolset, name: string): Tool | undefined {
  return named(tools, name);
}

async function otherToolsets(toolset: Toolset): Promise<Toolset[]> {
  const {TOOLSET_NAMES, loadToolsetByName} = await import('../toolsets/load-toolset.ts');
  // The tools of `small` are those of `fettle`: they make no name ambiguous.
  return await Promise.all(TOOLSET_NAMES.filter((name) => name !== toolset.name && name !== 'small').map(loadToolsetByName));
}

/** Tried last, because one toolset may defer a tool that another publishes. */
async function deferredTool({deferred}: Toolset, name: string): Promise<Tool | undefined> {
  return ownTool({tools: (await deferred?.()) ?? []}, name);
}

/** A tool that two toolsets share counts once. */
function hits(found: readonly {readonly owner: string; readonly tool: Tool | undefined}[]): Owned[] {
  const first = found.filter(({tool}, index) => found.findIndex((one) => one.tool === tool) === index);
  return first.flatMap(({owner, tool}) => (tool === undefined ? [] : [{owner, tool}]));
}

/** Returns a toolset with its deferred tools among the others. */
async function whole(toolset: Toolset): Promise<Toolset> {
  return {...toolset, tools: [...toolset.tools, ...((await toolset.deferred?.()) ?? [])]};
}

function refuseServerSide(name: string): void {
  const [known, hint] = Object.entries(SERVER_SIDE).find(([other]) => plain(other) === plain(name)) ?? [];
  if (known === undefined) return;
  const message = `Protocol error: ${known} is carried out by a server and never by this executor.`;
  throw new FettleError({code: 'UNAVAILABLE', message, hint});
}

function ambiguous(name: string, found: readonly Owned[]): FettleError {
  const candidates = found.map(({owner, tool}) => `${owner}__${tool.name}`).join(', ');
  return new FettleError({
    code: 'BAD_ARGS',
    message: `There is no tool "${name}" here; several toolsets have one.`,
    hint: `Call the one you mean: ${candidates}.`,
  });
}

function notHere(toolset: Toolset, name: string): FettleError {
  const names = toolset.tools.map((tool) => tool.name).join(', ');
  return new FettleError({code: 'DENIED', message: `${name} may not be used here.`, hint: `Tools: ${names}.`});
}

function unknownTool(toolset: Toolset, name: string, others: readonly Tool[]): never {
  const names = toolset.tools.map((tool) => tool.name);
  const nearest = nearestWord(name, [...names, ...others.map((tool) => tool.name)]);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  throw new FettleError({code: 'BAD_ARGS', message: `There is no tool "${name}".`, hint: `${meant}Tools: ${names.join(', ')}.`});
}
