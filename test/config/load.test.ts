import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {DEFAULTS} from '../../src/config/defaults.ts';
import {loadConfig, type LoadedConfig} from '../../src/config/load.ts';
import {mergeSources} from '../../src/config/merge.ts';
import type {Flags} from '../../src/config/overrides.ts';
import {scratch} from '../support/scratch.ts';

interface SettingInput {
  readonly user?: string;
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
}

/** Loads with a FETTLE_HOME and a working folder of its own; their paths stand as HOME and CWD in the answer. */
async function load({user, project, env = {}, flags}: SettingInput): Promise<LoadedConfig> {
  const root = await scratch({
    ...(user === undefined ? {} : {'home/config.toml': user}),
    ...(project === undefined ? {} : {'cwd/.fettle/config.toml': project}),
  });
  const loaded = await loadConfig({env: {FETTLE_HOME: join(root, 'home'), ...env}, home: root, cwd: join(root, 'cwd'), flags});
  return JSON.parse(JSON.stringify(loaded).replaceAll(root, '')) as LoadedConfig;
}

const none = JSON.parse(JSON.stringify(DEFAULTS)) as typeof DEFAULTS;

describe('loadConfig › precedence', () => {
  it('has the defaults where nothing is said', async () => {
    expect(await load({})).toEqual({
      settings: none,
      rules: [],
      origins: {},
      notices: [],
      files: [
        {source: 'user', path: '/home/config.toml', exists: false, applied: false},
        {source: 'project', path: '/cwd/.fettle/config.toml', exists: false, applied: false},
      ],
    });
  });

  const user = 'model = "a/user"\n[limits]\nmax_turns = 1\n';
  const cases: readonly (SettingInput & {readonly model: string; readonly origin: unknown})[] = [
    {user, model: 'a/user', origin: {source: 'user', name: '/home/config.toml', line: 1}},
    {user, env: {FETTLE_MODEL: 'a/env'}, model: 'a/env', origin: {source: 'env', name: 'FETTLE_MODEL'}},
    {user, flags: {'--model': 'a/flag'}, model: 'a/flag', origin: {source: 'flag', name: '--model'}},
    {user, env: {FETTLE_MODEL: 'a/env'}, flags: {'--model': 'a/flag'}, model: 'a/flag', origin: {source: 'flag', name: '--model'}},
    {env: {FETTLE_MODEL: 'a/env'}, flags: {'--model': 'a/flag'}, model: 'a/flag', origin: {source: 'flag', name: '--model'}},
    {user, env: {FETTLE_MODEL: ''}, model: 'a/user', origin: {source: 'user', name: '/home/config.toml', line: 1}},
    {user, project: 'model = "a/project"', model: 'a/user', origin: {source: 'user', name: '/home/config.toml', line: 1}},
  ];
  it.each(cases)('defaults < user file < FETTLE_* < flags: $origin.source wins', async ({model, origin, ...given}) => {
    const {settings, origins} = await load(given);
    expect(settings).toEqual({...none, model, limits: {...none.limits, max_turns: given.user === undefined ? 200 : 1}});
    expect(origins['model']).toEqual(origin);
  });

  it('merges tables key by key', async () => {
    const {settings, origins} = await load({
      user: '[limits]\nmax_turns = 1\nmax_time_s = 2.5\n[providers.openai]\nbase_url = "http://x/v1"\napi_key_env = "K"',
      flags: {'--max-turns': '9'},
    });
    expect(settings.limits).toEqual({max_turns: 9, max_tokens: 5_000_000, max_cost_usd: 10, max_time_s: 2.5});
    expect(settings.providers).toEqual({openai: {base_url: 'http://x/v1', api_key_env: 'K'}});
    expect(origins).toEqual({
      'limits.max_turns': {source: 'flag', name: '--max-turns'},
      'limits.max_time_s': {source: 'user', name: '/home/config.toml', line: 3},
      'providers.openai.base_url': {source: 'user', name: '/home/config.toml', line: 5},
      'providers.openai.api_key_env': {source: 'user', name: '/home/config.toml', line: 6},
    });
  });

  it('replaces lists, merges tables, adds rules', () => {
    const source = (name: string, value: Parameters<typeof mergeSources>[1][number]['value']) => ({
      value,
      originOf: () => ({source: 'flag', name}) as const,
    });
    const server = (name: string) => ({name, format: 'openai-chat', base_url: 'http://x'});
    const {settings, rules} = mergeSources(DEFAULTS, [
      source('one', {custom_providers: [server('a'), server('b')], providers: {p: {base_url: 'http://1'}}, permissions: {allow: ['x']}}),
      source('two', {custom_providers: [server('c')], providers: {p: {api_key_env: 'K'}}, permissions: {allow: ['x'], deny: ['y:z']}}),
    ]);
    expect(settings).toEqual({...DEFAULTS, custom_providers: [server('c')], providers: {p: {base_url: 'http://1', api_key_env: 'K'}}});
    expect(rules).toEqual([
      {text: 'x', effect: 'allow', source: 'one'},
      {text: 'y:z', effect: 'deny', source: 'two'},
      {text: 'x', effect: 'allow', source: 'two'},
    ]);
  });

  it('keeps with each rule the line where it stands', async () => {
    const {rules} = await load({
      user: '[permissions]\nallow = ["bash:npm test",\n  "bash:git status *", # and\n  # not this\n  "read"]\ndeny = [\n  "bash:sudo *"\n]',
      flags: {'--allow': ['bash:make'], '--deny': ['bash:curl *']},
    });
    expect(rules).toEqual([
      {text: 'bash:sudo *', effect: 'deny', source: '/home/config.toml:7'},
      {text: 'bash:npm test', effect: 'allow', source: '/home/config.toml:2'},
      {text: 'bash:git status *', effect: 'allow', source: '/home/config.toml:3'},
      {text: 'read', effect: 'allow', source: '/home/config.toml:5'},
      {text: 'bash:make', effect: 'allow', source: '--allow'},
      {text: 'bash:curl *', effect: 'deny', source: '--deny'},
    ]);
  });

  it('means the same in whatever order keys and tables are written (property)', async () => {
    const entries = [
      ['model = "a/b"'],
      ['toolset = "vibe"'],
      ['mode = "plan"'],
      ['limits.max_turns = 3', 'limits.max_time_s = 4'],
      ['provider_limits.retries = 0'],
      ['providers.openai.base_url = "http://x"'],
      ['permissions.deny = ["bash:a", "bash:b"]'],
    ];
    const expected = await load({user: entries.flat().join('\n')});
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(entries, {minLength: entries.length}), async (order) => {
        const {settings, rules} = await load({user: order.flat().join('\n')});
        expect(settings).toEqual(expected.settings);
        expect(rules.map(({text, effect}) => ({text, effect}))).toEqual(expected.rules.map(({text, effect}) => ({text, effect})));
      }),
      {numRuns: 20},
    );
  });
});

