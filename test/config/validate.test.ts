import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../src/base/errors.ts';
import {loadConfig} from '../../src/config/load.ts';
import type {Flags} from '../../src/config/overrides.ts';
import {CONFIG_SCHEMA} from '../../src/config/schema.ts';
import {scratch} from '../support/scratch.ts';

/** The lines of the CONFIG error, or the notices where there is none; the file is called F. */
async function say(user: string | Uint8Array, overrides: {env?: Record<string, string>; flags?: Flags} = {}): Promise<string[]> {
  const root = await scratch({'config.toml': user});
  const short = (text: string): string => text.replaceAll(join(root, 'config.toml'), 'F');
  try {
    const {notices} = await loadConfig({env: {FETTLE_HOME: root, ...overrides.env}, home: root, cwd: root, flags: overrides.flags});
    return notices.map(short);
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'CONFIG') throw error;
    return short(error.message).split('\n');
  }
}

/** The keys at the top. */
const EVERY_KEY = Object.keys(CONFIG_SCHEMA.properties ?? {}).join(', ');

describe('loadConfig › broken files', () => {
  const cases: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
    ['a list without an end', 'mode = "plan"\n\nx = [1\ny = 2', ['F:4: not valid TOML: expected comma or end of structure (column 1)']],
    [
      'a key twice',
      'mode = "plan"\nmode = "ask"',
      ['F:2: not valid TOML: trying to redefine an already defined table or value (column 1)'],
    ],
    ['bytes that are not UTF-8', new Uint8Array([0x23, 0x0a, 0x23, 0xff, 0x0a]), ['F:2: not UTF-8, which TOML requires']],
  ];
  it.each(cases)('%s', async (_name, user, lines) => {
    expect(await say(user)).toEqual(lines);
  });
});

