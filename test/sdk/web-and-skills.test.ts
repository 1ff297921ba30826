import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import {loadSettings} from '../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../src/sdk/settings/session-settings.ts';
import {openTools} from '../../src/sdk/tools/open-tools.ts';
import {webAccess} from '../../src/sdk/settings/web-access.ts';
import {advertisedTools} from '../../src/tools/toolsets/advertised-tools.ts';
import {createDispatcher} from '../../src/tools/dispatch/dispatcher.ts';
import type {AskUser} from '../../src/tools/ports/user-questions.ts';
import {scratch} from '../support/scratch.ts';

const SKILL = '---\nname: demo\ndescription: A demo.\n---\nDo it.\n';

async function session(files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}): Promise<SessionSettings> {
  const root = await scratch({'work/a.txt': 'a\n', ...files});
  return await loadSettings({cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'config'), ...env}});
}

async function opened(given: SessionSettings) {
  const tools = await openTools({session: given, spoolDir: join(given.cwd, '../spool')});
  const shown = advertisedTools(tools.toolset, {
    model: 'x/y',
    compositeTools: true,
    hasPerson: true,
    capabilities: tools.dispatcher.context.capabilities,
  }).map(({name}) => name);
  const call = async (name: string, args: object, askUser?: AskUser) => {
    const dispatcher = createDispatcher({...tools.dispatcher, context: {...tools.dispatcher.context, askUser}});
    const {outcome, text} = await dispatcher.dispatch({id: 'c', name, arguments: JSON.stringify(args)}, new AbortController().signal);
    return {outcome, text};
  };
  return {tools, call, shown: ['skill', 'exit_plan_mode', 'web_fetch', 'web_search'].filter((name) => shown.includes(name))};
}

const yes: AskUser = async (questions) => ({
  answers: questions.map(({question, options}) => ({question, answer: options[0]?.label ?? '', isOther: false})),
  cancelled: false,
});

describe('tools that need something are shown where it is', () => {
  it('vibe: without skills, plan or search engine only pages can be fetched; calls of the others say what is missing', async () => {
    const {shown, call} = await opened(await session({}, {FETTLE_TOOLSET: 'vibe'}));
    expect(shown).toEqual(['web_fetch']);
    expect((await call('web_search', {query: 'x'})).text).toMatch(/^<tool_error>web_search failed: No search engine is configured\./);
    expect((await call('skill', {name: 'demo'})).text).toMatch(/^<tool_error>skill failed: No skills are available\./);
    expect((await call('exit_plan_mode', {})).text).toMatch(/^<tool_error>exit_plan_mode failed: Plan mode is not active/);
  });

  it('vibe: with all of them', async () => {
    const files = {'config/config.toml': 'mode = "plan"\n[web_search]\nprovider = "brave"\n', 'home/.agents/skills/demo/SKILL.md': SKILL};
    const {shown, call} = await opened(await session(files, {FETTLE_TOOLSET: 'vibe'}));
    expect(shown).toEqual(['skill', 'exit_plan_mode', 'web_fetch', 'web_search']);
    expect(await call('skill', {name: 'demo'})).toEqual({
      outcome: 'success',
      text: '<skill_content name="demo">\nDo it.\n</skill_content>',
    });
  });

  it('fettle: tool_search finds web_fetch, and web_search only where a search engine is configured', async () => {
    const plain = await opened(await session());
    expect(plain.shown).toEqual([]);
    const found = async ({call}: typeof plain) =>
      [...(await call('tool_search', {query: 'web'})).text.matchAll(/^(web_\w+):/gm)].map(([, name]) => name);
    expect(await found(plain)).toEqual(['web_fetch']);
    const configured = await session({'config/config.toml': '[web_search]\nprovider = "searxng"\nbase_url = "http://localhost:8080"\n'});
    expect(await found(await opened(configured))).toEqual(['web_fetch', 'web_search']);
  });
});

