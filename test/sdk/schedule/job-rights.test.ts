import {join} from 'node:path';
import {expect, it} from 'vitest';
import {addGrant, grantsFile} from '../../../src/config/grants.ts';
import {jobRights, rightsLeftOut} from '../../../src/sdk/schedule/job-rights.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {scratch} from '../../support/scratch.ts';

const CONFIG = `model = "ollama/a"
mode = "accept-edits"
[permissions]
allow = ["bash:make *"]
deny = ["bash:curl *"]
ask = ["bash:git push *"]
[tools.edit]
permission = "ask"
denylist = ["*.pem"]
[tools.bash]
allowlist = ["make *", "ls"]
[limits]
max_turns = 7
[sandbox]
network = true
allowed_domains = ["a.example"]
writable = ["/var/cache"]
[web_fetch]
private_hosts = ["localhost"]
`;

it('the rights of a job are those of a run now: configuration, stored rules, tables of tools, and flags on top', async () => {
  const root = await scratch({'home/config.toml': CONFIG, 'work/x': ''});
  const home = join(root, 'home');
  await addGrant(grantsFile(home), {text: 'bash:npm test *', effect: 'allow', project: join(root, 'work')});
  await addGrant(grantsFile(home), {text: 'bash:elsewhere', effect: 'allow', project: '/elsewhere'});
  const flags = {'--mode': 'full-auto', '--allow': ['bash:x'], '--max-cost': '0.5', '--allow-domain': ['b.example']};
  const session = await loadSettings({cwd: join(root, 'work'), home, env: {FETTLE_HOME: home}, flags});
  expect(await jobRights(session, ['npm test'])).toEqual({
    model: 'ollama/a',
    toolset: 'fettle',
    mode: 'full-auto',
    sandbox: 'workspace-write',
    allow: ['bash:x', 'bash:make *', 'bash:npm test *', 'bash:ls'],
    ask: ['bash:git push *', 'edit'],
    deny: ['bash:curl *', 'edit:*.pem'],
    domains: ['b.example'],
    verify: ['npm test'],
    maxTurns: 7,
    maxTokens: 5_000_000,
    maxCostUsd: 0.5,
    maxTimeS: 3600,
  });
  expect(rightsLeftOut(session)).toEqual([
    'sandbox.network does not count for jobs: commands in the sandbox reach the hosts of --allow-domain',
    'sandbox.writable does not count for jobs: commands in the sandbox write below the workspace',
    'web_fetch.private_hosts does not count for jobs',
  ]);
});
