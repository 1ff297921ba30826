import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {request} from 'node:http';
import {join} from 'node:path';
import {Client, StreamableHTTPClientTransport, type ElicitRequest, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {describe, expect, it, onTestFinished} from 'vitest';
import {killedWithTest} from '../../support/processes.ts';
import {scratch} from '../../support/scratch.ts';

const MAIN = join(import.meta.dirname, '../../../dist/bin/fettle.cjs');
const TOKEN = 'a token that is long enough';

interface Started {
  readonly root: string;
  readonly transport: Transport;
}

async function place(): Promise<{root: string; env: Record<string, string>}> {
  const root = await scratch({'a.txt': 'one\ntwo\n'});
  const {PATH = '', NODE_COMPILE_CACHE = ''} = process.env;
  return {root, env: {PATH, NODE_COMPILE_CACHE, HOME: root, FETTLE_HOME: await scratch(), FETTLE_MCP_TOKEN: TOKEN}};
}

async function overStdio(flags: readonly string[]): Promise<Started> {
  const {root, env} = await place();
  const args = [MAIN, 'mcp', 'serve', '-C', root, ...flags];
  return {root, transport: new StdioClientTransport({command: process.execPath, args, env, stderr: 'ignore'})};
}

async function listening(flags: readonly string[] = []): Promise<{root: string; url: string}> {
  const {root, env} = await place();
  const child = spawn(process.execPath, [MAIN, 'mcp', 'serve', '-C', root, '--http', '0', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killedWithTest(child);
  let out = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  while (!out.includes('Listening on ')) await once(child.stderr, 'data');
  return {root, url: /Listening on (\S+)/.exec(out)?.[1] ?? ''};
}

async function overHttp(flags: readonly string[]): Promise<Started> {
  const {root, url} = await listening(flags);
  return {root, transport: new StreamableHTTPClientTransport(new URL(url), {requestInit: {headers: {Authorization: `Bearer ${TOKEN}`}}})};
}

interface Connected {
  readonly root: string;
  readonly client: Client;
  readonly asked: string[];
  text(name: string, args: Record<string, unknown>): Promise<unknown>;
}

type Answer = {action: 'accept'; content: {allow: boolean}} | {action: 'decline'} | undefined;

async function connect({root, transport}: Started, mode: 'auto' | 'legacy', answer: Answer): Promise<Connected> {
  const capabilities = answer === undefined ? {} : {elicitation: {form: {}}};
  const client = new Client({name: 'test', version: '1'}, {capabilities, versionNegotiation: {mode}});
  const asked: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', ({params}: ElicitRequest) => {
      asked.push(params.message);
      return answer;
    });
  }
  onTestFinished(() => client.close());
  await client.connect(transport);
  return {
    root,
    client,
    asked,
    async text(name, args) {
      const {content, isError} = await client.callTool({name, arguments: args});
      const [block] = content;
      return {isError, text: block?.type === 'text' ? block.text : block};
    },
  };
}

const YES: Answer = {action: 'accept', content: {allow: true}};
const WAYS = [
  ['stdio', 'auto', '2026-07-28', overStdio],
  ['stdio', 'legacy', '2025-11-25', overStdio],
  ['http', 'auto', '2026-07-28', overHttp],
  ['http', 'legacy', '2025-11-25', overHttp],
] as const;