describe('loadConfig › wrong values', () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      'model = "gpt-5"',
      'F:1: model must be `provider/model`, `script:FILE` or `replay:FILE`, or `auto`: one of `optimization.models`, not "gpt-5"',
    ],
    ['model = 5', 'F:1: model must be `provider/model`, `script:FILE` or `replay:FILE`, or `auto`: one of `optimization.models`, not 5'],
    ['toolset = ""', 'F:1: toolset must be text, not ""'],
    ['mode = "yolo"', 'F:1: mode must be one of plan, ask, accept-edits, full-auto, not "yolo"'],
    ['limits = 3', 'F:1: limits must be a table, not 3'],
    ['limits = 2024-01-01', 'F:1: limits must be a table'],
    ['[limits]\nmax_turns = 0', 'F:2: limits.max_turns must be a whole number of at least 1, not 0'],
    ['[limits]\nmax_turns = 1.5', 'F:2: limits.max_turns must be a whole number of at least 1, not 1.5'],
    ['[limits]\nmax_turns = "many"', 'F:2: limits.max_turns must be a whole number of at least 1, not "many"'],
    ['limits.max_tokens = true', 'F:1: limits.max_tokens must be a whole number of at least 1, not true'],
    ['limits.max_cost_usd = -1', 'F:1: limits.max_cost_usd must be a number above 0, not -1'],
    ['limits.max_cost_usd = inf', 'F:1: limits.max_cost_usd must be a number above 0, not Infinity'],
    ['limits.max_time_s = nan', 'F:1: limits.max_time_s must be a number above 0 and at most 2147483, not NaN'],
    ['limits.max_time_s = 2147484', 'F:1: limits.max_time_s must be a number above 0 and at most 2147483, not 2147484'],
    [
      'limits.max_tokens = 1e17',
      'F:1: limits.max_tokens must be a whole number of at least 1 and at most 9007199254740991, not 100000000000000000',
    ],
    ['[terminal]\nsurface = "big"', 'F:2: terminal.surface must be one of auto, inline, alternate, lines, not "big"'],
    ['[terminal]\nkeys = {submit = "enter"}', 'F:2: terminal.keys.submit must be a list, not "enter"'],
    ['code.diagnostics_s = -1', 'F:1: code.diagnostics_s must be a number of at least 0 and at most 2147483, not -1'],
    ['harness.verify_timeout_s = 1e300', 'F:1: harness.verify_timeout_s must be a number above 0 and at most 2147483, not 1e+300'],
    ['limits.max_time_s = 2024-01-01', 'F:1: limits.max_time_s must be a number above 0 and at most 2147483'],
    [
      'environment.pass = ["A B"]',
      'F:1: environment.pass[0] must be the name of an environment variable, or a glob such as "APP_*", not "A B"',
    ],
    ...['LD_PRELOAD', 'LD_*', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'BASH_ENV', 'ENV', 'GIT_SSH_COMMAND', 'GIT_*', 'PATH', 'Path'].map(
      (name) =>
        [
          `[environment]\npass = ["CI", "${name}"]`,
          `F:2: environment.pass[1] must not name a variable that makes programs load or run something, not "${name}"`,
        ] as const,
    ),
    [
      '[environment]\nset = {CI = "1", NODE_OPTIONS = "--import x"}',
      'F:2: environment.set.NODE_OPTIONS must not name a variable that makes programs load or run something, not "NODE_OPTIONS"',
    ],
    ['[environment]\nset = {CI = 1}', 'F:2: environment.set.CI must be text, not 1'],
    ['[provider_limits]\nfirst_byte_s = 0', 'F:2: provider_limits.first_byte_s must be a number above 0 and at most 2147483, not 0'],
    ['[provider_limits]\nretries = -1', 'F:2: provider_limits.retries must be a whole number of at least 0, not -1'],
    ['[permissions]\nallow = "bash:x"', 'F:2: permissions.allow must be a list, not "bash:x"'],
    ['[permissions]\ndeny = [\n"a:b",\n": x"]', 'F:4: permissions.deny[1] must be a rule `tool:pattern` or `tool`, not ": x"'],
    ['[permissions]\nask = ["bash:"]', 'F:2: permissions.ask[0] must be a rule `tool:pattern` or `tool`, not "bash:"'],
    [
      '[permissions]\nask = ["re:^a$:b", "mcp__*", "re::x"]',
      'F:2: permissions.ask[2] must be a rule `tool:pattern` or `tool`, not "re::x"',
    ],
    ['[permissions]\nask = ["git push"]', 'F:2: permissions.ask[0] must be a rule `tool:pattern` or `tool`, not "git push"'],
    ['[providers.OpenAI]', 'F:1: providers.OpenAI must be a name of lower case letters, digits, "-" and "_"'],
    ['[providers.x]\nbase_url = "localhost"', 'F:2: providers.x.base_url must be an http:// or https:// address, not "localhost"'],
    ['[providers.x]\napi_key_env = "sk-secret"', 'F:2: providers.x.api_key_env must be the name of an environment variable, never a key'],
    ['[providers.__proto__]\nbase_url = 5', 'F:1: providers.__proto__ must be a name of lower case letters, digits, "-" and "_"'],
    ['custom_providers = {}', 'F:1: custom_providers must be a list'],
    ['tool_paths = ["tools"]', 'F:1: tool_paths[0] must be an absolute path, or begin with `~/`, not "tools"'],
    ['tool_paths = ["~other/x"]', 'F:1: tool_paths[0] must be an absolute path, or begin with `~/`, not "~other/x"'],
    ['disabled_tools = [\n"bash",\n"re:("]', 'F:3: disabled_tools[1] must have a regular expression after `re:`, not "re:("'],
    ['enabled_tools = ["re:["]', 'F:1: enabled_tools[0] must have a regular expression after `re:`, not "re:["'],
    ['[tools.bash]\npermission = "yes"', 'F:2: tools.bash.permission must be one of always, never, ask, not "yes"'],
    ['[tools.bash]\nallowlist = "x"', 'F:2: tools.bash.allowlist must be a list, not "x"'],
    ['[tools."a b"]\nx = 1', 'F:1: tools."a b" must be the name of a tool'],
    ['tools.bash = true', 'F:1: tools.bash must be a table, not true'],
  ];
  it.each(cases)('%s', async (user, line) => {
    expect(await say(user)).toEqual([line]);
  });

  it('names all that is wrong in a custom provider, and never a header', async () => {
    const user = [
      '[[custom_providers]]',
      'name = "a"',
      'format = "openai-chat"',
      'base_url = "http://x"',
      '[[custom_providers]]',
      'name = "A B"',
      'format = "grpc"',
      'headers = {Authorization = 5}',
      'models = ["m", ""]',
    ].join('\n');
    expect(await say(user)).toEqual([
      'F:5: custom_providers[1].base_url is missing: must be an http:// or https:// address',
      'F:6: custom_providers[1].name must be a name of lower case letters, digits, "-" and "_", not "A B"',
      'F:7: custom_providers[1].format must be one of openai-chat, openai-responses, anthropic, gemini, not "grpc"',
      'F:8: custom_providers[1].headers.Authorization must be text',
      'F:9: custom_providers[1].models[1] must be text, not ""',
    ]);
  });

  it('refuses two custom providers of one name (vibe tool system › checks at load)', async () => {
    const one = '[[custom_providers]]\nname = "a"\nformat = "openai-chat"\nbase_url = "http://x"\n';
    expect(await say(one + one)).toEqual(['F:6: custom_providers[1].name must be a name that no other custom provider has, not "a"']);
  });

  it('refuses an MCP server that cannot be reached, is there twice, or could be taken for another', async () => {
    const server = (lines: string): string => `[[mcp_servers]]\n${lines}\n`;
    const one = server('name = "a"\ntransport = "stdio"\ncommand = "x"');
    expect(await say(one + one)).toEqual(['F:6: mcp_servers[1].name must be a name that no other MCP server has, not "a"']);
    expect(await say(server('name = "a"\ntransport = "stdio"'))).toEqual([
      'F:1: mcp_servers[0].command is missing: a server over stdio needs it',
    ]);
    expect(await say(server('name = "a"\ntransport = "http"'))).toEqual([
      'F:1: mcp_servers[0].url is missing: a server over http needs it',
    ]);
    const name = 'must be a name of lower case letters, digits and single "-" and "_" between them, at most 32 characters';
    expect(await say(server('name = "a__b"\ntransport = "http"\nurl = "http://x"'))).toEqual([
      `F:2: mcp_servers[0].name ${name}, not "a__b"`,
    ]);
    expect(await say(server('name = "a"\ntransport = "http"\nurl = "http://x"\ndisabled = "yes"\nenv = {K = 1}'))).toEqual([
      'F:5: mcp_servers[0].disabled must be true or false, not "yes"',
      'F:6: mcp_servers[0].env.K must be text',
    ]);
  });

  it('refuses a login besides a key, what belongs to a login without one, and never shows a secret', async () => {
    const server = (lines: string): string => `[[mcp_servers]]\nname = "a"\ntransport = "http"\nurl = "https://x.example"\n${lines}\n`;
    expect(await say(server('auth = "oauth"\nscopes = ["read"]\nclient_id = "c"\nclient_secret_env = "S"'))).toEqual([]);
    expect(await say(server('auth = "oauth"\napi_key_env = "K"\nheaders = {X-Key = "secret"}'))).toEqual([
      'F:6: mcp_servers[0].api_key_env does not go together with `auth`',
      'F:7: mcp_servers[0].headers does not go together with `auth`',
    ]);
    expect(await say(server('scopes = ["read"]'))).toEqual(['F:5: mcp_servers[0].scopes is only for a server with `auth`']);
    expect(await say(server('auth = "basic"\nclient_secret_env = "a secret"'))).toEqual([
      'F:5: mcp_servers[0].auth must be one of oauth, not "basic"',
      expect.stringMatching(/^F:6: mcp_servers\[0\]\.client_secret_env must be [^"]*$/),
    ]);
  });

  it('names the problems of all sources together', async () => {
    const overrides = {env: {FETTLE_MODE: 'fast', FETTLE_MAX_TURNS: '1e3'}, flags: {'--max-cost': '$5', '--deny': ['a:b', ' ']}};
    expect(await say('mode = 1\n[limits]\nmax_turns = 0', overrides)).toEqual([
      'F:1: mode must be one of plan, ask, accept-edits, full-auto, not 1',
      'F:3: limits.max_turns must be a whole number of at least 1, not 0',
      'FETTLE_MODE: mode must be one of plan, ask, accept-edits, full-auto, not "fast"',
      'FETTLE_MAX_TURNS: limits.max_turns must be a whole number of at least 1, not "1e3"',
      '--max-cost: limits.max_cost_usd must be a number above 0, not "$5"',
      '--deny: permissions.deny[1] must be a rule `tool:pattern` or `tool`, not " "',
    ]);
  });

  it('still names the problems of variables and flags where the file is broken', async () => {
    expect(await say('mode =', {env: {FETTLE_MODE: 'fast'}})).toEqual([
      'F:1: not valid TOML: invalid value (column 7)',
      'FETTLE_MODE: mode must be one of plan, ask, accept-edits, full-auto, not "fast"',
    ]);
  });
});

