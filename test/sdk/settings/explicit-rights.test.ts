import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Flags} from '../../../src/config/overrides.ts';
import {addGrant, grantsFile} from '../../../src/config/grants.ts';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import {withExplicitRights} from '../../../src/sdk/settings/explicit-rights.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../src/sdk/settings/session-settings.ts';
import {configuredPolicy} from '../../../src/sdk/tools/configured-policy.ts';
import {withoutAllowances} from '../../../src/sdk/hooks/thread-hooks.ts';
import {listFolderNames} from '../../../src/workspace/list-folder.ts';
import {scratch} from '../../support/scratch.ts';

const WIDE = `mode = "full-auto"
[permissions]
allow = ["bash:make *"]
deny = ["bash:curl *"]
ask = ["bash:npm publish *"]
[tools.edit]
permission = "always"
[tools.write]
permission = "ask"
allowlist = ["docs/*"]
denylist = ["*.pem"]
[sandbox]
profile = "off"
network = true
allowed_domains = ["wide.example"]
writable = ["/var/cache"]
[web_fetch]
private_hosts = ["localhost"]
`;

async function sessionOf(config: string, flags: Flags = {}): Promise<SessionSettings> {
  const root = await scratch({'home/config.toml': config, 'work/x': ''});
  const home = join(root, 'home');
  return await loadSettings({cwd: join(root, 'work'), home, env: {FETTLE_HOME: home}, flags});
}

async function verdict(session: SessionSettings, command: string): Promise<string> {
  const {cwd} = session;
  const subjects = [{kind: 'command', command, cwd, root: cwd} as const];
  const request = {toolNames: ['bash'], sideEffect: 'execute', subjects, listFolder: listFolderNames} as const;
  return (await decide(request, await configuredPolicy(withExplicitRights(session)))).verdict;
}

describe('exec --explicit-rights', () => {
  it('nothing that the configuration allows counts, and all that it narrows does', async () => {
    const {settings, rules} = withExplicitRights(await sessionOf(WIDE));
    const {mode, sandbox, web_fetch: web, tools} = settings;
    expect({mode, sandbox, web, tools, rules: rules.map(({text, effect}) => `${effect} ${text}`)}).toEqual({
      mode: 'ask',
      sandbox: {network: false, allowed_domains: [], writable: []},
      web: {private_hosts: []},
      tools: {edit: {}, write: {permission: 'ask', denylist: ['*.pem']}},
      rules: ['deny bash:curl *', 'ask bash:npm publish *'],
    });
  });

  it('what flags say counts', async () => {
    const flags: Flags = {
      '--mode': 'full-auto',
      '--sandbox': 'off',
      '--allow': ['bash:npm test'],
      '--allow-domain': ['registry.npmjs.org', '*.crates.io'],
    };
    const {settings, rules} = withExplicitRights(await sessionOf(WIDE, flags));
    expect([settings.mode, settings.sandbox, rules.filter(({effect}) => effect === 'allow')]).toEqual([
      'full-auto',
      {profile: 'off', network: false, allowed_domains: ['registry.npmjs.org', '*.crates.io'], writable: []},
      [{text: 'bash:npm test', effect: 'allow', source: '--allow'}],
    ]);
  });

  it('a stricter mode and a stricter sandbox of the configuration stay', async () => {
    const {settings} = withExplicitRights(await sessionOf('mode = "plan"\n[sandbox]\nprofile = "read-only"\n'));
    expect([settings.mode, settings.sandbox.profile]).toEqual(['plan', 'read-only']);
  });

  it('a rule that is stored later allows nothing, one that is stored later and denies holds', async () => {
    const session = await sessionOf('', {'--allow': ['bash:npm test *']});
    const before = [await verdict(session, 'make all'), await verdict(session, 'npm test')];
    const file = grantsFile(session.paths.configDir);
    await addGrant(file, {text: 'bash:make *', effect: 'allow', project: undefined});
    await addGrant(file, {text: 'bash:npm test *', effect: 'deny', project: undefined});
    expect([before, [await verdict(session, 'make all'), await verdict(session, 'npm test')]]).toEqual([
      ['ask', 'allow'],
      ['ask', 'deny'],
    ]);
  });

  it('"allow" of a hook counts for nothing; its denials, questions and rewritten inputs do', async () => {
    const answers = [
      {permission: 'allow', reason: 'r', context: 'c', input: {a: 1}},
      {permission: 'ask'},
      {deny: 'no'},
      undefined,
    ] as const;
    const stages = withoutAllowances({
      preHooks: answers.map((answer) => () => answer),
      permissionHook: async ({callId}) => ({decision: callId === 'yes' ? 'allow' : 'deny'}),
    });
    const call = {callId: '', toolName: 'bash', permission: 'bash', aliases: {}, sideEffect: 'execute', input: {}} as const;
    const {signal} = new AbortController();
    const given = await Promise.all((stages.preHooks ?? []).map(async (hook) => await hook(call, signal)));
    const request = {...call, subjects: [], decision: {} as never};
    expect([
      given,
      await stages.permissionHook?.({...request, callId: 'yes'}, signal),
      await stages.permissionHook?.({...request, callId: 'no'}, signal),
    ]).toEqual([
      [{input: {a: 1}, context: 'c', permission: undefined, reason: undefined}, {permission: 'ask'}, {deny: 'no'}, undefined],
      undefined,
      {decision: 'deny'},
    ]);
  });
});

describe('exec --allow-domain', () => {
  it('takes the place of the configured hosts, and is checked like them', async () => {
    const {settings, origins} = await sessionOf(WIDE, {'--allow-domain': ['a.example']});
    expect([settings.sandbox.allowed_domains, origins['sandbox.allowed_domains']]).toEqual([
      ['a.example'],
      {source: 'flag', name: '--allow-domain'},
    ]);
    await expect(sessionOf(WIDE, {'--allow-domain': ['https://a.example/']})).rejects.toMatchObject({
      code: 'CONFIG',
      message:
        '--allow-domain: sandbox.allowed_domains[0] must be the name or the address of a host, or such as "*.example.com", without scheme, port and path, not "https://a.example/"',
    });
  });
});
