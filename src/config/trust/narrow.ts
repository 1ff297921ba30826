import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {originText, keyPathText, type ConfigPath, type Source} from '../origin.ts';

export interface Narrowed {
  readonly source: Source;
  /** Settings that were left out, one line each: place, key, reason. */
  readonly notices: readonly string[];
}

/**
 * Keeps only the settings of a trusted project that narrow: Rules that deny or ask, tools switched off, lower limits, a stricter mode, a
 * tighter sandbox, further MCP servers. All else (rules that allow, endpoints, keys, models, wider modes) is left out and reported
 * (CVE-2026-33068, CVE-2026-21852, GHSA-wpqr-6v78-jr5g). @param source Checked against the schema. @param below The settings under it: the
 * defaults and those of the person.
 */
export function narrow({value, originOf}: Source, below: JsonObject): Narrowed {
  const kept: Part[] = [];
  const notices: string[] = [];
  for (const part of leaves(value, [])) {
    const {parts = [], refused} = narrowed(part, below);
    if (refused !== undefined) notices.push(`${originText(originOf(part.path))}: ${keyPathText(part.path)}: not applied: ${refused}`);
    kept.push(...parts.map((made) => ({...made, from: part.path})));
  }
  return {
    source: {
      value: kept.reduce<JsonObject>((table, {path, value: leaf}) => put(table, path, leaf), {}),
      originOf: (path) => originOf(originalPath(path, kept)),
    },
    notices,
  };
}

interface Part {
  readonly path: ConfigPath;
  readonly value: Json;
  /** Path of the setting in the project's file. */
  readonly from?: ConfigPath;
}

/** The effective part of one value, and why the rest has no effect. */
interface Outcome {
  readonly parts?: readonly Part[];
  readonly refused?: string;
}

function narrowed(part: Part, below: JsonObject): Outcome {
  const {path, value} = part;
  const key = keyPathText(path);
  const current = path.reduce<Json | undefined>((table, name) => (isJsonObject(table) ? table[name] : undefined), below);
  if (key === 'permissions.deny' || key === 'permissions.ask') return {parts: [part]};
  if (path[0] === 'limits') return limit(part, current);
  if (Object.hasOwn(ORDERS, key)) return stricter(part, current, ORDERS[key] ?? []);
  if (key === 'disabled_tools') return disabledTools(path, asList(value), asList(current));
  if (key === 'mcp_servers') return furtherServers(path, asList(value), asList(current));
  if (path[0] === 'tools') return toolTable(path, value);
  if (path[0] === 'hooks') return {refused: 'hooks of a project belong in .fettle/hooks.toml or .fettle/hooks.json'};
  return {refused: MAY_NARROW};
}

const MAY_NARROW = 'a project may only narrow';

/** From narrow to wide. */
const ORDERS: Readonly<Record<string, readonly Json[]>> = {
  mode: ['plan', 'ask', 'accept-edits', 'full-auto'],
  'sandbox.profile': ['read-only', 'workspace-write', 'off'],
  'sandbox.network': [false, true],
  composite_tools_enabled: [false, true],
};

function limit(part: Part, current: Json | undefined): Outcome {
  if (current === undefined) return {refused: `${MAY_NARROW}, and you have set no limit of your own`};
  const isLower = typeof part.value === 'number' && typeof current === 'number' && part.value <= current;
  return isLower ? {parts: [part]} : {refused: `${MAY_NARROW}, and it is ${JSON.stringify(current)} already`};
}

function stricter(part: Part, current: Json | undefined, order: readonly Json[]): Outcome {
  const at = order.indexOf(part.value);
  const isNarrower = at >= 0 && (current === undefined ? at < order.length - 1 : at <= order.indexOf(current));
  return isNarrower ? {parts: [part]} : {refused: `${MAY_NARROW}, and it is ${JSON.stringify(current ?? order.at(-1))} already`};
}

/** Also as rules: a list of enabled tools would hide the other list. */
function disabledTools(path: ConfigPath, value: readonly Json[], current: readonly Json[]): Outcome {
  return {
    parts: [
      {path, value: [...current, ...value]},
      {path: ['permissions', 'deny'], value},
    ],
  };
}

/** Behind those of the person, whose names stay theirs. */
function furtherServers(path: ConfigPath, value: readonly Json[], current: readonly Json[]): Outcome {
  const nameOf = (server: Json): Json | undefined => (isJsonObject(server) ? server['name'] : undefined);
  const taken = value.filter((server) => current.some((own) => nameOf(own) === nameOf(server)));
  const further = value.filter((server) => !taken.includes(server));
  const refused =
    taken.length === 0 ? {} : {refused: `there is a server ${taken.map((server) => JSON.stringify(nameOf(server))).join(', ')} already`};
  return {parts: further.length === 0 ? [] : [{path, value: [...current, ...further]}], ...refused};
}

/**
 * The tables of tools become rules, which add up: a list in the table would replace the person's. Options are separate, for the
 * tools of the project itself.
 */
function toolTable(path: ConfigPath, value: Json): Outcome {
  const [, name, key] = path;
  const patterns = asList(value).filter((pattern) => typeof pattern === 'string');
  if (key === 'denylist') return {parts: [{path: ['permissions', 'deny'], value: patterns.map((pattern) => `${name}:${pattern}`)}]};
  if (key === 'permission' && value === 'never') return {parts: [{path: ['permissions', 'deny'], value: [`${name}`]}]};
  if (key === 'permission' && value === 'ask') return {parts: [{path: ['permissions', 'ask'], value: [`${name}`]}]};
  if (name === undefined || key === undefined || key === 'permission' || key === 'allowlist') return {refused: MAY_NARROW};
  // Whether the tool is one of the project is known when its files are loaded.
  return {parts: [{path: ['project_tools', ...path.slice(1)], value}]};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function leaves(value: Json | undefined, path: ConfigPath): Part[] {
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]));
  return value === undefined ? [] : [{path, value}];
}

/** Lists of the same path add up. */
function put(table: JsonObject, [first = '', ...rest]: ConfigPath, value: Json): JsonObject {
  const key = String(first);
  const old = Object.hasOwn(table, key) ? table[key] : undefined;
  const made = rest.length > 0 ? put(isJsonObject(old) ? old : {}, rest, value) : Array.isArray(old) ? [...old, ...asList(value)] : value;
  return Object.fromEntries([...Object.entries(table).filter(([name]) => name !== key), [key, made]]);
}

/** Path in the project's file of the setting now at `path`, even if it became a rule. */
function originalPath(path: ConfigPath, parts: readonly Part[]): ConfigPath {
  const index = path.at(-1);
  const folder = typeof index === 'number' ? path.slice(0, -1) : path;
  let at = 0;
  for (const part of parts.filter((other) => keyPathText(other.path) === keyPathText(folder))) {
    const count = Array.isArray(part.value) ? part.value.length : 1;
    const from = part.from ?? part.path;
    if (typeof index !== 'number') return from;
    if (index < at + count) return keyPathText(from).endsWith('permission') ? from : [...from, index - at];
    at += count;
  }
  return path;
}