describe('loadConfig › environment and flags', () => {
  const table: readonly (readonly [string, keyof Flags, {typed: string; path: string; value: unknown}])[] = [
    ['FETTLE_MODEL', '--model', {typed: 'a/b', path: 'model', value: 'a/b'}],
    ['FETTLE_TOOLSET', '--toolset', {typed: 'vibe', path: 'toolset', value: 'vibe'}],
    ['FETTLE_MODE', '--mode', {typed: 'full-auto', path: 'mode', value: 'full-auto'}],
    ['FETTLE_SANDBOX', '--sandbox', {typed: 'read-only', path: 'sandbox.profile', value: 'read-only'}],
    ['FETTLE_MAX_TURNS', '--max-turns', {typed: '7', path: 'limits.max_turns', value: 7}],
    ['FETTLE_MAX_TOKENS', '--max-tokens', {typed: '1000', path: 'limits.max_tokens', value: 1000}],
    ['FETTLE_MAX_COST_USD', '--max-cost', {typed: '0.25', path: 'limits.max_cost_usd', value: 0.25}],
    ['FETTLE_MAX_TIME_S', '--max-time', {typed: '90', path: 'limits.max_time_s', value: 90}],
  ];
  it.each(table)('%s and %s', async (variable, flag, {typed, path, value}) => {
    const [group = '', leaf] = path.split('.');
    const table = group === 'sandbox' ? none.sandbox : none.limits;
    const expected = leaf === undefined ? {...none, [group]: value} : {...none, [group]: {...table, [leaf]: value}};
    const fromVariable = await load({env: {[variable]: typed}});
    expect([fromVariable.settings, fromVariable.origins]).toEqual([expected, {[path]: {source: 'env', name: variable}}]);
    const fromFlag = await load({flags: {[flag]: typed}});
    expect([fromFlag.settings, fromFlag.origins]).toEqual([expected, {[path]: {source: 'flag', name: flag}}]);
  });

  it('warns of a variable that looks misspelled, and of no other', async () => {
    expect((await load({env: {FETTLE_MODLE: 'x', FETTLE_SOMETHING_ELSE: 'y', OTHER: 'z'}})).notices).toEqual([
      'FETTLE_MODLE: unknown variable; did you mean FETTLE_MODEL?',
    ]);
  });
});

describe('loadConfig › files', () => {
  it('does not apply a project file that nobody trusts, not even to find mistakes (CVE-2026-33068)', async () => {
    const {settings, rules, notices, files} = await load({project: 'mode = "full-auto"\nbroken = ['});
    expect({settings, rules, notices, project: files[1]}).toEqual({
      settings: none,
      rules: [],
      notices: [],
      project: {source: 'project', path: '/cwd/.fettle/config.toml', exists: true, applied: false},
    });
  });

  it('does not take the user file for a project file where FETTLE_HOME is the .fettle folder', async () => {
    const root = await scratch({'.fettle/config.toml': 'mode = "plan"'});
    const {settings, notices} = await loadConfig({env: {FETTLE_HOME: join(root, '.fettle')}, home: root, cwd: root});
    expect({mode: settings.mode, notices}).toEqual({mode: 'plan', notices: []});
  });

  it('skips a byte order mark', async () => {
    expect((await load({user: '\uFEFFmode = "plan"'})).origins).toEqual({mode: {source: 'user', name: '/home/config.toml', line: 1}});
  });

  it('takes a FETTLE_HOME that is itself a file for one without settings', async () => {
    const root = await scratch({home: ''});
    const {settings} = await loadConfig({env: {FETTLE_HOME: join(root, 'home')}, home: root, cwd: root});
    expect(settings).toEqual(DEFAULTS);
  });

  it('says when the user file cannot be read', async () => {
    const root = await scratch();
    await symlink('config.toml', join(root, 'config.toml'));
    await expect(loadConfig({env: {FETTLE_HOME: root}, home: root, cwd: root})).rejects.toMatchObject({
      code: 'CONFIG',
      message: `${join(root, 'config.toml')}: cannot be read (ELOOP)`,
    });
  });

  it('says when the user file is a folder', async () => {
    const root = await scratch();
    await mkdir(join(root, 'config.toml'));
    await expect(loadConfig({env: {FETTLE_HOME: root}, home: root, cwd: root})).rejects.toMatchObject({
      code: 'CONFIG',
      message: `${join(root, 'config.toml')}: not a regular file`,
    });
  });
});
