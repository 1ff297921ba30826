import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {sharedFettle} from './shared-process.ts';
import {place} from './support.ts';

describe('fettle permissions add, list, remove, explain', () => {
  it('check says what was left out of the settings, beside its answer (issue 4.5)', async () => {
    const at = await place();
    const env = {...at.env, FETTLE_MODLE: 'x'};
    const checked = await sharedFettle({...at, env}, ['permissions', 'check', 'bash', '{"command":"ls"}']);
    expect([checked.code, (JSON.parse(checked.stdout) as Record<string, unknown>)['decision']]).toEqual([0, 'allow']);
    expect(checked.stderr).toContain('FETTLE_MODLE');
  });

  it('a stored rule holds in its project, stands outside of it, and is named with its file and line', async () => {
    const at = await place({'a.txt': ''});
    const other = await place();
    const added = await sharedFettle(at, ['permissions', 'add', 'bash:npm test *']);
    expect([added.code, added.stdout, added.stderr]).toEqual([
      0,
      '',
      `allow bash:npm test *: any \`npm test\` command, except with options that run or write something else\nStored in ${at.home}/permissions.toml for ${at.work}.\n`,
    ]);
    expect(await readdir(at.work)).toEqual(['a.txt']);
    const here = JSON.parse((await sharedFettle(at, ['permissions', 'check', 'bash', '{"command":"npm test -- x"}'])).stdout) as Record<
      string,
      unknown
    >;
    expect([here['decision'], here['rule']]).toEqual([
      'allow',
      {text: 'bash:npm test *', effect: 'allow', source: `${at.home}/permissions.toml:3`},
    ]);
    const there = await sharedFettle({...at, work: other.work}, ['permissions', 'check', 'bash', '{"command":"npm test -- x"}']);
    expect((JSON.parse(there.stdout) as Record<string, unknown>)['decision']).toBe('ask');
    await sharedFettle(at, ['permissions', 'add', 'bash:npm *', '--deny', '--everywhere']);
    expect((await sharedFettle({...at, work: other.work}, ['permissions', 'check', 'bash', '{"command":"npm test"}'])).code).toBe(3);
    const list = (await sharedFettle(at, ['permissions', 'list', '--allow', 'bash:x'])).stdout.split('\n');
    expect(list.filter((line) => line !== '' && !line.endsWith('# default'))).toEqual([
      `deny  bash:npm *  # ${at.home}/permissions.toml:8`,
      'allow bash:x  # --allow',
      `allow bash:npm test *  # ${at.home}/permissions.toml:3`,
    ]);
    expect((await sharedFettle(at, ['permissions', 'remove', 'bash:npm *', '--everywhere'])).code).toBe(0);
    expect((await sharedFettle(at, ['permissions', 'remove', 'bash:npm test *'])).code).toBe(0);
    const gone = await sharedFettle(at, ['permissions', 'remove', 'bash:npm test *']);
    expect([gone.code, gone.stderr.split('\n')[0]]).toEqual([2, `fettle: No rule "bash:npm test *" is stored for ${at.work}.`]);
    expect(await readFile(join(at.home, 'permissions.toml'), 'utf8')).toBe(
      '# Rules stored by Fettle: `fettle permissions list`, `add`, `remove`.\n',
    );
  });

  it('add refuses what is not a rule', async () => {
    const at = await place();
    const {code, stderr} = await sharedFettle(at, ['permissions', 'add', 'bash:']);
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'fettle: The permission rule "bash:" (permissions add) is wrong: it has no pattern.',
    ]);
    expect(await readdir(at.home)).not.toContain('permissions.toml');
  });

  it('explain shows the parse as a tree, with the verdict and the rule of each part', async () => {
    const at = await place();
    const line = 'cd src && timeout 5 git status > out; sh -c "ls; rm x" | cat; echo $(sudo id)';
    const {code, stdout} = await sharedFettle(at, ['permissions', 'explain', '--command', line]);
    expect(code).toBe(3);
    expect(`\n${stdout}`).toMatchInlineSnapshot(`
      "
      deny: sudo id is denied by bash:sudo * (default)
        allow   cd src  → folder src
                cd src: it changes nothing outside the line
        runs    timeout 5 git status > out
          ask     git status  (by timeout)
                  git status: git in another folder loads the configuration there
        runs    sh -c "ls; rm x"
          allow   ls  (by sh)
                  rule bash:ls * (default)
          ask     rm x  (by sh)
                  rm x: no rule allows it
        allow   cat
                rule bash:cat * (default)
        allow   echo $(sudo id)
                rule bash:echo * (default)
          deny    sudo id  (by $(…))
                  rule bash:sudo * (default)
            allow   id  (by $(…) › sudo)
                    rule bash:<commands-that-only-look> (default)
        ask     > out
                src/out: no rule allows this write
      "
    `);
    const json = JSON.parse((await sharedFettle(at, ['permissions', 'explain', 'bash', '{"command":"ls"}', '--json'])).stdout) as unknown;
    expect(json).toEqual({
      decision: 'allow',
      reason: 'ls is allowed by bash:ls * (default)',
      decided_by: 'rule:bash:ls *',
      rule: {text: 'bash:ls *', effect: 'allow', source: 'default'},
      would_allow: null,
      steps: [
        {
          kind: 'command',
          text: 'ls',
          via: [],
          words: ['ls'],
          verdict: 'allow',
          reason: 'ls is allowed by bash:ls * (default)',
          rule: 'bash:ls * (default)',
        },
      ],
    });
    const file = await sharedFettle(at, ['permissions', 'explain', 'write', '{"path":".git/config","content":"x"}']);
    expect(file.stdout.split('\n')[0]).toBe('ask: .git/config: .git is loaded by another program');
  });
});
