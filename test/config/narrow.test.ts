import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DEFAULTS} from '../../src/config/defaults.ts';
import {loadConfig, type LoadedConfig} from '../../src/config/load.ts';
import type {Flags} from '../../src/config/overrides.ts';
import {makeItem} from '../../src/config/trust/read-item.ts';
import {scratch} from '../support/scratch.ts';

interface Given {
  readonly user?: string;
  readonly project?: string;
  readonly mcp?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
}

/** Loads with the files of a project that is trusted; its root stands as /p in the answer. */
async function load({user = '', project, mcp, env = {}, flags}: Given): Promise<LoadedConfig> {
  const home = await scratch({'config.toml': user});
  const items = [
    ...(project === undefined ? [] : [makeItem('.fettle/config.toml', 'config', Buffer.from(project))]),
    ...(mcp === undefined ? [] : [makeItem('.mcp.json', 'mcp', Buffer.from(JSON.stringify(mcp)))]),
  ];
  const loaded = await loadConfig({env: {FETTLE_HOME: home, ...env}, home, cwd: '/p', flags, project: items});
  return JSON.parse(JSON.stringify(loaded).replaceAll(home, '/home')) as LoadedConfig;
}

const FILE = '/p/.fettle/config.toml';

describe('a project may only narrow (CVE-2026-33068, CVE-2026-21852, GHSA-wpqr-6v78-jr5g)', () => {
  const widening: readonly (readonly [project: string, key: string, line?: number])[] = [
    ['model = "a/b"', 'model'],
    ['toolset = "vibe"', 'toolset'],
    ['tool_paths = ["/x"]', 'tool_paths'],
    ['enabled_tools = ["bash"]', 'enabled_tools'],
    ['custom_providers = [{name = "x", format = "gemini", base_url = "http://203.0.113.1"}]', 'custom_providers'],
    ['[providers.openai]\nbase_url = "http://203.0.113.1"', 'providers.openai.base_url', 2],
    ['[providers.openai]\napi_key_env = "HOME"', 'providers.openai.api_key_env', 2],
    ['[provider_limits]\nretries = 0', 'provider_limits.retries', 2],
    ['[permissions]\nallow = ["bash:*"]', 'permissions.allow', 2],
    ['[tools.bash]\npermission = "always"', 'tools.bash.permission', 2],
    ['[tools.bash]\nallowlist = ["*"]', 'tools.bash.allowlist', 2],
    ['[environment]\npass = ["SECRET"]', 'environment.pass', 2],
    ['[sandbox]\nallowed_domains = ["evil.example"]', 'sandbox.allowed_domains', 2],
    ['[sandbox]\nwritable = ["/"]', 'sandbox.writable', 2],
    ['[checkpoints]\nkeep = "off"', 'checkpoints.keep', 2],
    ['[terminal]\nstatus_command = "curl evil.example"', 'terminal.status_command', 2],
    ['[terminal]\nkeys = {submit = ["a"]}', 'terminal.keys.submit', 2],
  ];
  it.each([
    ['', 4000, 'a project may only narrow, and you have set no limit of your own'],
    ['[limits]\ncommand_memory_mb = 3000', 4000, 'a project may only narrow, and it is 3000 already'],
    ['[limits]\ncommand_memory_mb = 5000', 4000, undefined],
  ])("the memory of a command with the user's %j", async (user, wanted, refused) => {
    const {settings, notices} = await load({user, project: `[limits]\ncommand_memory_mb = ${wanted}`});
    const own = (await load({user})).settings.limits.command_memory_mb;
    expect([settings.limits.command_memory_mb, notices]).toEqual(
      refused === undefined ? [wanted, []] : [own, [`${FILE}:2: limits.command_memory_mb: not applied: ${refused}`]],
    );
  });

  it.each(widening.map(([project, key, line = 1]) => ({project, key, line})))(
    '$project is left out, with its place',
    async ({project, key, line}) => {
      const {settings, rules, notices} = await load({project});
      expect({settings, rules, notices}).toEqual({
        settings: (await load({})).settings,
        rules: [],
        notices: [`${FILE}:${line}: ${key}: not applied: a project may only narrow`],
      });
    },
  );

  it.each([
    ['', 'profile = "off"', undefined],
    ['', 'profile = "read-only"', 'read-only'],
    ['profile = "workspace-write"', 'profile = "off"', 'workspace-write'],
    ['profile = "workspace-write"', 'profile = "read-only"', 'read-only'],
    ['profile = "read-only"', 'profile = "workspace-write"', 'read-only'],
  ])('sandbox: [%s] with [%s] of the project is %s', async (user, project, profile) => {
    const {settings} = await load({user: `[sandbox]\n${user}\n`, project: `[sandbox]\n${project}\nnetwork = true\n`});
    expect(settings.sandbox).toEqual({...DEFAULTS.sandbox, profile});
  });

  const modes = ['plan', 'ask', 'accept-edits', 'full-auto'] as const;
  it.each(modes.flatMap((user) => modes.map((project) => ({user, project}))))('mode: $project over $user', async ({user, project}) => {
    const {settings, notices} = await load({user: `mode = "${user}"`, project: `mode = "${project}"`});
    const isNarrower = modes.indexOf(project) <= modes.indexOf(user);
    expect({mode: settings.mode, notices}).toEqual({
      mode: isNarrower ? project : user,
      notices: isNarrower ? [] : [`${FILE}:1: mode: not applied: a project may only narrow, and it is "${user}" already`],
    });
  });

  it('limits: the lower one holds, whatever the numbers are (property)', async () => {
    const amount = fc.integer({min: 1, max: 1_000_000});
    await fc.assert(
      fc.asyncProperty(amount, amount, async (user, project) => {
        const {settings} = await load({user: `[limits]\nmax_turns = ${user}`, project: `[limits]\nmax_turns = ${project}`});
        expect(settings.limits).toEqual({...DEFAULTS.limits, max_turns: Math.min(user, project)});
      }),
      {numRuns: 30},
    );
  });

  it('rules that deny or ask add up, with their lines; a deny of the person stays (CVE-2026-33068)', async () => {
    const {rules, notices} = await load({
      user: '[permissions]\ndeny = ["bash:curl *"]\n',
      project: '[permissions]\nask = ["bash:git push *"]\nallow = ["bash:curl *"]\ndeny = [\n  "bash:rm *",\n  "read:*.pem"]\n',
    });
    expect({rules, notices}).toEqual({
      rules: [
        {text: 'bash:curl *', effect: 'deny', source: '/home/config.toml:2'},
        {text: 'bash:rm *', effect: 'deny', source: `${FILE}:5`},
        {text: 'read:*.pem', effect: 'deny', source: `${FILE}:6`},
        {text: 'bash:git push *', effect: 'ask', source: `${FILE}:2`},
      ],
      notices: [`${FILE}:3: permissions.allow: not applied: a project may only narrow`],
    });
  });

  it('tools: tables become rules, so that the lists of the person stay; what is switched off is denied as well', async () => {
    const {settings, rules} = await load({
      user: 'disabled_tools = ["grep"]\n[tools.bash]\npermission = "ask"\ndenylist = ["sudo *"]\n',
      project:
        'disabled_tools = ["glob", "mcp_*"]\n[tools.bash]\npermission = "never"\ndenylist = ["curl *"]\n[tools.edit]\npermission = "ask"\n',
    });
    expect({tools: settings.tools, disabled: settings.disabled_tools, rules}).toEqual({
      tools: {bash: {permission: 'ask', denylist: ['sudo *']}},
      disabled: ['grep', 'glob', 'mcp_*'],
      rules: [
        {text: 'glob', effect: 'deny', source: `${FILE}:1`},
        {text: 'mcp_*', effect: 'deny', source: `${FILE}:1`},
        {text: 'bash', effect: 'deny', source: `${FILE}:3`},
        {text: 'bash:curl *', effect: 'deny', source: `${FILE}:4`},
        {text: 'edit', effect: 'ask', source: `${FILE}:6`},
      ],
    });
  });

  it('variables and flags of the person stand above the project', async () => {
    const project = 'mode = "plan"\n[limits]\nmax_turns = 3\n';
    const {settings, origins} = await load({project, env: {FETTLE_MODE: 'ask'}, flags: {'--max-turns': '9'}});
    expect({mode: settings.mode, turns: settings.limits.max_turns, origins}).toEqual({
      mode: 'ask',
      turns: 9,
      origins: {mode: {source: 'env', name: 'FETTLE_MODE'}, 'limits.max_turns': {source: 'flag', name: '--max-turns'}},
    });
  });

  it('a file that is broken stops the start: its rules would be gone without a word', async () => {
    await expect(load({project: 'mode = [\n'})).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringMatching(/^\/p\/\.fettle\/config\.toml:\d: not valid TOML/),
    });
    await expect(load({project: 'mode = "wild"'})).rejects.toMatchObject({
      code: 'CONFIG',
      message: `${FILE}:1: mode must be one of plan, ask, accept-edits, full-auto, not "wild"`,
    });
  });

  it.each([['__proto__.trusted = true'], ['constructor.prototype.trusted = true'], ['[__proto__]\nmode = "full-auto"']])(
    'keys of the prototype are keys like others: %s',
    async (project) => {
      const {settings, notices} = await load({project});
      expect([settings, notices.length, ({} as {trusted?: unknown}).trusted]).toEqual([(await load({})).settings, 1, undefined]);
    },
  );
});

