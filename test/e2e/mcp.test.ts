import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {sharedFettle} from './shared-process.ts';
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
    const {code, stdout, stderr} = await sharedFettle(at, ['exec', '--allow', 'mcp__good', 'go']);
    expect([code, stdout]).toEqual([0, 'done\n']);
    expect(stderr).toContain('MCP server broken: starting: it ended with exit code 3 Its last lines on stderr: "no such database"');
    expect(namesOf(server.requests[0]?.body)).toEqual(expect.arrayContaining(['read', 'mcp__good__go']));
    const said = JSON.stringify(server.requests[1]?.body);
    const pid = Number(/pid (\d+), call 1/.exec(said)?.[1]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('without a rule and a person the call is denied: exit code 3', async () => {
    const server = await modelServer([{toolCalls: [{name: 'mcp__good__go', arguments: {}}]}, {text: 'could not'}]);
    const {code} = await sharedFettle(await place({}, `${server.config}${table('good', 'kind')}`), ['exec', 'go']);
    expect(code).toBe(3);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('A rule that would allow it: mcp__good__go');
  });

  it('`ask` starts none', async () => {
    const server = await modelServer([{text: 'an answer'}]);
    const {code, stderr} = await sharedFettle(await place({}, `${server.config}${table('broken', 'exits')}`), ['ask', 'what?']);
    expect([code, stderr.includes('broken')]).toEqual([0, false]);
    expect(namesOf(server.requests[0]?.body).filter((name) => name.startsWith('mcp__'))).toEqual([]);
  });
});

describe('fettle tools with MCP servers, without a model (issue 6 › the first hour › 12)', () => {
  it('list and show have their tools; show and call start only the server that is named', async () => {
    const at = await place({}, `${table('good', 'kind')}${table('offering', 'offers')}${table('broken', 'exits')}`);
    const names = async (args: string[]): Promise<string[]> => {
      const {stdout} = await sharedFettle(at, ['tools', 'list', '--json', ...args]);
      return (JSON.parse(stdout) as {name: string}[]).map(({name}) => name).filter((name) => name.startsWith('mcp_'));
    };
    expect([await names([]), await names(['--all'])]).toEqual([
      ['mcp__good__go', 'mcp__offering__go'],
      ['mcp__good__go', 'mcp__offering__go', 'mcp_resources'],
    ]);
    const shown = await sharedFettle(at, ['tools', 'show', 'mcp__good__go']);
    expect([shown.code, JSON.parse(shown.stdout), shown.stderr]).toEqual([
      0,
      {name: 'mcp__good__go', description: '[good]', parameters: {type: 'object', properties: {}}},
      '',
    ]);
    const called = await sharedFettle(at, ['tools', 'call', 'mcp__good__go', '{}']);
    expect([called.code, called.stdout.replace(/\d+/, 'N'), called.stderr]).toEqual([
      0,
      '<mcp_result server="good">\npid N, call 1\n</mcp_result>\n',
      'Asked about, and carried out because you called it: mcp__good__go: no rule allows it\n',
    ]);
  });

  it('mcp_resources is called: of the server that is named, without starting the others', async () => {
    const at = await place({}, `${table('offering', 'offers')}${table('broken', 'exits')}`);
    const read = await sharedFettle(at, ['tools', 'call', 'mcp_resources', '{"server": "offering", "uri": "file:///notes.txt"}']);
    expect(read).toEqual({
      code: 0,
      stdout:
        '<mcp_result server="offering">\n[resource: file:///notes.txt]\nThe contents of file:///notes.txt\\u001b[2J\\u202e.\n</mcp_result>\n',
      stderr: 'Asked about, and carried out because you called it: file:///notes.txt: no rule allows it\n',
    });
  });

  it('a server with `roots = false` is not told the folder that is worked in (its own arguments hold)', async () => {
    const at = await place({}, `${table('asking', 'asks')}roots = false\n`);
    const {stdout} = await sharedFettle(at, ['tools', 'call', 'mcp__asking__go', '{}']);
    expect(stdout).toContain('roots/list: "refused"');
  });
});

