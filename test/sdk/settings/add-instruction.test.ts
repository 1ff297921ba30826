import {readFile, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {addInstruction, instructionFiles} from '../../../src/sdk/settings/add-instruction.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../src/sdk/settings/session-settings.ts';
import {storeTrust} from '../../../src/sdk/trust/trust-project.ts';
import {scratch} from '../../support/scratch.ts';

const load = async (root: string): Promise<SessionSettings> =>
  await loadSettings({cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'fettle')}});

async function project(files: Readonly<Record<string, string>>): Promise<{root: string; session: SessionSettings; path: string}> {
  const root = await scratch({'home/x': '', 'work/x': '', ...files});
  const session = await load(root);
  return {root, session, path: instructionFiles(session).project ?? ''};
}

describe('addInstruction', () => {
  it('a trusted project is trusted with the line, and the next session has it', async () => {
    const {root, session, path} = await project({'work/AGENTS.md': '# Rules'});
    await storeTrust(session.trust, session.paths);
    await addInstruction(session, {path, line: 'use tabs\nalways'});
    expect([await readFile(path, 'utf8'), (await load(root)).trust.state]).toEqual(['# Rules\n- use tabs always\n', 'trusted']);
  });

  it('the first line of a project in which nothing was to trust is trusted', async () => {
    const {root, session, path} = await project({});
    await addInstruction(session, {path, line: 'use tabs'});
    expect([path, await readFile(path, 'utf8'), (await load(root)).trust.state]).toEqual([
      join(root, 'work/AGENTS.md'),
      '- use tabs\n',
      'trusted',
    ]);
  });

  it.each([
    ['nobody has trusted it', false, ''],
    ['something else has changed since', true, 'mode = "plan"'],
  ])('trusts nothing besides: %s', async (_, isTrusted, config) => {
    const {root, session, path} = await project({'work/AGENTS.md': 'a\n', 'work/.fettle/config.toml': ''});
    if (isTrusted) await storeTrust(session.trust, session.paths);
    await writeFile(join(root, 'work/.fettle/config.toml'), config);
    await addInstruction(session, {path, line: 'b'});
    expect([await readFile(path, 'utf8'), (await load(root)).trusted]).toEqual(['a\n- b\n', false]);
  });

  it('a link that a repository brought along is not written to', async () => {
    const {root, session} = await project({'home/.bashrc': 'mine\n'});
    const path = join(root, 'work/AGENTS.md');
    await symlink(join(root, 'home/.bashrc'), path);
    await expect(addInstruction(session, {path, line: 'rm -rf /'})).rejects.toMatchObject({code: 'DENIED'});
    expect(await readFile(join(root, 'home/.bashrc'), 'utf8')).toBe('mine\n');
  });

  it('the personal file is made where there is none; the one that overrides AGENTS.md counts', async () => {
    const {root, session} = await project({'work/AGENTS.override.md': 'o\n', 'work/AGENTS.md': 'a\n'});
    const {personal, project: own} = instructionFiles(session);
    await addInstruction(session, {path: personal, line: 'mine'});
    expect([own, await readFile(personal, 'utf8')]).toEqual([join(root, 'work/AGENTS.override.md'), '- mine\n']);
  });
});
