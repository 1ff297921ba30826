import {execFile} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, finished, modelServer, place, start} from './support.ts';

const run = promisify(execFile);
const version = (JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8')) as {version: string}).version;

describe('the command', () => {
  it.each([[['--version']], [['-V']], [['exec', '--help']]])('%j answers on stdout with 0', async (args) => {
    const {code, stdout, stderr} = await fettle(await place(), args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(args[0] === 'exec' ? /^Usage: fettle exec/ : new RegExp(`^${version}\n$`));
  });

  it('every command has a help text', async () => {
    const at = await place();
    const {stdout} = await sharedFettle(at, ['--help']);
    const names = [...((stdout.split('Commands:')[1] ?? '').split('Examples:')[0]?.matchAll(/^ {2}([a-z]+)/gm) ?? [])].map(
      (match) => match[1] ?? '',
    );
    expect(names).toEqual([
      'exec',
      'ask',
      'demo',
      'models',
      'tools',
      'permissions',
      'mcp',
      'sessions',
      'checkpoints',
      'index',
      'lab',
      'schedule',
      'optimize',
      'config',
      'init',
      'context',
      'trust',
      'doctor',
      'completion',
    ]);
    for (const name of names) expect((await sharedFettle(at, [name, '--help'])).code, name).toBe(0);
  });

  it('takes a prompt from stdin, as an argument, and after `--` also when it is the name of a command', async () => {
    const server = await modelServer([{text: '1'}, {text: '2'}, {text: '3'}]);
    const at = await place({}, server.config);
    await fettle(at, ['exec', '-'], 'from stdin\n');
    await sharedFettle(at, ['as words']);
    await sharedFettle(at, ['exec', '--', 'demo']);
    const prompts = server.requests.map(({body}) => (body['messages'] as {content: string}[]).at(-1)?.content);
    expect(prompts).toEqual(['from stdin', 'as words', 'demo']);
  });

  it('writes nothing but events to stdout with --json, also into a reader that goes away', async () => {
    const server = await modelServer([{text: 'x'.repeat(200_000)}, {text: 'fine'}]);
    const at = await place({}, server.config);
    const child = start(at, ['exec', '--json', 'hi']);
    child.stdout?.destroy();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
    const events = eventsOf(await fettle(at, ['exec', '--json', 'hi']));
    expect([events[0]?.['type'], events.at(-1)?.['type']]).toEqual(['thread.started', 'thread.completed']);
  });

  it('never colours a pipe, and shows progress on stderr', async () => {
    const server = await modelServer([{toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]}, {text: 'An escape: \u001b[31mred\u0007'}]);
    const {stdout, stderr} = await sharedFettle(await place({'a.txt': 'a\n'}, server.config), ['exec', 'hi']);
    expect(stderr).toContain('> read {"path":"a.txt"}');
    expect(stderr).not.toContain('\u001b');
    expect(stdout).toContain('An escape');
  });

  it('--output-schema: an answer that does not fit is sent back once', async () => {
    const server = await modelServer([{text: 'Sure!'}, {text: '{"ok":true}'}]);
    const at = await place({'s.json': '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}'}, server.config);
    const {code, stdout} = await sharedFettle(at, ['exec', '--output-schema', 's.json', 'is it fine?']);
    expect([code, stdout, server.requests.length]).toEqual([0, '{"ok":true}\n', 2]);
  });

  it('ask: only tools that read', async () => {
    const server = await modelServer([{text: 'Because.'}]);
    const {code, stdout} = await sharedFettle(await place({}, server.config), ['ask', 'why?']);
    const names = ((server.requests[0]?.body['tools'] ?? []) as {function: {name: string}}[]).map((tool) => tool.function.name);
    expect([code, stdout, names.includes('edit'), names.includes('bash'), names.includes('read')]).toEqual([
      0,
      'Because.\n',
      false,
      false,
      true,
    ]);
  });
});

describe('sessions', () => {
  it('are listed, shown, exported in every format, and deleted', async () => {
    const server = await modelServer([{toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]}, {text: 'It says <b>hi</b>.'}]);
    const at = await place({'a.txt': 'hi\n'}, server.config);
    await sharedFettle(at, ['exec', 'what does it say?']);
    const list = JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as {threadId: string; title: string}[];
    expect(list.map(({title}) => title)).toEqual(['what does it say?']);
    const id = list[0]?.threadId ?? '';
    expect((await sharedFettle(at, ['sessions', 'show', id])).stdout).toContain('It says &lt;b>hi&lt;/b>.');
    for (const format of ['markdown', 'jsonl', 'open-responses', 'html', 'atif']) {
      const {code, stdout} = await sharedFettle(at, ['sessions', 'export', id, '--format', format]);
      expect([format, code, stdout.length > 100]).toEqual([format, 0, true]);
    }
    expect((await sharedFettle(at, ['sessions', 'export', id, '--format', 'pdf'])).code).toBe(2);
    expect((await sharedFettle(at, ['sessions', 'delete', id])).code).toBe(0);
    expect((await sharedFettle(at, ['sessions', 'show', id])).code).toBe(2);
  });
});

