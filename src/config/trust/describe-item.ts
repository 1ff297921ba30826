import {basename} from 'node:path';
import {isJsonObject, parseJson, type Json, type JsonObject} from '../../base/json.ts';
import {escapeInvisible} from '../../base/escape-invisible.ts';
import {readMcpJson} from './mcp-json.ts';
import {isMiddlewareFile, isToolFile, trustItemText, type TrustItem} from './trust-item.ts';

/** Describes the effects of trusting an item, one line each, safe to show: a question must say what a yes means (GHSA-ph6w-f82w-28w6). */
export async function describeItem(item: TrustItem): Promise<string[]> {
  const lines = await linesFor(item);
  const hidden = hiddenCharacters(item);
  return [...lines, ...(hidden === 0 ? [] : [`${item.path}: ${hidden} invisible or direction-changing characters in it`])].map(trustLine);
}

/** Safe to show, and no more than a line: a name with a line feed in it does not make another entry. */
export function trustLine(text: string): string {
  return escapeInvisible(text).text.replaceAll('\n', '\\n');
}

async function linesFor(item: TrustItem): Promise<string[]> {
  const {path, kind} = item;
  if (kind === 'config') return await configLines(item);
  if (kind === 'mcp') return mcpLines(item);
  if (kind === 'git') return gitLines(item);
  if (kind === 'tool' && !isToolFile(path)) return [`${path}: a part of the tools`];
  if (kind === 'middleware' && !isMiddlewareFile(path)) return [`${path}: a part of the middleware`];
  if (kind === 'hook') return await hookLines(item);
  if (kind === 'skill' && basename(path) !== 'SKILL.md') return [`${path}: a part of a skill`];
  if (kind === 'instructions') return [`instructions ${path}: ${item.bytes.length} bytes that go to the model ${ifPresent(path)}`];
  return [`${kind} ${path}: ${MEANING[kind]}`];
}

function ifPresent(path: string): string {
  const folder = path.replace(/[^/]*$/, '');
  return folder === '' ? 'with every request' : `when files in ${folder} are used, or with every request there`;
}

const MEANING = {
  tool: 'its code runs in Fettle itself, when a session starts',
  middleware: 'its code runs in Fettle itself, around every call of a tool',
  program: 'is started by a server or hook that names it',
  skill: 'is offered to the model, which follows it',
  agent: 'instructions of a subagent',
  command: 'a prompt under a name of its own',
  rule: 'goes to the model, with every request or when files that it names are used',
  import: 'a part of instructions that name it',
} as const;

function gitLines(item: TrustItem): string[] {
  if (item.path.startsWith('.git/hooks/')) return [`git hook ${item.path}: git runs it`];
  const lines = trustItemText(item).split('\n');
  return lines.filter((line) => line !== '').map((line) => `git program, ${clip(line)}`);
}

async function configLines(item: TrustItem): Promise<string[]> {
  const {parseToml} = await import('../parse-toml.ts');
  const parsed = parseToml(item.bytes);
  if (!parsed.ok) return [`config ${item.path}:${parsed.line}: ${parsed.message}`];
  const {mcp_servers: servers, ...rest} = parsed.value;
  const settings = Object.entries(rest).map(([key, value]) => `config ${item.path}: ${key} = ${clip(JSON.stringify(value))}`);
  const named = Array.isArray(servers) ? servers.filter(isJsonObject).map(serverLine) : [];
  return [...settings, ...named];
}

function mcpLines(item: TrustItem): string[] {
  const {servers, variables, problems} = readMcpJson(item, undefined);
  const lines = servers.map((server, index) => {
    const taken = variables[index] ?? [];
    return `${serverLine(server)}${taken.length === 0 ? '' : `; gets your ${taken.join(', ')}`}`;
  });
  return [...lines, ...problems];
}

/** Each command in full, wherever it occurs. */
async function hookLines({path, bytes}: TrustItem): Promise<string[]> {
  const value = await hookTable(path, bytes);
  if (value === undefined) return [`hook ${path}: runs where a hook names it`];
  const hooks = hooksIn(value);
  return hooks.length === 0 ? [`hook ${path}: no commands in it`] : hooks.map((what) => clip(`hook ${path}: ${what}`));
}

async function hookTable(path: string, bytes: Uint8Array): Promise<Json | undefined> {
  if (path.endsWith('.json')) return parseJson(new TextDecoder().decode(bytes));
  if (!path.endsWith('.toml')) return undefined;
  const {parseToml} = await import('../parse-toml.ts');
  const parsed = parseToml(bytes);
  return parsed.ok ? parsed.value : undefined;
}

function hooksIn(value: Json | undefined, depth = 0): string[] {
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((child: Json) => hooksIn(child, depth + 1));
  if (!isJsonObject(value)) return [];
  const {command, url, allowedEnvVars: variables} = value;
  const taken = Array.isArray(variables) && variables.length > 0 ? `, with your ${variables.join(', ')}` : '';
  const own = [
    ...(typeof command === 'string' ? [`runs ${command}`] : []),
    ...(typeof url === 'string' ? [`tells ${url} what happens${taken}`] : []),
  ];
  return [...own, ...Object.values(value).flatMap((child) => hooksIn(child, depth + 1))];
}

/** Hooks are at most 5 levels deep. */
const MOST_DEPTH = 20;

/** All of it: hidden text could contain an argument (CVE-2025-54133). */
function serverLine({name, transport, command, args, url, env, headers, api_key_env: key, cwd}: JsonObject): string {
  const words = Array.isArray(args)
    ? args.map((word: Json) => (typeof word === 'string' && /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    : [];
  const does = transport === 'http' ? `connects to ${textOf(url)}` : `starts ${[textOf(command), ...words].join(' ')}`;
  const more = Object.entries({'in the folder': cwd, 'with env': env, 'with headers': headers, 'with the key in': key});
  const rest = more.flatMap(([label, value]) => (value === undefined ? [] : [`${label} ${textOf(value)}`]));
  return clip(`MCP server ${textOf(name)}: ${[does, ...rest].join(', ')}`);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** No line of an honest project is longer. Omitted text is marked. */
function clip(text: string): string {
  return text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS)} … and ${text.length - MOST_CHARS} more characters`;
}

const MOST_CHARS = 2000;

function hiddenCharacters(item: TrustItem): number {
  return escapeInvisible(
    trustItemText(item)
      .replaceAll('\r\n', '\n')
      .replace(/^\uFEFF/, ''),
  ).hidden;
}
