import {relative} from 'node:path/posix';
import {describe, expect, it} from 'vitest';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import type {Mode, Policy, Rule, Subject} from '../../../src/policy/decision.ts';
import type {Machine} from '../../../src/policy/places/machine-places.ts';

const MACHINE: Machine = {homes: ['/data/ann'], programFolders: ['/data/ann/bin', '/srv/tools/bin']};
const ALLOWED: Rule = {text: 'bash:*', effect: 'allow', source: 'user'};

async function verdicts(root: string, path: string, mode: Mode, rules: readonly Rule[] = []): Promise<[string, string]> {
  const policy: Policy = {mode, rules, fallback: 'ask', machine: MACHINE};
  const below = relative(root, path);
  const file: Subject = {kind: 'path', path, relative: below, inside: true, write: true};
  const tool = await decide({toolNames: ['write'], sideEffect: 'write', subjects: [file]}, policy);
  const lines = [`cp a ${path}`, `echo x > ${path}`, `cd ${root} && touch ${below}`, `tee ${path} < a`];
  const shell = await Promise.all(
    lines.map(async (command) => {
      const subjects: readonly Subject[] = [{kind: 'command', command, cwd: root, workspace: root}];
      return await decide({toolNames: ['bash'], sideEffect: 'execute', subjects}, {...policy, rules: [...rules, ALLOWED]});
    }),
  );
  return [`${tool.verdict}: ${tool.reason}`, [...new Set(shell.map(({verdict}) => verdict))].join(' ')];
}

describe('a workspace that holds places of the machine does not take their guard (issue 13 › 6)', () => {
  const SYSTEM = 'it belongs to the system';
  const PERSON = 'it steers the programs of this person';
  const PROGRAM = 'a program there is run by its name';
  it.each([
    ['/', '/etc/passwd', SYSTEM],
    ['/', '/etc/cron.d/x', SYSTEM],
    ['/', '/usr/bin/env', SYSTEM],
    ['/', '/usr/local/src/p/a.c', SYSTEM],
    ['/', '/boot/grub/grub.cfg', SYSTEM],
    ['/', '/opt/app/run', SYSTEM],
    ['/', '/var/spool/cron/root', SYSTEM],
    ['/', '/lib/systemd/system/x.service', SYSTEM],
    ['/', '/dev/sda', SYSTEM],
    ['/', '/home/ann/.config/systemd/user/x.service', PERSON],
    ['/', '/home/ann/.config/autostart/run', PERSON],
    ['/', '/root/.local/bin/x', SYSTEM],
    ['/', '/data/ann/.config/systemd/user/x.service', PERSON],
    ['/', '/data/ann/bin/ls', PROGRAM],
    ['/', '/srv/tools/bin/ls', PROGRAM],
    ['/home', '/home/ann/.config/systemd/user/x.service', PERSON],
    ['/home/ann', '/home/ann/.config/systemd/user/x.service', PERSON],
    ['/home/ann', '/home/ann/.local/share/applications/x', PERSON],
    ['/data/ann', '/data/ann/.config/systemd/user/x.service', PERSON],
    ['/data/ann', '/data/ann/bin/ls', PROGRAM],
    ['/Users/ann', '/Users/ann/Library/LaunchAgents/x.plist', PERSON],
    ['/home/ann/.config', '/home/ann/.config/systemd/user/x.service', PERSON],
    ['/home/ann/.config/systemd', '/home/ann/.config/systemd/user/x.service', PERSON],
    ['/home/ann/.ssh', '/home/ann/.ssh/config', '.ssh is loaded by another program'],
    ['/home/ann/p/.git', '/home/ann/p/.git/config', '.git is loaded by another program'],
    ['/home/ann/p/.git/hooks', '/home/ann/p/.git/hooks/x', '.git is loaded by another program'],
    ['/home/ann/p/.github', '/home/ann/p/.github/workflows/x.yml', 'the CI runs it with its secrets, or agents load it'],
    ['/etc', '/etc/passwd', SYSTEM],
    ['/etc/systemd/system', '/etc/systemd/system/x.service', SYSTEM],
    ['/usr', '/usr/bin/env', SYSTEM],
    ['/usr/local', '/usr/local/src/p/a.c', SYSTEM],
    ['/usr/local/bin', '/usr/local/bin/x', SYSTEM],
    ['/opt', '/opt/app/run', SYSTEM],
    ['/var', '/var/lib/x/y', SYSTEM],
    ['/var/lib', '/var/lib/x/y', SYSTEM],
    ['/srv', '/srv/tools/bin/ls', PROGRAM],
    ['/srv/tools/bin', '/srv/tools/bin/ls', PROGRAM],
  ])('%s as the workspace: %s is asked about', async (root, path, reason) => {
    const shown = relative(root, path);
    for (const mode of ['accept-edits', 'full-auto'] as const) {
      expect(await verdicts(root, path, mode)).toEqual([`ask: ${shown}: ${reason}`, 'ask']);
    }
    const wide: Rule = {text: 'write:*', effect: 'allow', source: 'user'};
    const exact: Rule = {text: `write:${shown}`, effect: 'allow', source: 'user'};
    expect((await verdicts(root, path, 'full-auto', [wide]))[0]).toBe(`ask: ${shown}: ${reason}`);
    expect((await verdicts(root, path, 'full-auto', [exact]))[0]).toBe(`allow: ${shown} is allowed by write:${shown} (user)`);
  });

  it.each([
    ['/usr/local/src/p', '/usr/local/src/p/a.c'],
    ['/usr/src/linux', '/usr/src/linux/kernel/fork.c'],
    ['/opt/app', '/opt/app/src/a.js'],
    ['/var/lib/jenkins/p', '/var/lib/jenkins/p/a.js'],
    ['/home/ann', '/home/ann/notes.md'],
    ['/home/ann/p', '/home/ann/p/src/a.js'],
    ['/home/ann/.config/nvim', '/home/ann/.config/nvim/init.lua'],
    ['/home/ann/.dotfiles', '/home/ann/.dotfiles/readme.md'],
    ['/data/ann', '/data/ann/bin/deeper/file'],
    ['/srv/tools', '/srv/tools/readme.md'],
    ['/', '/srv/p/a.js'],
    ['/', '/tmp/a.js'],
    ['/', '/home/ann/p/etc/a.js'],
  ])('%s as the workspace: %s is an ordinary file', async (root, path) => {
    const shown = relative(root, path);
    expect(await verdicts(root, path, 'accept-edits')).toEqual([`allow: ${shown}: mode accept-edits`, 'allow']);
  });
});