describe('a log that is damaged in its middle', () => {
  it('is marked in the list, and shown as far as it can be read', async () => {
    const server = await modelServer([{toolCalls: [{name: 'read', arguments: {path: 'a.txt'}}]}, {text: 'It says hi.'}]);
    const at = await place({'a.txt': 'hi\n'}, server.config);
    await sharedFettle(at, ['exec', 'what does it say?']);
    const list = async (): Promise<Record<string, unknown>[]> =>
      JSON.parse((await sharedFettle(at, ['sessions', 'list', '--json'])).stdout) as Record<string, unknown>[];
    const [{file, threadId, damage} = {}] = await list();
    expect(damage).toBeUndefined();
    const lines = readFileSync(String(file), 'utf8').split('\n');
    writeFileSync(String(file), lines.with(3, 'garbage').join('\n'));
    expect((await list()).map((one) => one['damage'])).toEqual([{records: 1, lines: [4]}]);
    const text = await sharedFettle(at, ['sessions', 'list']);
    expect([text.stdout.includes('[damaged: 1 record unreadable] what does it say?'), text.stderr]).toEqual([
      true,
      'Damaged logs: `fettle sessions show ID` shows what can be read.\n',
    ]);
    const shown = await sharedFettle(at, ['sessions', 'show', String(threadId)]);
    expect([shown.code, shown.stdout.includes('It says hi.'), shown.stderr]).toEqual([
      0,
      true,
      `The log is damaged: 1 record cannot be read and is left out (line 4 of ${String(file)}).\n`,
    ]);
    writeFileSync(String(file), lines.join('\n').slice(0, -9));
    expect((await sharedFettle(at, ['sessions', 'show', String(threadId)])).stderr).toBe(
      'The last record is incomplete: the session is being written, or was killed. Resuming it moves that record aside.\n',
    );
    expect((await list()).map((one) => one['damage'])).toEqual([undefined]);
  });
});

