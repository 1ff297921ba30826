import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fettle, modelServer, place} from './support.ts';

const HOSTILE = join(import.meta.dirname, '../mcp/servers/hostile.ts');

const table = (name: string, way: string): string => `
[[mcp_servers]]
name = "${name}"
transport = "stdio"
command = "${process.execPath}"
args = ["${HOSTILE}", "${way}"]
`;

const namesOf = (body: unknown): string[] => (body as {tools: {function: {name: string}}[]}).tools.map((tool) => tool.function.name);

describe('MCP servers in a session', () => {
  it('their tools are called by the model under a rule, and their processes end with the session; a broken one is reported', async () => {
    const server = await modelServer([{toolCalls: [{name: 'mcp__good__go', arguments: {any: [1, null]}}]}, {text: 'done'}]);
    const at = await place({}, `${server.config}${table('good', 'kind')}${table('broken', 'exits')}`);
    const {code, stdout, stderr} = await fettle(at, ['exec', '--allow', 'mcp__good', 'go']);
    expect([code, stdout]).toEqual([0, 'done\n']);
    expect(stderr).toContain('MCP server broken: starting: it ended with exit code 3 Its last lines on stderr: no such database');
    expect(namesOf(server.requests[0]?.body)).toEqual(expect.arrayContaining(['read', 'mcp__good__go']));
    const said = JSON.stringify(server.requests[1]?.body);
    const pid = Number(/pid (\d+), call 1/.exec(said)?.[1]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('without a rule and a person the call is denied: exit code 3', async () => {
    const server = await modelServer([{toolCalls: [{name: 'mcp__good__go', arguments: {}}]}, {text: 'could not'}]);
    const {code} = await fettle(await place({}, `${server.config}${table('good', 'kind')}`), ['exec', 'go']);
    expect(code).toBe(3);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('A rule that would allow it: mcp__good__go');
  });

  it('`ask` starts none', async () => {
    const server = await modelServer([{text: 'an answer'}]);
    const {code, stderr} = await fettle(await place({}, `${server.config}${table('broken', 'exits')}`), ['ask', 'what?']);
    expect([code, stderr.includes('broken')]).toEqual([0, false]);
    expect(namesOf(server.requests[0]?.body).filter((name) => name.startsWith('mcp__'))).toEqual([]);
  });
});

describe('fettle mcp', () => {
  it('list shows what is configured, test starts one server', async () => {
    const at = await place({}, `${table('good', 'kind')}disabled = true\n${table('broken', 'exits')}`);
    const listed = await fettle(at, ['mcp', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toEqual([
      {name: 'good', transport: 'stdio', target: `${process.execPath} ${HOSTILE} kind`, disabled: true},
      {name: 'broken', transport: 'stdio', target: `${process.execPath} ${HOSTILE} exits`, disabled: false},
    ]);
    expect(await fettle(at, ['mcp', 'test', 'good'])).toEqual({
      code: 0,
      stdout: 'mcp__good__go  [good]\n',
      stderr: 'good: hostile 1, protocol 2025-11-25\n',
    });
    expect(await fettle(at, ['mcp', 'test', 'broken'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no such database'),
    });
    expect(await fettle(at, ['mcp', 'test', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There are: good, broken.'),
    });
  });

  it('a tool of a server is called without a model', async () => {
    const {code, stdout} = await fettle(await place({}, table('good', 'kind')), ['tools', 'call', 'mcp__good__go', '{}']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^pid \d+, call 1\n$/)]);
  });

  it('serve writes nothing but the protocol to stdout, and ends with its input', async () => {
    const discover = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {name: 't', version: '1'}},
    };
    const {code, stdout, stderr} = await fettle(await place(), ['mcp', 'serve'], `${JSON.stringify(discover)}\n`);
    expect([code, stderr]).toEqual([0, '']);
    for (const line of stdout.split('\n').filter((text) => text !== '')) expect(JSON.parse(line)).toMatchObject({jsonrpc: '2.0'});
  });
});
