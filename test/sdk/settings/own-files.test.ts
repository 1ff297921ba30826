import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {judgeCall} from '../../../src/sdk/tools/judge-call.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {withHome} from '../../../src/sdk/settings/own-files.ts';
import {scratch} from '../../support/scratch.ts';

/** Decisions on writes of an agent that may do everything. */
async function judged(calls: readonly (readonly [string, string, object])[]): Promise<string[]> {
  const root = await scratch({'work/a.txt': '', 'work/tools/x.ts': '', 'elsewhere/y.ts': ''});
  const home = join(root, 'home');
  await mkdir(home);
  await symlink(join(root, 'elsewhere'), join(root, 'linked'));
  const config = `tool_paths = [${['work/tools/', 'work/later', 'linked'].map((path) => JSON.stringify(join(root, path))).join(', ')}]`;
  await writeFile(join(home, 'config.toml'), config);
  const session = await loadSettings({cwd: join(root, 'work'), env: {FETTLE_HOME: home}, home, flags: {'--mode': 'full-auto'}});
  const verdicts: string[] = [];
  for (const [, tool, input] of calls) {
    const filled = JSON.parse(JSON.stringify(input).replaceAll('<root>', root)) as Record<string, string>;
    verdicts.push((await judgeCall({session, tool, input: filled})).verdict);
  }
  return verdicts;
}

describe('an agent cannot widen its own permissions without a question, in any mode (CVE-2025-53773, CVE-2026-25725)', () => {
  const write = (path: string): [string, object] => ['write', {path, content: ''}];
  const cases: readonly (readonly [string, string, object, string])[] = [
    ['an ordinary file', ...write('a.txt'), 'allow'],
    ['a tool in the workspace', ...write('tools/x.ts'), 'ask'],
    ['a tool that is edited', 'edit', {path: 'tools/x.ts', old_string: 'a', new_string: 'b'}, 'ask'],
    ['a new one, deeper', ...write('tools/deep/new.ts'), 'ask'],
    ['in a folder that does not exist yet', ...write('later/new.ts'), 'ask'],
    ['through a link', ...write('<root>/linked/y.ts'), 'ask'],
    ['where the link leads', ...write('<root>/elsewhere/y.ts'), 'ask'],
    ['the configuration', ...write('<root>/home/config.toml'), 'ask'],
    ['the tools folder of the user', ...write('<root>/home/tools/new.ts'), 'ask'],
    ['a scheduled job', ...write('<root>/home/schedule/mine.toml'), 'ask'],
    ['the variables of scheduled jobs', ...write('<root>/home/schedule.env'), 'ask'],
    ['what was accepted for scheduled jobs', ...write('<root>/home/state/schedule/projects/mine.json'), 'ask'],
    ['what the person trusts', ...write('<root>/home/state/trust/x.json'), 'ask'],
    ['the outcomes that it learns from', ...write('<root>/home/state/optimization/ledger.sqlite'), 'ask'],
    ['a log of a session', ...write('<root>/home/state/sessions/2026-01-01/thr_1.jsonl'), 'ask'],
    ['what is known of servers', ...write('<root>/home/state/mcp-known/x.json'), 'ask'],
    ['a redirect of a command', 'bash', {command: 'echo x > tools/x.ts'}, 'ask'],
    ['a folder with a similar name', ...write('tools-old/x.ts'), 'allow'],
  ];

  it('asks for what Fettle itself loads or runs', async () => {
    const verdicts = await judged(cases.map(([name, tool, input]) => [name, tool, input]));
    expect(cases.map(([name], index) => `${name}: ${verdicts[index]}`)).toEqual(cases.map(([name, , , verdict]) => `${name}: ${verdict}`));
  });
});

describe('withHome', () => {
  it.each([
    ['~', '/h'],
    ['~/tools', '/h/tools'],
    ['/x/../tools/', '/tools'],
  ])('%s', (path, expected) => {
    expect(withHome(path, '/h')).toBe(expected);
  });
});