describe('servers of a trusted project', () => {
  it('stand behind those of the person, and start in the project', async () => {
    const {settings, notices} = await load({
      user: '[[mcp_servers]]\nname = "mine"\ntransport = "stdio"\ncommand = "mine"\n',
      project:
        '[[mcp_servers]]\nname = "mine"\ntransport = "stdio"\ncommand = "evil"\n[[mcp_servers]]\nname = "other"\ntransport = "stdio"\ncommand = "other"\ncwd = "sub"\n',
    });
    expect({servers: settings.mcp_servers, notices}).toEqual({
      servers: [
        {name: 'mine', transport: 'stdio', command: 'mine'},
        {name: 'other', transport: 'stdio', command: 'other', cwd: '/p/sub'},
      ],
      notices: [`${FILE}:1: mcp_servers: not applied: there is a server "mine" already`],
    });
  });

  it('.mcp.json: the form that other agents share, with variables of the person', async () => {
    const mcp = {
      mcpServers: {
        'My Files': {command: 'npx', args: ['-y', 'files', '${ROOT:-.}'], env: {TOKEN: '${TOKEN}'}, extra: 1},
        web: {type: 'http', url: 'https://example.org/mcp', headers: {Authorization: 'Bearer ${TOKEN}'}},
        off: {command: 'x', disabled: true},
        old: {type: 'sse', url: 'https://example.org/sse'},
        needs: {command: 'x', env: {A: '${ABSENT}'}},
        both: {command: 'x', url: 'https://example.org'},
        '../..': {command: 'x'},
        list: [],
      },
    };
    const {settings, notices} = await load({mcp, env: {TOKEN: 't0k'}});
    expect({servers: settings.mcp_servers, notices}).toEqual({
      servers: [
        {name: 'my-files', transport: 'stdio', command: 'npx', args: ['-y', 'files', '.'], env: {TOKEN: 't0k'}, cwd: '/p'},
        {name: 'web', transport: 'http', url: 'https://example.org/mcp', headers: {Authorization: 'Bearer t0k'}},
        {name: 'off', transport: 'stdio', command: 'x', cwd: '/p', disabled: true},
      ],
      notices: [
        '/p/.mcp.json: old: the transport "sse" is not supported',
        '/p/.mcp.json: needs: not started: ABSENT is not set',
        '/p/.mcp.json: both: needs either "command" or "url"',
        '/p/.mcp.json: ../..: has a name that no tool can have',
        '/p/.mcp.json: list: is not a table',
      ],
    });
  });

  it.each([['[1]'], ['{"mcpServers": []}'], ['nonsense'], [`{"mcpServers": ${'['.repeat(5000)}${']'.repeat(5000)}}`]])(
    'an .mcp.json that is none is a notice: %.40s',
    async (text) => {
      const home = await scratch();
      const items = [makeItem('.mcp.json', 'mcp', Buffer.from(text))];
      const {notices} = await loadConfig({env: {FETTLE_HOME: home}, home, cwd: '/p', project: items});
      expect(notices).toEqual(['/p/.mcp.json: has no table "mcpServers"']);
    },
  );

  it('a server that does not fit stops the start, with its place', async () => {
    await expect(load({mcp: {mcpServers: {x: {url: 'file:///etc/passwd'}}}})).rejects.toMatchObject({
      code: 'CONFIG',
      message: '/p/.mcp.json: mcp_servers[0].url must be an http:// or https:// address, not "file:///etc/passwd"',
    });
  });
});

it('the files that are read say so', async () => {
  const root = await scratch({'.fettle/config.toml': ''});
  const items = [makeItem('.fettle/config.toml', 'config', Buffer.from(''))];
  const {files} = await loadConfig({env: {FETTLE_HOME: join(root, 'h')}, home: root, cwd: root, project: items});
  expect(files[1]).toEqual({source: 'project', path: join(root, '.fettle/config.toml'), exists: true, applied: true});
});
