import type {ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {EXPORT_FORMATS} from '../../src/sessions/export/export-session.ts';
import {receiver} from '../sdk/traces/receiver.ts';
import {sharedFettle} from './shared-process.ts';
import {modelServer, place, start, type Place} from './support.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const x = (length: number): string => 'Ab1'.repeat(length).slice(0, length);
const KEY = `own-provider-key-${x(24)}`;
const SHAPES = {token: `ghp_${x(36)}`, password: 'hunter2-and-more', pem: `${x(64)}\n${x(40)}`};
const PEM = `-----BEGIN PRIVATE KEY-----\n${SHAPES.pem}\n-----END PRIVATE KEY-----`;
const FILE = `token ${SHAPES.token}\nDB_PASSWORD=${SHAPES.password}\n${PEM}\nown ${KEY}\n`;
/** What must not be found anywhere, in any spelling that JSON gives it. */
const PLANTED = [KEY, SHAPES.token, SHAPES.password, x(64)];

const leaks = (text: string): string[] => PLANTED.filter((secret) => text.includes(secret));

async function placeWith(config: string): Promise<Place> {
  const at = await place({'a.txt': FILE}, config.replace(/^base_url = .*$/m, '$&\napi_key_env = "OWN_KEY"'));
  return {...at, env: {...at.env, OWN_KEY: KEY}};
}

/** Every file that Fettle keeps, but what it keeps of files as they were (undo gives them back byte for byte) and what the person wrote. */
function leakyFiles(at: Place): string[] {
  return readdirSync(at.home, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && entry.name !== 'config.toml')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(?:blobs|packs|contents|objects)\//.test(file))
    .filter((file) => leaks(readFileSync(file, 'latin1')).length > 0)
    .map((file) => file.slice(at.home.length));
}

describe('ou-089: the key of the provider, echoed by the body of a 401', () => {
  it.each(['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const)('%s: is in no output, event or file', async (format) => {
    const body = {
      error: {message: `Incorrect API key provided: ${KEY}. token ${SHAPES.token}`, code: KEY, type: KEY, status: KEY},
      key: KEY,
    };
    const server = await modelServer(
      [
        {status: 401, body},
        {status: 401, body},
      ],
      format,
    );
    const at = await placeWith(server.config);
    const done = await sharedFettle(at, ['exec', '--json', 'hi']);
    expect([done.code, leaks(done.stdout), leaks(done.stderr), leakyFiles(at)]).toEqual([7, [], [], []]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
    expect(done.stderr).toContain('[redacted');
  });
});

describe('secrets of files, commands, prompts and answers, sink by sink', () => {
  it('are in none of them', async () => {
    const to = await receiver();
    const call = (name: string, args: object) => ({name, arguments: JSON.stringify(args)});
    const server = await modelServer([
      {text: `I look for ${SHAPES.token}.`, reasoning: `with ${KEY}`, toolCalls: [call('read', {path: 'a.txt'})]},
      {toolCalls: [call('bash', {command: `cat a.txt; echo ${SHAPES.token}; seq 20000`})]},
      {toolCalls: [call('write', {path: 'b.txt', content: FILE}), call('bash', {command: `false ${SHAPES.token}`})]},
      {text: `Done: ${FILE}`},
    ]);
    const at = await placeWith(`${server.config}[traces]\notlp_endpoint = "${to.url}"\ncontent = true\n`);
    const done = await sharedFettle(at, [
      'exec',
      '--json',
      '--mode',
      'full-auto',
      '--no-sandbox',
      `Use ${SHAPES.token} and DB_PASSWORD=${SHAPES.password}`,
    ]);
    expect(done.code).toBe(0);
    const [id = ''] = /thr_\w+/.exec(done.stdout) ?? [];
    const shown: Record<string, string> = {
      'events (--json)': done.stdout,
      'progress (stderr)': done.stderr,
      'traces (OTLP)': JSON.stringify(to.requests),
      'sessions list': (await sharedFettle(at, ['sessions', 'list', '--json'])).stdout,
      'sessions search': (await sharedFettle(at, ['sessions', 'search', 'token'])).stdout,
    };
    for (const format of EXPORT_FORMATS) {
      const exported = await sharedFettle(at, ['sessions', 'export', id, '--format', format]);
      expect([format, exported.code, exported.stdout.includes('redacted')]).toEqual([format, 0, true]);
      shown[`export ${format}`] = exported.stdout;
    }
    expect(Object.entries(shown).map(([sink, text]) => [sink, leaks(text)])).toEqual(Object.keys(shown).map((sink) => [sink, []]));
    expect(leakyFiles(at)).toEqual([]);
    // The work itself is never touched.
    expect(readFileSync(join(at.work, 'b.txt'), 'utf8')).toBe(FILE);
    expect(to.requests.length).toBeGreaterThan(0);
  });

  it('the answer and the recalled part of a session hold the key of the provider in no form', async () => {
    const server = await modelServer([
      {text: `It is ${KEY}, or ${Buffer.from(`user:${KEY}`).toString('base64')}, or ${encodeURIComponent(`/${KEY}`)}.`},
    ]);
    const at = await placeWith(server.config);
    const plain = await sharedFettle(at, ['exec', 'hi']);
    expect([plain.code, leaks(plain.stdout), leaks(plain.stderr), leakyFiles(at)]).toEqual([0, [], [], []]);
    expect(plain.stdout).not.toContain(Buffer.from(KEY).toString('base64').slice(4, 24));
  });

  it('what is recalled for the model, and what a person without --json is told of each step, hold none of them', async () => {
    const call = (name: string, args: object) => ({name, arguments: JSON.stringify(args)});
    const server = await modelServer([
      {text: `I look for ${SHAPES.token}.`, toolCalls: [call('read', {path: 'a.txt'})]},
      {toolCalls: [call('bash', {command: `cat a.txt; echo ${SHAPES.token} ${KEY}`})]},
      {toolCalls: [call('recall', {item: 1, to: 8})]},
      {text: 'Done.'},
    ]);
    const at = await placeWith(server.config);
    const done = await sharedFettle(at, [
      'exec',
      '--mode',
      'full-auto',
      '--no-sandbox',
      `Use ${SHAPES.token} and DB_PASSWORD=${SHAPES.password}`,
    ]);
    const messages = server.requests.at(-1)?.body['messages'] as readonly {role: string; content: string}[];
    const recalled = messages.at(-1)?.content ?? '';
    expect([done.code, done.stdout, recalled.includes('a.txt'), recalled.includes('[redacted')]).toEqual([0, 'Done.\n', true, true]);
    expect([leaks(recalled), leaks(done.stderr), leakyFiles(at)]).toEqual([[], [], []]);
    expect(done.stderr).toContain('[redacted');
  });

  it('mcp serve gives a client the text of a file, and never the keys that it knows', async () => {
    const at = await placeWith(
      'model = "test/m"\n[[custom_providers]]\nname = "test"\nformat = "openai-chat"\nbase_url = "http://127.0.0.1:9/v1"\n',
    );
    const message = (id: number, method: string, params: object): string => JSON.stringify({jsonrpc: '2.0', id, method, params});
    const started = message(1, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 't', version: '1'}});
    const asked = message(2, 'tools/call', {name: 'read', arguments: {path: 'a.txt'}});
    const child = start(at, ['mcp', 'serve']);
    child.stdin?.write(`${started}\n${asked}\n`);
    const {stdout, stderr} = await answered(child, '"id":2');
    expect([stdout.includes(SHAPES.token), stdout.includes(KEY), stderr.includes(KEY)]).toEqual([true, false, false]);
  });
});

/** What a server wrote up to its answer; then its input ends, and with it the server. */
async function answered(child: ChildProcess, answer: string): Promise<{stdout: string; stderr: string}> {
  let [stdout, stderr] = ['', ''];
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  child.stdout?.on('data', (bytes: Buffer) => {
    stdout += bytes.toString();
    if (stdout.includes(answer)) child.stdin?.end();
  });
  await once(child, 'close');
  return {stdout, stderr};
}
