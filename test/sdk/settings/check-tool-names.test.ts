import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {checkSettings} from '../../../src/sdk/settings/check-settings.ts';
import {judgeCall} from '../../../src/sdk/tools/judge-call.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openTools} from '../../../src/sdk/tools/open-tools.ts';
import {sessionHooks} from '../../../src/sdk/hooks/open-hooks.ts';
import {sessionProfiles} from '../../../src/sdk/settings/session-profiles.ts';
import {storeRule} from '../../../src/sdk/settings/store-rule.ts';
import {scratch} from '../../support/scratch.ts';
import {toolFile, useTools} from '../../tools/custom/run-tools.ts';

const RULED = 'design › permissions: a rule for a name that no tool can have is an error in deny and ask, a warning in allow';

async function place(files: Readonly<Record<string, string>> = {}) {
  const root = await scratch({'work/a.txt': '', ...files});
  const home = join(root, 'home');
  const request = {cwd: join(root, 'work'), env: {FETTLE_HOME: home}, home};
  return {root, request};
}

async function problemOf(run: () => Promise<unknown>, root: string): Promise<unknown> {
  try {
    await run();
    return 'no problem';
  } catch (thrown) {
    return isFettleError(thrown) ? [thrown.code, thrown.message.replaceAll(`${root}/`, '')] : thrown;
  }
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

describe(RULED, () => {
  it.each([
    ['bsh:x', 'no tool is called bsh; did you mean bash?'],
    ['Edti:a.js', 'no tool is called Edti; did you mean edit?'],
    ['frobnicate_all', 'no tool is called frobnicate_all; `fettle tools list --all` shows the names'],
    ['my*', 'no tool is called my*; `fettle tools list --all` shows the names'],
    ['re:bsh|foo:x', 'no tool is called re:bsh|foo; `fettle tools list --all` shows the names'],
    ['blade_read:x', 'no tool is called blade_read; `fettle tools list --all` shows the names'],
  ])('--deny, --ask and --allow %s', async (text, why) => {
    const {request, root} = await place();
    const shown = JSON.stringify(text);
    const load = (flag: '--deny' | '--ask') => problemOf(async () => await loadSettings({...request, flags: {[flag]: [text]}}), root);
    expect(await load('--deny')).toEqual(['CONFIG', `--deny: the rule ${shown} denies nothing: ${why}`]);
    expect(await load('--ask')).toEqual(['CONFIG', `--ask: the rule ${shown} asks about nothing: ${why}`]);
    expect((await loadSettings({...request, flags: {'--allow': [text]}})).notices).toEqual([
      `--allow: the rule ${shown} allows nothing: ${why}`,
    ]);
  });

  it.each(
    wordsOf(`
      bash:x Edit:a.js shell WebFetch:* MultiEdit run_shell_command Read:* KillShell mcp__a__b mcp__* * m* *_file symbol_search apply_edit
      fs.read:src/* exec.shell:npm edit.* blade__apply_patch vtcode__exec_session blade__symbol_search unified_exec unified_file
      get_project_index_* re:Web.* re:.* my_tool MyTool:x other keep mcp_resources
    `),
  )('known in deny: %s', async (text) => {
    const {request} = await place({'home/tools/my-tool.ts': '', 'work/.fettle/tools/deep/other.mjs': ''});
    expect((await loadSettings({...request, flags: {'--deny': [text]}})).rules.map((rule) => rule.text)).toEqual([text]);
  });

  it('a name that stands in the file of a tool', async () => {
    const files = {'home/tools/b.ts': toolFile('yes', "name: 'ship',")};
    const {notices, results} = await useTools(files, {calls: [['ship', {}]], flags: {'--deny': ['ship'], '--allow': ['shipp']}});
    expect([notices, results.map(({outcome}) => outcome)]).toEqual([[], ['denied']]);
  });

  it('config files, tables of tools and what is switched off, with file and line', async () => {
    const config =
      '[permissions]\ndeny = ["bash:rm *", "bsh:*"]\nallow = ["Edti"]\n[tools.wrte]\npermission = "never"\n[tools.grp]\nallowlist = ["a"]\n';
    const {request, root} = await place({'home/config.toml': `disabled_tools = ["Wite"]\n${config}`});
    expect(await problemOf(async () => await loadSettings(request), root)).toEqual([
      'CONFIG',
      [
        'home/config.toml:3: the rule "bsh:*" denies nothing: no tool is called bsh; did you mean bash?',
        'home/config.toml:1: "Wite" in disabled_tools fits nothing: no tool is called Wite; did you mean write?',
        'home/config.toml:6: the rule "wrte" denies nothing: no tool is called wrte; did you mean write?',
      ].join('\n'),
    ]);
  });

  it('stored rules: permissions add stores nothing, and a file that was written by hand does not count', async () => {
    const {request, root} = await place();
    const session = await loadSettings(request);
    expect(await problemOf(async () => await storeRule(session, {text: 'bsh:*', effect: 'deny', everywhere: true}), root)).toEqual([
      'CONFIG',
      'permissions add: the rule "bsh:*" denies nothing: no tool is called bsh; did you mean bash?',
    ]);
    expect(await storeRule(session, {text: 'bsh:*', effect: 'allow', everywhere: true})).toEqual([
      'permissions add: the rule "bsh:*" allows nothing: no tool is called bsh; did you mean bash?',
    ]);
    const other = await place({'home/permissions.toml': '[[rules]]\nrule = "wrte:x"\neffect = "ask"\n'});
    const opened = await loadSettings(other.request);
    expect(await problemOf(async () => await openTools({session: opened, spoolDir: other.root}), other.root)).toEqual([
      'CONFIG',
      'home/permissions.toml:1: the rule "wrte:x" asks about nothing: no tool is called wrte; did you mean write?',
    ]);
  });

  it('a stored rule that allows nothing is told of when tools are opened', async () => {
    const {request, root} = await place({'home/permissions.toml': '[[rules]]\nrule = "wrte:x"\neffect = "allow"\n'});
    const {notices, endJobs} = await openTools({session: await loadSettings(request), spoolDir: root});
    await endJobs();
    expect(notices.map((notice) => notice.replace(`${root}/`, ''))).toEqual([
      'home/permissions.toml:1: the rule "wrte:x" allows nothing: no tool is called wrte; did you mean write?',
    ]);
  });

  it('profiles: rules and names', async () => {
    const profile =
      '---\nname: a\ndescription: b\ndisallowed_tools: Shell, Bsh\ntools: Read, Fooo\npermissions:\n  deny: ["bsh:*"]\n---\nhi\n';
    const {request, root} = await place({'home/agents/a.md': profile});
    const {own, problems} = await sessionProfiles(await loadSettings(request));
    expect([own, problems.map((problem) => problem.replace(`${root}/`, ''))]).toEqual([
      [],
      [
        'home/agents/a.md:6: the rule "bsh:*" denies nothing: no tool is called bsh; did you mean bash?; the profile is not used',
        'home/agents/a.md:4: "Bsh" in disallowed_tools fits nothing: no tool is called Bsh; did you mean bash?; the profile is not used',
        'home/agents/a.md:5: "Fooo" in tools fits nothing: no tool is called Fooo; did you mean todo?',
      ],
    ]);
  });

  it('hooks and middleware', async () => {
    const hooks = {
      PreToolUse: [{matcher: 'Bsh|Edit|run_shell_command|mcp__.*', command: 'true'}],
      PostToolUse: [
        {matcher: 'Notebook.*|(?:Bash|Foo)', command: 'true'},
        {matcher: 'Wrte', command: 'true'},
      ],
      SessionStart: [{matcher: 'startup', command: 'true'}],
    };
    const {request, root} = await place({'home/hooks.json': JSON.stringify(hooks).replace('|mcp__.*', '')});
    const session = await loadSettings(request);
    expect(await problemOf(async () => await sessionHooks(session), root)).toEqual([
      'CONFIG',
      'home/hooks.json: PreToolUse[0].matcher: the matcher "Bsh" fits nothing: no tool is called Bsh; did you mean bash?',
    ]);
    const other = await place({'home/hooks.json': JSON.stringify({...hooks, PreToolUse: []})});
    const {notices} = await sessionHooks(await loadSettings(other.request));
    expect(notices.map((notice) => notice.replace(`${other.root}/`, ''))).toEqual([
      'home/hooks.json: PostToolUse[1].matcher: the matcher "Wrte" fits nothing: no tool is called Wrte; did you mean write?',
    ]);
    const plain = await place();
    const middleware = {name: 'guard', tools: ['Bsh', 'Bash']};
    expect(await problemOf(async () => await sessionHooks(await loadSettings(plain.request), [middleware]), plain.root)).toEqual([
      'CONFIG',
      'guard: "Bsh" in tools fits nothing: no tool is called Bsh; did you mean bash?',
    ]);
  });

  it('a policy that is handed in', async () => {
    const {request, root} = await place();
    const session = await loadSettings(request);
    const call = async () => await judgeCall({session, tool: 'bash', input: {command: 'ls'}, policy: {deny: ['bsh:*']}});
    expect(await problemOf(call, root)).toEqual([
      'CONFIG',
      'policy: the rule "bsh:*" denies nothing: no tool is called bsh; did you mean bash?',
    ]);
  });

  it('config check names every mistake together', async () => {
    const {request, root} = await place({
      'home/config.toml':
        'toolset = "vib"\nmodel = 5\n[permissions]\ndney = ["bash:rm *"]\n[[hooks.pre_tool_use]]\nmatcher = "Bsh"\ncommand = "true"\n[permission]\ndeny = ["bash:x"]\n',
      'home/permissions.toml': '[[rules]]\nrule = "wrte:x"\neffect = "deny"\n',
    });
    const {problems} = await checkSettings(request);
    expect(problems.map((problem) => problem.replace(`${root}/`, ''))).toEqual([
      'home/config.toml:2: model must be `provider/model`, `script:FILE` or `replay:FILE`, or `auto`: one of `optimization.models`, not 5',
      'home/config.toml:4: unknown key permissions.dney; did you mean permissions.deny?',
      'home/config.toml:8: unknown key permission; did you mean permissions?',
      'There is no toolset "vib".',
      'home/permissions.toml:1: the rule "wrte:x" denies nothing: no tool is called wrte; did you mean write?',
      'home/config.toml: pre_tool_use[0].matcher: the matcher "Bsh" fits nothing: no tool is called Bsh; did you mean bash?',
    ]);
  });
});

describe('what other agents call a tool has effect', () => {
  it('switched off by the name of another agent', async () => {
    const {request, root} = await place({'home/config.toml': 'disabled_tools = ["run_shell_command", "MultiEdit"]\n'});
    const {toolset, endJobs} = await openTools({session: await loadSettings(request), spoolDir: root});
    await endJobs();
    const all = [...toolset.tools, ...((await toolset.deferred?.()) ?? [])];
    expect(all.filter(({permission}) => permission === 'bash' || permission === 'edit').map(({name}) => name)).toEqual([]);
    expect(toolset.refusal?.('bash')).toBe('bash is switched off: disabled_tools has "run_shell_command"');
  });
});