describe('fettle mcp serve, used by the client of the official SDK', () => {
  for (const [way, mode, version, open] of WAYS) {
    it(`publishes a toolset and asks before it changes something: ${way}, ${version}`, async () => {
      const {root, client, asked, text} = await connect(await open([]), mode, YES);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const {tools} = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual((await client.listTools()).tools.map((tool) => tool.name));
      // Nobody is at our screen, and there is no model of ours.
      expect(tools.map((tool) => tool.name).filter((name) => ['ask_user', 'task'].includes(name))).toEqual([]);
      expect(tools.find((tool) => tool.name === 'read')).toMatchObject({
        inputSchema: {type: 'object', required: ['path']},
        annotations: {readOnlyHint: true},
      });

      expect(await text('read', {file_path: 'a.txt'})).toEqual({isError: false, text: '1\tone\n2\ttwo'});
      expect(await text('read', {path: 'missing.txt'})).toMatchObject({isError: true});
      expect(asked).toEqual([]);
      expect(await text('write', {path: 'b.txt', content: 'made\n'})).toEqual({isError: false, text: 'Created b.txt (5 bytes).'});
      expect(asked).toEqual([expect.stringMatching(/^May write do this\? .*\nwrite .*b\.txt\nA rule that allows it for good: /)]);
      expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('made\n');
      await expect(client.callTool({name: 'no_such_tool'})).rejects.toMatchObject({code: -32602});
    });
  }

  it('runs what is not listed, too: aliases, deferred tools, names of other agents; made-of-others tools are listed (zblade tool calls › "Local vs advertised tools")', async () => {
    const {client, asked, text} = await connect(await overStdio(['--toolset', 'blade']), 'auto', YES);
    const names = (await client.listTools()).tools.map(({name}) => name);
    expect(names).toEqual(expect.arrayContaining(['read_many_files', 'batch', 'codebase_investigator', 'symbol_search', 'symbol_graph']));
    expect(names.filter((name) => ['create_file', 'symbol_references', 'rg'].includes(name))).toEqual([]);
    expect(await text('rg', {query: 'two'})).toEqual({isError: false, text: 'a.txt:2:two'});
    expect(await text('create_file', {path: 'b.txt', contents: 'x'})).toMatchObject({isError: false});
    expect(asked).toEqual([expect.stringMatching(/^May create_file do this\?/)]);
    expect(await text('symbol_references', {path: 'a.txt', name: 'x'})).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^tool_error: The file a\.txt is not in the index/),
    });
    expect(await text('todo_write', {todos: []})).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^tool_error: Protocol error/),
    });
    const other = await connect(await overStdio([]), 'auto', YES);
    expect(await other.text('MultiEdit', {file_path: 'a.txt', edits: [{old_string: 'one', new_string: '1'}]})).toEqual({
      isError: false,
      text: 'Applied 1 patch(es) atomically to a.txt',
    });
    expect(other.asked).toHaveLength(1);
  });

  it('does not do what the person declines', async () => {
    const {root, text} = await connect(await overStdio([]), 'auto', {action: 'decline'});
    expect(await text('bash', {command: 'touch made'})).toEqual({
      isError: true,
      text: 'Error: The user refused this call.\nDo not send it again; find another way.',
    });
    expect(existsSync(join(root, 'made'))).toBe(false);
  });

  it('denies what would be asked where the client cannot ask, and names the rule that allows it', async () => {
    const {text} = await connect(await overStdio([]), 'auto', undefined);
    expect(await text('bash', {command: 'touch made'})).toEqual({
      isError: true,
      text: expect.stringMatching(/^Error: Denied: .*, and nobody is here to ask\.\nA rule that would allow it: bash:touch \*$/),
    });
  });

  it('takes modes and rules from flags, and another toolset', async () => {
    const {text, client} = await connect(await overStdio(['--allow', 'bash:touch *', '--deny', 'read:a.txt']), 'auto', undefined);
    expect(await text('bash', {command: 'touch made'})).toMatchObject({isError: false});
    expect(await text('read', {path: 'a.txt'})).toMatchObject({isError: true});
    const other = await connect(await overStdio(['--toolset', 'microcode']), 'auto', undefined);
    expect((await other.client.listTools()).tools).not.toEqual((await client.listTools()).tools);
  });

  it('tells the progress of a call, and ends it when the client cancels', async () => {
    const {root, client} = await connect(await overStdio(['--mode', 'full-auto', '--no-sandbox']), 'auto', undefined);
    const stop = new AbortController();
    const told: string[] = [];
    const call = client.callTool(
      {name: 'bash', arguments: {command: 'echo begun; sleep 30; touch never'}},
      {
        signal: stop.signal,
        onprogress: ({message}) => {
          told.push(message ?? '');
          stop.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(told).toEqual(['begun\n']);
    expect(existsSync(join(root, 'never'))).toBe(false);
  });
});

describe('fettle mcp serve --http', () => {
  const status = async (url: string, headers: Record<string, string>): Promise<number | undefined> => {
    const sent = request(url, {method: 'POST', headers: {'Content-Type': 'application/json', ...headers}}).end('{}');
    const [response] = (await once(sent, 'response')) as [{statusCode?: number; resume(): void}];
    response.resume();
    return response.statusCode;
  };

  it('refuses a foreign Host or Origin (DNS rebinding, CVE-2025-66414) and every request without the token', async () => {
    const {url} = await listening();
    const good = {Authorization: `Bearer ${TOKEN}`};
    expect(await status(url, {...good, Host: 'evil.example'})).toBe(403);
    expect(await status(url, {...good, Origin: 'https://evil.example'})).toBe(403);
    expect(await status(url, {})).toBe(401);
    expect(await status(url, {Authorization: 'Bearer wrong'})).toBe(401);
    expect(await status(url.replace('/mcp', '/other'), good)).toBe(404);
    expect(await status(url, good)).toBe(400);
  });

  it('takes no body beyond its bound', async () => {
    const {url} = await listening();
    const headers = {Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream'};
    const response = await fetch(url, {method: 'POST', headers, body: ' '.repeat(5 * 1024 * 1024)});
    expect(response.status).toBe(413);
  });
});
