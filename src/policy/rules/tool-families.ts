import {plain} from '../../base/plain-name.ts';
import {AGENT_NAMES} from './agent-names.table.ts';
import {FORMER_OPERATION_FAMILIES, OPERATION_FAMILIES} from './operation-families.table.ts';
import {fitsPattern, patternsOverlap} from '../pattern.ts';
import {TOOL_ALIASES} from './tool-aliases.table.ts';
import {wordList} from '../word-list.ts';

/** The names by which rules know operations in every toolset (`Operation.permission`), and those of stages beside them. */
export const PERMISSION_FAMILIES: readonly string[] = wordList(`
  read edit write glob grep ls bash todo ask_user_question task tool_search skill exit_plan_mode web_fetch web_search batch recall editor
  command_session keep mcp_resources schedule
`);

/** The meaning of a rule written for a name of another agent. */
export interface AgentName {
  /** The names in `TOOL_ALIASES` that mean the same. */
  readonly group: string;
  /** The permission family that does the same as the tool of that agent; undefined: only the group is known. */
  readonly family: string | undefined;
  /** Further families that the tool of that agent does the work of: denied and asked with it. */
  readonly also?: readonly string[] | undefined;
  /** True if it does only a part of the family's work. */
  readonly isPart: boolean;
}

/**
 * Returns the family that a name of another agent means, in any notation (`Bash`, `WebFetch`,
 * `run_shell_command`); undefined: no agent is known to use it.
 */
export function agentName(name: string): AgentName | undefined {
  return byPlainName().get(plain(name));
}

/**
 * Returns the families that a glob or an expression means by names of other agents (`shell*` means `bash`). None if it fits a name of ours:
 * then it means that one.
 */
export function familiesNamed(fits: (name: string) => boolean): ReadonlySet<string> {
  if ([...PERMISSION_FAMILIES, ...Object.keys(TOOL_ALIASES)].some(fits)) return new Set();
  const hits = familyNames().filter(({forms}) => forms.some(fits));
  return new Set(
    hits.map(({name}) => agentName(name)).flatMap((hit) => (hit === undefined ? [] : [hit.family ?? hit.group, ...(hit.also ?? [])])),
  );
}

/** Returns other agents' names for a tool of ours, as those agents write them. */
export function otherNamesOf(toolName: string, family: string): readonly string[] {
  const group = agentName(toolName)?.group ?? family;
  return familyNames().flatMap(({name, forms}) => (agentName(name)?.group === group ? forms : []));
}

/** Returns every known name of a tool in other agents, as those agents write them. */
export function agentNames(): readonly string[] {
  return familyNames().flatMap(({forms}) => forms);
}

/** Operations that rules may name, by their current and former ids. */
const RULE_OPERATIONS = {...FORMER_OPERATION_FAMILIES, ...OPERATION_FAMILIES};

/** Returns the permission family of an operation (`fs.read` → `read`); undefined: unknown operation. */
export function operationFamily(id: string): string | undefined {
  if (!id.includes('.')) return undefined; // fs_delete is a name of other agents
  return Object.entries(RULE_OPERATIONS).find(([known]) => plain(known) === plain(id))?.[1];
}

/** Returns the permission families of the operations that a glob with a dot fits (`edit.*`). */
export function operationFamilies(glob: string): ReadonlySet<string> {
  if (!glob.includes('.')) return new Set();
  return new Set(Object.entries(RULE_OPERATIONS).flatMap(([id, family]) => (fitsPlainly(glob, id) ? [family] : [])));
}

/** Returns true if some tool of an MCP server could have a name that fits this glob. */
export function canNameServerTool(glob: string): boolean {
  return patternsOverlap(glob, 'mcp__*');
}

/** True for a glob that is compared without case, `_` and `-`: all but those for MCP tools, whose names differ by these. */
export function fitsPlainly(glob: string, name: string): boolean {
  return !name.startsWith('mcp__') && fitsPattern(plain(glob), plain(name));
}

let known: ReadonlyMap<string, AgentName> | undefined;

function byPlainName(): ReadonlyMap<string, AgentName> {
  known ??= new Map([...fromAliases(), ...fromAgents()]);
  return known;
}

function fromAliases(): [string, AgentName][] {
  return Object.entries(TOOL_ALIASES).flatMap(([group, aliases]) => {
    const family = FAMILY_OF_GROUP[group] ?? (SINGLE_TOOLS.has(group) ? undefined : group);
    return [group, ...aliases].map((name): [string, AgentName] => [plain(name), {group, family, isPart: false}]);
  });
}

function fromAgents(): [string, AgentName][] {
  return AGENT_NAMES.flatMap(({family, also, names, isPart = false}) =>
    names.map((name): [string, AgentName] => [plain(name), {group: family, family, also, isPart}]),
  );
}

/** Groups of aliases that mean exactly one tool. */
const SINGLE_TOOLS: ReadonlySet<string> = new Set(
  wordList('delete_file move_file copy_file create_directory get_file_info read_many_files command_session'),
);

/** Groups of aliases that are named otherwise than their family. */
const FAMILY_OF_GROUP: Readonly<Record<string, string>> = {ask_user: 'ask_user_question', apply_patch: 'edit'};

interface FamilyName {
  readonly name: string;
  readonly forms: readonly string[];
}

let cachedNames: readonly FamilyName[] | undefined;

function familyNames(): readonly FamilyName[] {
  cachedNames ??= [
    ...Object.entries(TOOL_ALIASES).flatMap(([group, aliases]) => [group, ...aliases]),
    ...AGENT_NAMES.flatMap(({names}) => names),
  ].map((name) => ({name, forms: [...new Set([name, camel(name), name.toUpperCase()])]}));
  return cachedNames;
}

/** `web_fetch` → `WebFetch`. */
function camel(name: string): string {
  return name.replaceAll(/(?:^|[_.])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