describe('fettle mcp', () => {
  it('list shows what is configured, test starts one server', async () => {
    const at = await place({}, `${table('good', 'kind')}disabled = true\n${table('broken', 'exits')}`);
    const listed = await sharedFettle(at, ['mcp', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toEqual([
      {name: 'good', transport: 'stdio', target: `${process.execPath} ${HOSTILE} kind`, disabled: true},
      {name: 'broken', transport: 'stdio', target: `${process.execPath} ${HOSTILE} exits`, disabled: false},
    ]);
    expect(await sharedFettle(at, ['mcp', 'test', 'good'])).toEqual({
      code: 0,
      stdout: 'mcp__good__go  [good]\n',
      stderr: 'good: hostile 1, protocol 2025-11-25\n',
    });
    expect(await sharedFettle(at, ['mcp', 'test', 'broken'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no such database'),
    });
    expect(await sharedFettle(at, ['mcp', 'test', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There are: good, broken.'),
    });
  });

  it('a tool that has changed is withheld from a session and a call, shown by test, and there again when it is accepted (CVE-2025-54136)', async () => {
    const tools = (description: string) => JSON.stringify({tools: [{name: 'go', description, inputSchema: {type: 'object'}}]});
    const file = join(await scratch({'tools.json': tools('Before.')}), 'tools.json');
    const at = await place({}, table('good', 'file').replace('"file"]', `"file", "${file}"]`));
    const call = () => sharedFettle(at, ['tools', 'call', 'mcp__good__go', '{}']);
    expect(await call()).toMatchObject({code: 0});
    await writeFile(file, tools('After\u001b[2J.'));
    expect(await call()).toMatchObject({code: 3, stderr: expect.stringContaining('`fettle mcp accept good` accepts it')});
    const difference =
      'good is not as it was accepted:\nits tool go:\n    @@ -1,4 +1,4 @@\n    -description: Before.\n    +description: After\\u001b[2J.\n     inputSchema: {\n       "type": "object"\n     }\n';
    expect(await sharedFettle(at, ['mcp', 'test', 'good'])).toEqual({
      code: 6,
      stdout: 'mcp__good__go  [good] After[2J.\n',
      stderr: `good: hostile 1, protocol 2025-11-25\n${difference}`,
    });
    expect(await sharedFettle(at, ['mcp', 'accept', 'good'])).toEqual({code: 0, stdout: '', stderr: `${difference}good: accepted.\n`});
    expect(await call()).toMatchObject({code: 0});
    expect(await sharedFettle(at, ['mcp', 'accept', 'good'])).toEqual({code: 0, stdout: '', stderr: 'good: nothing has changed.\n'});
  });

  it('the model is told what servers say and finds mcp_resources by tool_search, which costs no schema', async () => {
    const server = await modelServer([
      {toolCalls: [{name: 'tool_search', arguments: {query: 'resources'}}]},
      {toolCalls: [{name: 'mcp_resources', arguments: {uri: 'file:///notes.txt'}}]},
      {text: 'read'},
    ]);
    const at = await place({}, `${server.config}${table('good', 'offers')}`);
    const {code, stdout} = await sharedFettle(at, ['exec', '--allow', 'mcp__good', 'go']);
    expect([code, stdout]).toEqual([0, 'read\n']);
    expect(namesOf(server.requests[0]?.body)).not.toContain('mcp_resources');
    expect(JSON.stringify(server.requests[0]?.body)).toContain('mcp_resources lists and reads resources of the MCP servers good.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('mcp_resources: List or read resources');
    expect(JSON.stringify(server.requests[2]?.body)).toContain('The contents of file:///notes.txt');
  });

  it('list, show and errors hide what is secret', async () => {
    const args = `args = ["${HOSTILE}", "leaks", "--token=s3cr3t-token"]`;
    const http = '[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "http://ada:pa55word@127.0.0.1:1/mcp?key=qu3ryvalue"\n';
    const at = await place({}, `${table('good', 'leaks').replace(/args = .*/, args)}${http}`);
    const results = [
      ['mcp', 'list'],
      ['config', 'show'],
      ['config', 'show', '--json'],
      ['mcp', 'test', 'good'],
      ['mcp', 'test', 'web'],
    ];
    for (const command of results) {
      const {stdout, stderr} = await sharedFettle(at, command);
      expect(`${stdout}${stderr}`).not.toMatch(/s3cr3t|pa55word|qu3ryvalue/);
    }
    expect((await sharedFettle(at, ['mcp', 'list'])).stdout).toBe(
      `good  stdio  ${process.execPath} ${HOSTILE} leaks --token=(hidden)\nweb  http  http://(hidden)@127.0.0.1:1/mcp?key=(hidden)\n`,
    );
  });

  it('a tool of a server is called without a model', async () => {
    const {code, stdout} = await sharedFettle(await place({}, table('good', 'kind')), ['tools', 'call', 'mcp__good__go', '{}']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^<mcp_result server="good">\npid \d+, call 1\n<\/mcp_result>\n$/)]);
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