describe('loadConfig › unknown keys (vtcode architecture › configuration; ignoring them hides typos)', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['modle = "a/b"', 'F:1: unknown key modle; did you mean model?'],
    ['[limts]\nmax_turns = 1', 'F:1: unknown key limts; did you mean limits?'],
    ['[limits]\nmax_turn = 1', 'F:2: unknown key limits.max_turn; did you mean limits.max_turns?'],
    ['max_turns = 1', 'F:1: unknown key max_turns; did you mean limits.max_turns?'],
    ['[limits]\nretries = 1', 'F:2: unknown key limits.retries; did you mean provider_limits.retries?'],
    ['[limits]\nallow = ["bash:x"]', 'F:2: unknown key limits.allow; did you mean permissions.allow?'],
    ['[providers.openai]\nbaseurl = "http://x"', 'F:2: unknown key providers.openai.baseurl; did you mean providers.openai.base_url?'],
    ['[telemetry]\non = true', `F:1: unknown key telemetry; known here: ${EVERY_KEY}`],
    ['"a.b" = 1', `F:1: unknown key "a.b"; known here: ${EVERY_KEY}`],
  ];
  it.each(cases)('%j', async (user, line) => {
    expect(await say(user)).toEqual([line]);
  });

  it('and never lets one reach the prototype of objects', async () => {
    expect(await say('__proto__.mode = "plan"\n[limits.__proto__]\nx = 1')).toEqual([
      `F:1: unknown key __proto__; known here: ${EVERY_KEY}`,
      'F:2: unknown key limits.__proto__; known here: max_turns, max_tokens, max_cost_usd, max_time_s, command_memory_mb, command_disk_mb',
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('but not of a tool: what it may be told is for the tool to say (vibe tool system › Tool Configuration)', async () => {
    expect(await say('[tools.word_count]\nanything = {goes = [1, 2]}')).toEqual([]);
  });

  it('in a list of tables too, and what is known beside them counts', async () => {
    const user = 'mode = "plan"\n[[custom_providers]]\nname = "a"\nformat = "openai-chat"\nbase_url = "http://x"\nheader = {}\n';
    expect(await say(user)).toEqual(['F:6: unknown key custom_providers[0].header; did you mean custom_providers[0].headers?']);
    const root = await scratch({'config.toml': user});
    const {settings, origins} = await loadConfig({env: {FETTLE_HOME: root}, home: root, cwd: root});
    expect(settings.custom_providers).toEqual([{name: 'a', format: 'openai-chat', base_url: 'http://x'}]);
    expect(Object.keys(origins)).toEqual(['mode', 'custom_providers']);
  });
});
