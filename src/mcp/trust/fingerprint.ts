import {hash} from 'node:crypto';
import type {Tool} from '@modelcontextprotocol/client';
import {isJsonObject, type Json} from '../../base/json.ts';
import {affectsExecution} from '../../base/variable-names.ts';
import {hideInArgs, hideInUrl} from '../../config/secret-parts.ts';
import type {McpServer} from '../../config/settings.ts';

/** The accepted identity of a server: its command or address, one of its tools, or its instructions. */
export interface Fingerprint {
  readonly kind: 'definition' | 'tool' | 'instructions';
  /** The server's own name of a tool; '' for the others. */
  readonly name: string;
  /** SHA-256 of the whole definition, the keys of tables sorted. */
  readonly digest: string;
  /** For people: the whole definition without secrets, at most `MAX_SHOWN` characters. */
  readonly shown: string;
}

const MAX_SHOWN = 6000;

/**
 * Fingerprints the definition of a server: its program and arguments, its address, and its credentials. Of variables and headers the names
 * count, so that a new key is not a new server; values count where they decide what a program runs (`NODE_OPTIONS`, `PATH` …). Limits, hints
 * and lists of tools of the person's own do not (MCPoison, CVE-2025-54136).
 */
export function fingerprintServer(server: McpServer): Fingerprint {
  const {transport, command, args, cwd, url, api_key_env, auth, scopes, client_id, client_secret_env} = server;
  const env = Object.entries(server.env ?? {}).map(([name, value]) => (affectsExecution(name) ? `${name}=${value}` : name));
  const headers = Object.keys(server.headers ?? {});
  const definition = {transport, command, args, env: env.toSorted(), cwd, url, headers: headers.toSorted(), api_key_env, auth};
  const all = {...definition, scopes, client_id, client_secret_env};
  const shown = {...all, ...(url === undefined ? {} : {url: hideInUrl(url)}), ...(args === undefined ? {} : {args: hideInArgs(args)})};
  return {kind: 'definition', name: '', digest: digest(all), shown: lines(shown)};
}

/** Fingerprints a tool: everything of it that steers a model or a person (tool poisoning; MCP 2026-07-28 › tools). */
export function fingerprintTool({name, title, description, inputSchema, annotations}: Tool): Fingerprint {
  const all = {title, description, annotations, inputSchema};
  return {kind: 'tool', name, digest: digest(all), shown: lines(all)};
}

export function fingerprintInstructions(text: string): Fingerprint {
  return {kind: 'instructions', name: '', digest: digest(text), shown: wrapped(text).slice(0, MAX_SHOWN)};
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(sorted(plain(value))));
}

/** A line for each thing that can differ. */
function lines(table: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(table).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
  const text = present.map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(sorted(plain(value)), null, 2)}`,
  );
  return wrapped(text.join('\n')).slice(0, MAX_SHOWN);
}

/** No line is so long that its end would not be looked at. */
function wrapped(text: string): string {
  return text.slice(0, MAX_SHOWN).replaceAll(/[^\n]{160}(?=[^\n])/g, '$&\n');
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The same in every order of the keys. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, child === undefined ? null : sorted(child)]));
}
