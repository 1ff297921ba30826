import {isJsonObject, type Json, type JsonObject} from '../base/json.ts';
import {namePattern} from '../base/name-pattern.ts';
import {affectsExecution} from '../base/variable-names.ts';
import {checkValue, findingText, type Finding} from './check-value.ts';
import {originText, keyPathText, type ConfigPath, type Source} from './origin.ts';
import {CONFIG_SCHEMA} from './schema.ts';

export interface ValidationResult {
  /** The value without its unknown keys. Fits the schema unless there are problems. */
  readonly value: JsonObject;
  /** The same without every table or setting of the first level that holds a problem. */
  readonly sound: JsonObject;
  /** One line each: place, key, allowed values. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Checks one source against the schema. Unknown keys warn, everything else that does not fit is a problem; so is
 * a misspelt key that was meant to hold rules: a prohibition must not be lost because of a typo.
 */
export async function validate({value, originOf}: Source): Promise<ValidationResult> {
  const findings = [
    ...checkValue(CONFIG_SCHEMA, value),
    ...repeatedNames('custom_providers', value),
    ...repeatedNames('mcp_servers', value),
    ...unreachableServers(value['mcp_servers']),
    ...mixedLogins(value['mcp_servers']),
    ...brokenPatterns('enabled_tools', value),
    ...brokenPatterns('disabled_tools', value),
    ...steeringVariables(value['environment']),
  ];
  const say = (path: ConfigPath, text: string): string => `${originText(originOf(path))}: ${text}`;
  const unknown = findings.filter((finding) => finding.must === undefined);
  const advised = await advise(unknown.map(({path}) => path));
  const unknownKeys = advised.map(({path, advice}, index) => ({
    text: say(path, `unknown key ${keyPathText(path)}; ${advice}`),
    isProblem: aboutPermissions(path, unknown[index]?.value, advice),
  }));
  const known = unknown.reduce<JsonObject>((rest, {path}) => remove(rest, path) as JsonObject, value);
  const wrong = new Set(findings.filter((finding) => finding.must !== undefined).map((finding) => finding.path[0]));
  return {
    value: known,
    sound: Object.fromEntries(Object.entries(known).filter(([key]) => !wrong.has(key))),
    problems: [
      ...findings.filter((finding) => finding.must !== undefined).map((finding) => say(finding.path, findingText(finding))),
      ...unknownKeys.filter(({isProblem}) => isProblem).map(({text}) => text),
    ],
    warnings: unknownKeys.filter(({isProblem}) => !isProblem).map(({text}) => text),
  };
}

/** True below `[permissions]`, and for a table or a list of rules elsewhere. */
function aboutPermissions(path: ConfigPath, value: Json | undefined, advice: string): boolean {
  if (path[0] === 'permissions' || /\bpermissions\b/.test(advice.replace(/^known here:.*/, ''))) return true;
  return path.length === 1 && (isRuleKey(path[0]) || (isJsonObject(value) && Object.keys(value).some(isRuleKey)));
}

function isRuleKey(key: string | number | undefined): boolean {
  return key === 'deny' || key === 'ask' || key === 'allow';
}

function repeatedNames(key: 'custom_providers' | 'mcp_servers', settings: JsonObject): Finding[] {
  const list = settings[key];
  const names = Array.isArray(list) ? list.map((item: Json) => (isJsonObject(item) ? item['name'] : undefined)) : [];
  return names.flatMap((name, index) => {
    if (typeof name !== 'string' || names.indexOf(name) === index) return [];
    return [
      {
        path: [key, index, 'name'],
        must: `must be a name that no other ${key === 'mcp_servers' ? 'MCP server' : 'custom provider'} has`,
        value: name,
      },
    ];
  });
}

/** A pattern that matches nothing by mistake would take tools away, or leave them, without a word. */
function brokenPatterns(key: 'enabled_tools' | 'disabled_tools', settings: JsonObject): Finding[] {
  const list = settings[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((pattern: Json, index) =>
    typeof pattern === 'string' && namePattern(pattern) === undefined
      ? [{path: [key, index], must: 'must have a regular expression after `re:`', value: pattern}]
      : [],
  );
}

/** Variables that no setting gives to commands: the code that they inject would run under every rule that allows a program. */
function steeringVariables(environment: Json | undefined): Finding[] {
  if (!isJsonObject(environment)) return [];
  const {pass, set} = environment;
  const must = 'must not name a variable that makes programs load or run something';
  const passed = Array.isArray(pass) ? pass.map((name: Json, index) => ({path: ['environment', 'pass', index], name})) : [];
  const variables = isJsonObject(set) ? Object.keys(set).map((name) => ({path: ['environment', 'set', name], name})) : [];
  return [...passed, ...variables].flatMap(({path, name}) =>
    typeof name === 'string' && affectsExecution(name) ? [{path, must, value: name}] : [],
  );
}

/** Checks that a server has what its transport needs. */
function unreachableServers(servers: Json | undefined): Finding[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server: Json, index) => {
    if (!isJsonObject(server)) return [];
    const key = server['transport'] === 'stdio' ? 'command' : server['transport'] === 'http' ? 'url' : undefined;
    if (key === undefined || server[key] !== undefined) return [];
    return [
      {
        path: ['mcp_servers', index, key],
        must: key === 'command' ? 'a server over stdio needs it' : 'a server over http needs it',
        value: undefined,
      },
    ];
  });
}

/** A login needs an address, and replaces a key. */
function mixedLogins(servers: Json | undefined): Finding[] {
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((server: Json, index) => {
    if (!isJsonObject(server)) return [];
    const isLogin = server['auth'] !== undefined;
    const stray = isLogin ? ['command', 'api_key_env', 'headers'] : ['scopes', 'client_id', 'client_secret_env'];
    const must = isLogin ? 'does not go together with `auth`' : 'is only for a server with `auth`';
    return stray.filter((key) => server[key] !== undefined).map((key) => ({path: ['mcp_servers', index, key], must, value: null}));
  });
}

async function advise(paths: readonly ConfigPath[]): Promise<{path: ConfigPath; advice: string}[]> {
  if (paths.length === 0) return [];
  const {keyAdvice} = await import('./nearest-key.ts');
  return paths.map((path) => ({path, advice: keyAdvice(path)}));
}

function remove(value: Json | undefined, [first, ...rest]: ConfigPath): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === first ? remove(item, rest) : item)) as Json;
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => rest.length > 0 || key !== first);
  return Object.fromEntries(kept.map(([key, child]) => [key, key === first ? remove(child, rest) : child]));
}
