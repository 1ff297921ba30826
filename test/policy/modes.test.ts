import {describe, expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Mode, PermissionRequest, Rule} from '../../src/policy/decision.ts';

const path = (name: string, write: boolean): PermissionRequest => {
  const inside = !name.startsWith('/');
  const subject = {kind: 'path', path: inside ? `/repo/${name}` : name, relative: inside ? name : `..${name}`, inside, write} as const;
  return {toolNames: [write ? 'write' : 'read'], sideEffect: write ? 'write' : 'read', subjects: [subject]};
};
const shell = (command: string): PermissionRequest => ({
  toolNames: ['bash'],
  sideEffect: 'execute',
  subjects: [{kind: 'command', command, cwd: '/repo', workspace: '/repo'}],
});
const name = (tool: string, sideEffect: PermissionRequest['sideEffect']): PermissionRequest => ({
  toolNames: [tool],
  sideEffect,
  subjects: [{kind: 'name', name: 'example.org'}],
});

const SUBJECTS: Readonly<Record<string, PermissionRequest>> = {
  'read inside': path('src/a.ts', false),
  'read outside': path('/tmp/a', false),
  'read a secret': path('/home/u/.ssh/id_rsa', false),
  'write inside': path('src/a.ts', true),
  'write outside': path('/tmp/a', true),
  'write protected': path('.git/config', true),
  'write denied': path('secret.pem', true),
  'write asked about': path('asked.md', true),
  'command, no rule': shell('rm x'),
  'command, allowed': shell('npm test'),
  'command, denied': shell('sudo id'),
  'command, asked about': shell('git push'),
  'command, denied part': shell('npm test && sudo id'),
  'command, denied in $()': shell('npm test $(sudo id)'),
  'command, perhaps denied': shell('$x id'),
  'redirect to protected': shell('npm test > .git/hooks/pre-commit'),
  'redirect inside': shell('npm test > out.txt'),
  network: name('web_fetch', 'network'),
  'tool that executes': name('mcp__x__y', 'execute'),
};

const rules: readonly Rule[] = [
  {text: 'bash:npm test *', effect: 'allow', source: 'user'},
  {text: 'bash:sudo *', effect: 'deny', source: 'user'},
  {text: 'bash:git push *', effect: 'ask', source: 'user'},
  {text: 'write:*.pem', effect: 'deny', source: 'user'},
  {text: 'write:asked.md', effect: 'ask', source: 'user'},
];

describe('modes (design › permissions: no mode overrides a deny)', () => {
  it('each kind of subject in each mode', async () => {
    const modes: readonly Mode[] = ['plan', 'ask', 'accept-edits', 'full-auto'];
    const rows = await Promise.all(
      Object.entries(SUBJECTS).map(async ([label, request]) => {
        const verdicts = await Promise.all(modes.map(async (mode) => (await decide(request, {mode, rules, fallback: 'ask'})).verdict));
        return `${label.padEnd(24)} ${verdicts.join(' ')}`;
      }),
    );
    expect(`\n${rows.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      read inside              allow allow allow allow
      read outside             ask ask ask allow
      read a secret            ask ask ask allow
      write inside             deny ask allow allow
      write outside            deny ask ask allow
      write protected          deny ask ask ask
      write denied             deny deny deny deny
      write asked about        deny ask ask ask
      command, no rule         deny ask ask allow
      command, allowed         deny allow allow allow
      command, denied          deny deny deny deny
      command, asked about     deny ask ask ask
      command, denied part     deny deny deny deny
      command, denied in $()   deny deny deny deny
      command, perhaps denied  deny ask ask ask
      redirect to protected    deny ask ask ask
      redirect inside          deny ask allow allow
      network                  ask ask ask allow
      tool that executes       deny ask ask allow
      "
    `);
  });

  it.each(['ls | xargs rm -rf', 'rm -rf "$DIR"', 'find . -exec rm -rf {} +', 'rm -rf *'])(
    'full-auto does not run what a deny rule may forbid, nobody knows it yet: %s (issue 4.5)',
    async (command) => {
      const deny: Rule = {text: 'bash:rm -rf /*', effect: 'deny', source: 'default'};
      expect((await decide(shell(command), {mode: 'full-auto', rules: [deny], fallback: 'ask'})).verdict).toBe('ask');
    },
  );

  it('accept-edits runs no command that ask would ask about', async () => {
    for (const command of ['rm x', 'touch x', 'npm install', 'python3 x.py', 'npm test; rm x']) {
      expect((await decide(shell(command), {mode: 'accept-edits', rules, fallback: 'ask'})).verdict, command).toBe('ask');
    }
  });
});
