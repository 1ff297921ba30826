import {chmod, stat, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {addGrant, grantsFile, readGrants, removeGrant} from '../../src/config/grants.ts';
import {readManagedRules} from '../../src/config/grants-managed.ts';
import {scratch} from '../support/scratch.ts';

describe('stored rules (design › permissions: session and persisted grants)', () => {
  it('are stored once, in a file of their own with mode 0600, and taken out again', async () => {
    const file = grantsFile(join(await scratch(), 'new'));
    await addGrant(file, {text: 'bash:npm test *', effect: 'allow', project: '/repo'});
    await addGrant(file, {text: 'bash:rm *', effect: 'deny', project: undefined});
    await addGrant(file, {text: 'bash:npm test *', effect: 'ask', project: '/repo'});
    expect(await readGrants(file)).toEqual([
      {text: 'bash:rm *', effect: 'deny', project: undefined, source: `${file}:3`},
      {text: 'bash:npm test *', effect: 'ask', project: '/repo', source: `${file}:7`},
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect([
      await removeGrant(file, {text: 'bash:rm *', project: '/repo'}),
      await removeGrant(file, {text: 'bash:rm *', project: undefined}),
      (await readGrants(file)).length,
    ]).toEqual([0, 1, 1]);
  });

  it('any text comes back as it was stored', async () => {
    const file = grantsFile(await scratch());
    await fc.assert(
      fc.asyncProperty(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), async (text, project) => {
        await addGrant(file, {text, effect: 'allow', project});
        expect((await readGrants(file)).map((grant) => [grant.text, grant.project])).toEqual([[text, project]]);
        await removeGrant(file, {text, project});
      }),
      {numRuns: 40},
    );
  });

  it('do not count where others can write them, behind a link, or where they cannot be read', async () => {
    const root = await scratch({
      'open/permissions.toml': '',
      'broken/permissions.toml': 'x = [',
      'odd/permissions.toml': '\n[[rules]]\nrule = "bash:ls"\neffect = "always"\n',
      'flat/permissions.toml': 'rules = 1',
      'link/target': '',
    });
    await chmod(join(root, 'open/permissions.toml'), 0o666);
    await symlink('target', join(root, 'link/permissions.toml'));
    const messageOf = async (folder: string): Promise<string> => {
      const file = grantsFile(join(root, folder));
      return await readGrants(file).then(
        () => 'obeyed',
        (thrown: unknown) => String(thrown).replace(`${root}/`, ''),
      );
    };
    expect([await messageOf('open'), await messageOf('link'), await messageOf('odd'), await messageOf('flat')]).toMatchInlineSnapshot(`
      [
        "FettleError: open/permissions.toml: others can write it, so its rules are ignored",
        "FettleError: link/permissions.toml: not a regular file",
        "FettleError: odd/permissions.toml:2: a rule has \`rule\`, \`effect\` ("allow", "ask" or "deny") and perhaps \`project\`",
        "FettleError: flat/permissions.toml:1: rules must be a list of tables",
      ]
    `);
    expect(await messageOf('broken')).toContain('permissions.toml:1: not valid TOML');
    expect(await readGrants(join(root, 'nowhere', 'permissions.toml'))).toEqual([]);
  });
});

describe('managed rules', () => {
  const owner = process.getuid?.() ?? 0;

  it('are read with their lines, and come first', async () => {
    const root = await scratch({'managed.toml': '[permissions]\ndeny = ["bash:curl *",\n  "bash:wget *"]\nallow = ["bash:ls *"]\n'});
    await chmod(join(root, 'managed.toml'), 0o644);
    expect(await readManagedRules(join(root, 'managed.toml'), owner)).toEqual([
      {text: 'bash:curl *', effect: 'deny', source: `${root}/managed.toml:2`},
      {text: 'bash:wget *', effect: 'deny', source: `${root}/managed.toml:3`},
      {text: 'bash:ls *', effect: 'allow', source: `${root}/managed.toml:4`},
    ]);
    expect(await readManagedRules(join(root, 'none.toml'), owner)).toEqual([]);
  });

  it('are an error where somebody else may have written them (CVE-2026-35603), or where they say something else', async () => {
    const root = await scratch({
      'a.toml': '[permissions]\n',
      'b.toml': 'mode = "ask"\n',
      'c.toml': '[permissions]\nalow = []\n',
      'd.toml': 'x =',
    });
    const messageOf = async (name: string, as = owner): Promise<string> =>
      await readManagedRules(join(root, name), as).then(
        () => 'obeyed',
        (thrown: unknown) => String(thrown).replace(`${root}/`, ''),
      );
    for (const name of ['a.toml', 'b.toml', 'c.toml', 'd.toml']) await chmod(join(root, name), 0o644);
    expect([
      await messageOf('a.toml'),
      await messageOf('a.toml', owner + 1),
      await messageOf('b.toml'),
      await messageOf('c.toml'),
      await messageOf('d.toml'),
    ]).toMatchInlineSnapshot(`
      [
        "obeyed",
        "FettleError: a.toml: must belong to root, and nobody else may be able to write it.",
        "FettleError: b.toml:1: only [permissions] is known here, not mode.",
        "FettleError: c.toml:2: permissions.alow must be a list named allow, ask or deny.",
        "FettleError: d.toml:1: not valid TOML: invalid value (column 4).",
      ]
    `);
    await chmod(join(root, 'a.toml'), 0o664);
    expect(await messageOf('a.toml')).toContain('must belong to root');
    await chmod(join(root, 'a.toml'), 0o644);
    await chmod(root, 0o777);
    expect(await messageOf('a.toml')).toContain('must belong to root');
  });

  it('a link is not a file of the machine', async () => {
    const root = await scratch({'real.toml': '[permissions]\n'});
    await symlink('real.toml', join(root, 'managed.toml'));
    await expect(readManagedRules(join(root, 'managed.toml'), owner)).rejects.toThrow();
  });
});
