import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeCall} from '../../../src/sdk/tools/judge-call.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {toolRuleNotices, toolRules} from '../../../src/sdk/settings/tool-rules.ts';
import {scratch} from '../../support/scratch.ts';

async function session(config: string) {
  const root = await scratch({'home/config.toml': config, 'work/a.txt': ''});
  const home = join(root, 'home');
  return await loadSettings({cwd: join(root, 'work'), env: {FETTLE_HOME: home}, home});
}

describe('[tools.<name>] is rules with their places (vibe tool system › Permission Levels, Tool Permission Flow)', () => {
  it('denylist, permission, allowlist', async () => {
    const loaded = await session(
      '[tools.bash]\npermission = "always"\ndenylist = ["curl *"]\n[tools.word_count]\nallowlist = ["docs/*", "*.md"]\n[tools.edit]\npermission = "never"\n[tools.read]\npermission = "ask"\n',
    );
    const file = join(loaded.paths.configFile);
    expect(toolRules(loaded).map(({text, effect, source}) => `${effect} ${text} ${source.replace(file, 'F')}`)).toEqual([
      'deny bash:curl * F:3',
      'allow bash F:2',
      'allow word_count:docs/* F:5',
      'allow word_count:*.md F:5',
      'deny edit F:7',
      'ask read F:9',
    ]);
  });

  it.each<[string, string, object, string]>([
    ['always', '[tools.bash]\npermission = "always"', {command: 'make all'}, 'allow rule:bash'],
    ['never', '[tools.bash]\npermission = "never"', {command: 'ls'}, 'deny rule:bash'],
    ['ask', '[tools.bash]\npermission = "ask"', {command: 'ls'}, 'ask rule:bash'],
    [
      'a denied part beats always',
      '[tools.bash]\npermission = "always"\ndenylist = ["curl *"]',
      {command: 'ls; curl x'},
      'deny rule:bash:curl *',
    ],
    ['a listed command', '[tools.bash]\nallowlist = ["make *"]', {command: 'make all'}, 'allow rule:bash:make *'],
    ['an unlisted one is left to the mode', '[tools.bash]\nallowlist = ["make *"]', {command: 'deploy'}, 'ask default'],
    [
      'no rule of a table touches what is built in (reference trap 1)',
      '[tools.bash]\ndenylist = ["x"]',
      {command: 'ls'},
      'allow rule:bash:ls *',
    ],
  ])('%s', async (_, config, input, decision) => {
    const {verdict, decidedBy} = await judgeCall({session: await session(config), tool: 'bash', input: input as never});
    expect(`${verdict} ${decidedBy}`).toBe(decision);
  });

  it('an allowlist beside "ask" is said to have no effect', async () => {
    const loaded = await session('[tools.bash]\npermission = "ask"\nallowlist = ["make *"]');
    expect(toolRuleNotices(loaded)).toEqual([
      'tools.bash.allowlist: has no effect beside permission = "ask"; leave that out, and what is not listed is asked about in the mode "ask"',
    ]);
  });
});
