import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isFettleError} from '../../src/base/errors.ts';
import {isJsonObject, type Json, type JsonObject} from '../../src/base/json.ts';
import type {McpServer} from '../../src/config/settings.ts';
import {openConnection, type ServerConnection} from '../../src/mcp/connection/connection.ts';
import type {ServerPlace} from '../../src/mcp/connection/server-place.ts';
import {login} from '../../src/mcp/oauth/login.ts';
import {visitLikeABrowser} from './visit-like-a-browser.ts';

/** What the suite tells a client that it starts. */
export interface Scenario {
  readonly name: string;
  readonly url: string;
  readonly context: Json;
}

/** Does what a scenario expects of a client, through ours. Throws what a client ends with that cannot go on. */
export async function driveClient(scenario: Scenario): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'fettle-conformance-'));
  const secret = textOf(scenario, 'client_secret');
  const env = {...process.env, ...(secret === undefined ? {} : {SUITE_SECRET: secret})};
  const suite: Suite = {server: serverOf(scenario), place: {env, cwd: process.cwd(), stateDir, version: '1.0.0'}};
  try {
    const connection = await withLogins(suite, () => openConnection(suite, signal));
    for (const call of scenario.name === 'initialize' ? [] : callsOf(scenario, connection)) await make(call, {suite, connection});
    await connection.close();
  } finally {
    await rm(stateDir, {recursive: true, force: true});
  }
}

const {signal} = new AbortController();
const askUser = async () => ({answers: [], cancelled: false});

/** The server of the suite, as ours knows it. */
interface Suite {
  readonly server: McpServer;
  readonly place: ServerPlace;
}

async function make(
  {name, args}: Call,
  {suite, connection}: {readonly suite: Suite; readonly connection: ServerConnection},
): Promise<void> {
  const tool = connection.tools.find((listed) => listed.name === name);
  if (tool === undefined) return;
  const call = (): Promise<unknown> => connection.call(tool, args, {signal, askUser, onProgress: () => undefined});
  // What the suite's server refuses is the business of the scenario: it looks at what was sent.
  await withLogins(suite, call).catch(() => undefined);
}

/** Does what a person does who is told to log in: `fettle mcp login`, and again; a few times at most. */
async function withLogins<T>({server, place}: Suite, work: () => Promise<T>): Promise<T> {
  for (let left = 2; ; left -= 1) {
    try {
      return await work();
    } catch (thrown) {
      if (left === 0 || !isFettleError(thrown) || thrown.hint?.includes('fettle mcp login') !== true) throw thrown;
      await login({server, place, visit: visitLikeABrowser, timeoutMs: 10_000}, signal);
    }
  }
}

function serverOf(scenario: Scenario): McpServer {
  // The suite starts all its clients at once, and answers the first of them when it gets to it.
  const base: McpServer = {name: 'suite', transport: 'http', url: scenario.url, startup_timeout_s: 100};
  if (!scenario.name.startsWith('auth/')) return base;
  const id = scenario.name === 'auth/basic-cimd' ? 'https://conformance-test.local/client-metadata.json' : textOf(scenario, 'client_id');
  return {
    ...base,
    auth: 'oauth',
    ...(id === undefined ? {} : {client_id: id}),
    ...(textOf(scenario, 'client_secret') === undefined ? {} : {client_secret_env: 'SUITE_SECRET'}),
  };
}

function textOf({context}: Scenario, key: string): string | undefined {
  const value = isJsonObject(context) ? context[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

interface Call {
  readonly name: string;
  readonly args: JsonObject;
}

/** The calls that the suite asks for, else one of each tool. */
function callsOf({context}: Scenario, {tools}: ServerConnection): Call[] {
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