describe('skills of a session', () => {
  it('are those of the user, and those of a project only where it is trusted', async () => {
    const files = {
      'config/skills/mine/SKILL.md': SKILL.replace('demo', 'mine'),
      'work/.fettle/skills/demo/SKILL.md': SKILL,
      'work/.agents/skills/other/SKILL.md': SKILL.replace('demo', 'other'),
    };
    const given = await session(files);
    expect(given.trusted).toBe(false);
    const names = async (of: SessionSettings) => (await opened(of)).tools.skills.map(({name}) => name);
    expect(await names(given)).toEqual(['mine']);
    const {cwd, home, env} = given;
    const trusted = await loadSettings({cwd, home, env, trust: 'here'});
    expect(await names(trusted)).toEqual(['mine', 'demo', 'other']);
    // What comes after the trust is not part of it, and what was changed is used as it was.
    await mkdir(join(cwd, '.agents/skills/late'));
    await writeFile(join(cwd, '.agents/skills/late/SKILL.md'), SKILL.replace('demo', 'late'));
    await writeFile(join(cwd, '.fettle/skills/demo/SKILL.md'), SKILL.replace('Do it.', 'Steal it.'));
    const {tools, call} = await opened(trusted);
    expect(tools.skills.map(({name}) => name)).toEqual(['mine', 'demo', 'other']);
    expect((await call('skill', {name: 'demo'})).text).toBe('<skill_content name="demo">\nDo it.\n</skill_content>');
  });

  it('in a folder below the root of a project, those of the root', async () => {
    const files = {
      'work/.git/HEAD': 'ref: refs/heads/main\n',
      'work/.agents/skills/demo/SKILL.md': SKILL,
      'work/sub/.agents/skills/evil/SKILL.md': SKILL,
    };
    const {cwd, home, env} = await session(files);
    const {tools} = await opened(await loadSettings({cwd: join(cwd, 'sub'), home, env, trust: 'here'}));
    expect(tools.skills.map(({folder}) => folder.slice(cwd.length + 1))).toEqual(['.agents/skills/demo']);
  });

  it('a broken one is a notice; with the tool switched off there are none', async () => {
    const files = {'config/skills/bad/SKILL.md': 'x', 'config/skills/demo/SKILL.md': SKILL};
    const given = await session(files);
    const {tools} = await opened(given);
    expect(tools.notices).toEqual([
      `${join(given.paths.configDir, 'skills/bad')}: not used: it does not begin with front matter between lines of ---`,
    ]);
    const off = await opened({...given, settings: {...given.settings, disabled_tools: ['skill']}});
    expect({skills: off.tools.skills, shown: off.shown}).toEqual({skills: [], shown: []});
  });
});

describe('leaving the mode plan', () => {
  const write = {toolNames: ['write'], sideEffect: 'write', subjects: []} as const;

  it('a person who accepts the plan changes what the policy decides, from the next call on', async () => {
    const {tools, call} = await opened(await session({}, {FETTLE_MODE: 'plan'}));
    expect((await decide(write, tools.policy())).verdict).toBe('deny');
    expect((await call('write', {path: 'b.txt', content: 'b'})).outcome).toBe('denied');
    expect(await call('exit_plan_mode', {plan: 'Write b.'}, yes)).toEqual({
      outcome: 'success',
      text: 'The user accepted the plan. The mode is accept-edits now: carry it out.',
    });
    expect(tools.policy().mode).toBe('accept-edits');
    expect((await call('write', {path: 'b.txt', content: 'b'})).outcome).toBe('success');
    expect((await call('exit_plan_mode', {}, yes)).outcome).toBe('error');
  });

  it('one who does not changes nothing', async () => {
    const {tools, call} = await opened(await session({}, {FETTLE_MODE: 'plan'}));
    const no: AskUser = async () => ({answers: [{question: '', answer: 'first the tests', isOther: true}], cancelled: false});
    expect((await call('exit_plan_mode', {}, no)).text).toBe('The plan is not accepted: keep planning. They said: first the tests');
    expect(tools.policy().mode).toBe('plan');
  });
});

describe('webAccess', () => {
  it('is what the settings say; keys come from variables and are secrets', async () => {
    const toml = '[web_fetch]\nprivate_hosts = ["localhost"]\n[web_search]\nprovider = "tavily"\napi_key_env = "MY_SEARCH"\n';
    const given = await session({'config/config.toml': toml}, {MY_SEARCH: 'k-0123456789'});
    const {lookup: _, ...access} = webAccess(given, ['s']);
    expect(access).toEqual({
      userAgent: expect.stringMatching(/^fettle\/\d/),
      privateHosts: ['localhost'],
      secrets: ['s'],
      search: {provider: 'tavily', baseUrl: undefined, key: 'k-0123456789', keyVariable: 'MY_SEARCH'},
    });
    expect((await opened(given)).tools.dispatcher.secrets).toContain('k-0123456789');
    const variables = (['brave', 'tavily', 'searxng'] as const).map(
      (provider) => webAccess({settings: {...given.settings, web_search: {provider}}, env: {}}, []).search?.keyVariable,
    );
    expect(variables).toEqual(['BRAVE_SEARCH_API_KEY', 'TAVILY_API_KEY', 'SEARXNG_API_KEY']);
  });

  it.each(['http://localhost', 'localhost:3000', 'a b', '*.example/x', ''])('private_hosts: %j is not a host', async (host) => {
    const problem = await session({'config/config.toml': `[web_fetch]\nprivate_hosts = ["${host}"]\n`}).catch((error: unknown) =>
      String(error),
    );
    expect(problem).toMatch(/private_hosts.*must be the name or the address of one host/s);
  });
});