describe('set-up', () => {
  it('init writes a configuration that check accepts, once', async () => {
    const at = await place();
    const home = {...at, env: {...at.env, FETTLE_HOME: join(at.home, 'new')}};
    expect((await sharedFettle(home, ['init'])).code).toBe(0);
    expect((await sharedFettle(home, ['config', 'check'])).stdout).toBe(`${join(at.home, 'new', 'config.toml')}: no errors\n`);
    expect((await sharedFettle(home, ['init'])).code).toBe(2);
  });

  it('config show names the source of each value; path and schema answer', async () => {
    const at = await place({}, 'model = "ollama/x"\n[limits]\nmax_turns = 7\n');
    const {stdout} = await sharedFettle(at, ['config', 'show']);
    expect(stdout).toContain(`model = "ollama/x"  # ${join(at.home, 'config.toml')}:1`);
    expect(stdout).toContain(`limits.max_turns = 7  # ${join(at.home, 'config.toml')}:3`);
    expect((await sharedFettle(at, ['config', 'path'])).stdout).toContain(`${join(at.home, 'config.toml')}  read`);
    expect(JSON.parse((await sharedFettle(at, ['config', 'schema'])).stdout)).toMatchObject({title: 'Fettle configuration'});
  });

  it('config show hides the values of headers and of variables, and names them', async () => {
    const header = 'headers = {Authorization = "Bearer top-secret"}';
    const at = await place(
      {},
      `[[custom_providers]]\nname = "own"\nformat = "anthropic"\nbase_url = "http://127.0.0.1:1"\n${header}
[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "http://127.0.0.1:1"\n${header}
[[mcp_servers]]\nname = "local"\ntransport = "stdio"\ncommand = "true"\nenv = {TOKEN = "top-secret"}\n`,
    );
    for (const args of [[], ['--json']]) {
      const {code, stdout} = await sharedFettle(at, ['config', 'show', ...args]);
      expect([code, stdout.includes('top-secret'), stdout.match(/(?:Authorization|TOKEN)"?: ?"\(hidden\)"/g)?.length]).toEqual([
        0,
        false,
        3,
      ]);
    }
  });

  it('permissions check decides on tools of MCP servers by rules, and starts none', async () => {
    const server = '[[mcp_servers]]\nname = "local"\ntransport = "stdio"\ncommand = "touch"\nargs = ["started"]\n';
    const at = await place({}, `mode = "ask"\n[permissions]\nallow = ["mcp__local__list_*"]\ndeny = ["mcp__local__drop"]\n${server}`);
    const check = async (tool: string): Promise<unknown[]> => {
      const {code, stdout, stderr} = await sharedFettle(at, ['permissions', 'check', tool, '{}']);
      return [code, stdout === '' ? stderr.split('\n', 1)[0] : (JSON.parse(stdout) as {decision: string}).decision];
    };
    expect(await check('mcp__local__list_all')).toEqual([0, 'allow']);
    expect(await check('mcp__local__drop')).toEqual([3, 'deny']);
    expect(await check('mcp__local__other')).toEqual([0, 'ask']);
    expect(await check('mcp__none__x')).toEqual([2, 'fettle: mcp__none__x is not a tool of a configured MCP server.']);
    expect(await readdir(at.work)).toEqual([]);
  });

  it('doctor works without a model and says so', async () => {
    const {code, stdout} = await fettle(await place(), ['doctor']);
    expect([code, /search uses ripgrep/.test(stdout), /no model is configured/.test(stdout)]).toEqual([0, true, true]);
  });

  it('models list shows no key', async () => {
    const at = await place();
    const listed = await sharedFettle({...at, env: {...at.env, OPENAI_API_KEY: 'sk-secret-value'}}, ['models', 'list']);
    expect([listed.stdout.includes('OPENAI_API_KEY is set'), listed.stdout.includes('sk-secret-value')]).toEqual([true, false]);
  });

  it.each(['bash', 'zsh', 'fish'])('completion %s is made from the commands', async (shell) => {
    const {code, stdout} = await sharedFettle(await place(), ['completion', shell]);
    expect([code, stdout.includes('permissions'), stdout.includes('--max-turns')]).toEqual([0, true, true]);
    if (shell === 'bash') await run('bash', ['-n', '-c', stdout]);
  });

  it('permissions check decides and explains, and runs nothing; --stdin takes a table', async () => {
    const at = await place();
    const one = await sharedFettle(at, ['permissions', 'check', '--deny', 'bash:rm *', 'bash', '{"command":"ls && rm -rf x"}']);
    expect([one.code, JSON.parse(one.stdout)]).toEqual([
      3,
      expect.objectContaining({decision: 'deny', rule: expect.objectContaining({text: 'bash:rm *'})}),
    ]);
    const policy = {allow: ['bash:cargo *'], ask: [], deny: [], default: 'ask'};
    const table = ['cargo test', 'cargo test; touch x'].map((command, id) => ({
      id,
      tool: 'bash',
      input: {command},
      policy,
      cwd: '/repo',
      workspace: '/repo',
    }));
    const many = await finished(
      start(at, ['permissions', 'check', '--stdin']),
      `${table.map((line) => JSON.stringify(line)).join('\n')}\nno json\n`,
    );
    const decisions = many.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as {decision: string}).decision);
    expect([many.code, decisions]).toEqual([0, ['allow', 'ask', 'error']]);
  });
});

describe('demo', () => {
  it('fixes the project with real tools, shows it, and ends with 0 because its tests pass', async () => {
    const at = await place();
    const {code, stdout} = await fettle(at, ['demo']);
    expect(stdout).toContain('They pass.');
    expect(stdout).toMatch(/^-.*\n\+/m);
    expect(code).toBe(0);
  });
});
