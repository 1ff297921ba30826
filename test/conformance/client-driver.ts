import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isFettleError} from '../../src/base/errors.ts';
import {isJsonObject, parseJson, type JsonObject} from '../../src/base/json.ts';
import type {McpServer} from '../../src/config/settings.ts';
import {openConnection, type ServerConnection} from '../../src/mcp/connection.ts';
import {login} from '../../src/mcp/oauth/login.ts';
import {visitLikeABrowser} from './visit-like-a-browser.ts';

/** Started by the suite with the address of its server: does what each scenario expects of a client, through ours. */
const url = process.argv[2] ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = parseJson(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
const {signal} = new AbortController();
const stateDir = await mkdtemp(join(tmpdir(), 'fettle-conformance-'));
const secret = textOf('client_secret');
const env = {...process.env, ...(secret === undefined ? {} : {SUITE_SECRET: secret})};
const place = {env, cwd: process.cwd(), stateDir, version: '1.0.0'};
const server = serverFor(scenario);
const askUser = async () => ({answers: [], cancelled: false});

try {
  const connection = await withLogins(() => openConnection({server, place}, signal));
  for (const call of scenario === 'initialize' ? [] : callsOf(connection)) await make(call, connection);
  await connection.close();
} finally {
  await rm(stateDir, {recursive: true, force: true});
}

async function make({name, args}: Call, connection: ServerConnection): Promise<void> {
  const tool = connection.tools.find((listed) => listed.name === name);
  if (tool === undefined) return;
  const call = (): Promise<unknown> => connection.call(tool, args, {signal, askUser, onProgress: () => undefined});
  // What the suite's server refuses is the business of the scenario: it looks at what was sent.
  await withLogins(call).catch((error: unknown) => console.error(error));
}

/** Does what a person does who is told to log in: `fettle mcp login`, and again; a few times at most. */
async function withLogins<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 2; ; left -= 1) {
    try {
      return await work();
    } catch (thrown) {
      if (left === 0 || !isFettleError(thrown) || thrown.hint?.includes('fettle mcp login') !== true) throw thrown;
      await login({server, place, visit: visitLikeABrowser, timeoutMs: 10_000}, signal);
    }
  }
}

function serverFor(name: string): McpServer {
  const base: McpServer = {name: 'suite', transport: 'http', url};
  if (!name.startsWith('auth/')) return base;
  const id = name === 'auth/basic-cimd' ? 'https://conformance-test.local/client-metadata.json' : textOf('client_id');
  return {
    ...base,
    auth: 'oauth',
    ...(id === undefined ? {} : {client_id: id}),
    ...(secret === undefined ? {} : {client_secret_env: 'SUITE_SECRET'}),
  };
}

function textOf(key: string): string | undefined {
  const value = isJsonObject(context) ? context[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

interface Call {
  readonly name: string;
  readonly args: JsonObject;
}

/** The calls that the suite asks for, else one of each tool. */
function callsOf({tools}: ServerConnection): Call[] {
  const wanted = isJsonObject(context) ? context['toolCalls'] : undefined;
  if (Array.isArray(wanted)) {
    return wanted.filter(isJsonObject).map((call) => ({
      name: typeof call['name'] === 'string' ? call['name'] : '',
      args: isJsonObject(call['arguments']) ? call['arguments'] : {},
    }));
  }
  /** The schema that the echo tool wants back, as we got it. */
  const seen = (tools.find((tool) => tool.name === 'json_schema_2020_12_tool')?.inputSchema ?? {}) as JsonObject;
  return tools.map(({name, inputSchema}) => ({name, args: argumentsOf({name, schema: inputSchema as JsonObject, seen})}));
}

function argumentsOf({name, schema, seen}: {name: string; schema: JsonObject; seen: JsonObject}): JsonObject {
  if (name === 'add_numbers') return {a: 5, b: 3};
  return isJsonObject(schema['properties']) && 'schema' in schema['properties'] ? {schema: seen} : {};
}
