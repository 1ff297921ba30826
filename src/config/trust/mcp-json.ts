import {isDeeperThan, isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import {trustItemText, type TrustItem} from './trust-item.ts';

export interface McpJson {
  /** In the form of `mcp_servers` of a configuration file; not yet checked against its schema. */
  readonly servers: readonly JsonObject[];
  /** The variables of the person that each server gets, in the order of the servers. */
  readonly variables: readonly (readonly string[])[];
  /** One line each, with the path of the file. */
  readonly problems: readonly string[];
}

/**
 * Reads an `.mcp.json`: `{"mcpServers": {NAME: {command, args, env, cwd} | {type: "http", url, headers}}}`, the file that other agents share.
 * `${NAME}` and `${NAME:-default}` in its texts refer to variables of the person. An unusable server is reported, and the
 * others remain.
 * @param env The variables; undefined leaves the texts unexpanded, for display.
 */
export function readMcpJson(item: TrustItem, env: Readonly<Record<string, string | undefined>> | undefined): McpJson {
  const file = parseJson(trustItemText(item));
  const table = isJsonObject(file) && !isDeeperThan(file, 12) ? file['mcpServers'] : undefined;
  if (!isJsonObject(table)) return {servers: [], variables: [], problems: [`${item.path}: has no table "mcpServers"`]};
  const servers: JsonObject[] = [];
  const variables: string[][] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(table)) {
    const server = serverOf(name, entry);
    if (typeof server === 'string') {
      problems.push(`${item.path}: ${name}: ${server}`);
      continue;
    }
    const used = variablesIn(server);
    const missing = env === undefined ? [] : used.filter(({name: variable, hasDefault}) => env[variable] === undefined && !hasDefault);
    if (missing.length > 0) {
      problems.push(`${item.path}: ${name}: not started: ${missing.map((variable) => variable.name).join(', ')} is not set`);
      continue;
    }
    servers.push(env === undefined ? server : (expanded(server, env) as JsonObject));
    variables.push([...new Set(used.map((variable) => variable.name))]);
  }
  return {servers, variables, problems};
}

/** The server, or why it is none. */
function serverOf(name: string, entry: Json | undefined): JsonObject | string {
  if (!isJsonObject(entry)) return 'is not a table';
  const {type, command, args, env, cwd, url, headers, disabled} = entry;
  const called = nameOf(name);
  if (called === undefined) return 'has a name that no tool can have';
  if (type === 'sse' || type === 'ws') return `the transport "${type}" is not supported`;
  const common = {name: called, ...(disabled === true ? {disabled} : {})};
  if (typeof url === 'string' && command === undefined) return {...common, transport: 'http', url, ...presentFields({headers})};
  if (typeof command === 'string' && url === undefined) return {...common, transport: 'stdio', command, ...presentFields({args, env, cwd})};
  return 'needs either "command" or "url"';
}

function presentFields(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** As names of servers are: `My Server` → `my-server`. */
function nameOf(name: string): string | undefined {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_\d]+|[-_]+$/g, '')
    .replaceAll(/[-_]{2,}/g, '-');
  return plain === '' || plain.length > 32 ? undefined : plain;
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

function variablesIn(server: JsonObject): {name: string; hasDefault: boolean}[] {
  return [...JSON.stringify(server).matchAll(VARIABLE)].map(([, name = '', fallback]) => ({name, hasDefault: fallback !== undefined}));
}

function expanded(value: Json | undefined, env: Readonly<Record<string, string | undefined>>): Json | undefined {
  if (typeof value === 'string') return value.replaceAll(VARIABLE, (_, name: string, fallback = '') => env[name] || String(fallback));
  if (Array.isArray(value)) return value.map((child: Json) => expanded(child, env) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, expanded(child, env)]));
}
