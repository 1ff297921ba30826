import {rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings, type SettingsRequest} from '../../src/sdk/settings/load-settings.ts';
import {loadToolset} from '../../src/sdk/tools/session-toolset.ts';
import {sessionInstructions} from '../../src/sdk/settings/open-instructions.ts';
import {readWholeProject, storeTrust} from '../../src/sdk/trust/trust-project.ts';
import type {SessionSettings} from '../../src/sdk/settings/session-settings.ts';
import {projectTools} from '../../src/sdk/trust/trusted-tools.ts';
import {scratch} from '../support/scratch.ts';
import {toolFile} from '../tools/custom/run-tools.ts';

const load = async (root: string, trust?: SettingsRequest['trust']): Promise<SessionSettings> =>
  await loadSettings({cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'fettle')}, trust});

const instructionsOf = async (session: SessionSettings): Promise<readonly string[]> =>
  (await sessionInstructions(session)).always.map(({text}) => text);

describe('loadSettings › trust', () => {
  it('what a person said yes to is what is used, whatever lies there by then (no time between check and use)', async () => {
    const root = await scratch({'work/AGENTS.md': 'shown', 'work/.fettle/config.toml': 'mode = "plan"', 'home/x': ''});
    const shown = await load(root);
    await writeFile(join(root, 'work/AGENTS.md'), 'swapped');
    await writeFile(join(root, 'work/.fettle/config.toml'), '');
    const session = await load(root, shown.trust);
    expect([session.trusted, session.settings.mode, await instructionsOf(session)]).toEqual([true, 'plan', ['shown']]);
  });

  it('and what is stored is that too: the swapped file is asked about', async () => {
    const root = await scratch({'work/AGENTS.md': 'shown', 'home/x': ''});
    const shown = await load(root);
    await writeFile(join(root, 'work/AGENTS.md'), 'swapped');
    await storeTrust(shown.trust, shown.paths);
    const session = await load(root);
    expect([session.trusted, session.trust.state, session.trust.changed.map(({item, before}) => [item.path, before])]).toEqual([
      false,
      'changed',
      [['AGENTS.md', 'shown']],
    ]);
  });

  it('of a whole project that was trusted it is known what is gone since; what a folder of another session has is not', async () => {
    const root = await scratch({
      'work/AGENTS.md': 'a',
      'work/sub/AGENTS.md': 'of sub',
      'work/.fettle/agents/x.md': 'an agent',
      'home/x': '',
    });
    const {paths} = await load(root);
    const whole = async () =>
      await readWholeProject({cwd: join(root, 'work'), home: join(root, 'home'), env: {FETTLE_HOME: join(root, 'fettle')}});
    const first = await whole();
    await storeTrust(first, paths);
    await rm(join(root, 'work/sub'), {recursive: true});
    await rm(join(root, 'work/.fettle'), {recursive: true});
    const second = await whole();
    await storeTrust(second, paths);
    const goneFrom = ({state, gone = []}: typeof first): unknown => [state, gone.map(({path, text}) => [path, text])];
    expect([first, second, await whole()].map(goneFrom)).toEqual([
      ['unknown', []],
      [
        'trusted',
        [
          ['.fettle/agents/x.md', 'an agent'],
          ['sub/AGENTS.md', 'of sub'],
        ],
      ],
      ['trusted', []],
    ]);
  });

  it('a caller who made the project can vouch for it', async () => {
    const root = await scratch({'work/AGENTS.md': 'ours', 'home/x': ''});
    expect([await instructionsOf(await load(root)), await instructionsOf(await load(root, 'here'))]).toEqual([[], ['ours']]);
  });

  it('nothing of a home folder is used, also where a caller vouches for it, and nobody is told to trust it', async () => {
    const root = await scratch({'home/AGENTS.md': 'x', 'home/.fettle/config.toml': 'mode = "plan"', 'home/.git/HEAD': ''});
    const home = join(root, 'home');
    const session = await loadSettings({cwd: home, home, env: {FETTLE_HOME: join(root, 'fettle')}, trust: 'here'});
    expect([session.trust.state, session.settings.mode, session.notices]).toEqual(['refused', 'ask', []]);
  });

  it('a folder with nothing in it has nothing to trust, and says nothing', async () => {
    const {trust, trusted, notices} = await load(await scratch({'work/x': '', 'home/x': ''}));
    expect({state: trust.state, trusted, notices}).toEqual({state: 'empty', trusted: false, notices: []});
  });
});

describe('tools of a trusted project', () => {
  it('are only the files that were digested: one that came later is none, and neither is a part of others', async () => {
    const root = await scratch({
      'work/.fettle/tools/a.mjs': '',
      'work/.fettle/tools/_part.mjs': '',
      'work/.fettle/tools/n/b.ts': '',
      'home/x': '',
    });
    const session = await load(root, 'here');
    await writeFile(join(root, 'work/.fettle/tools/later.mjs'), '');
    expect((await projectTools(session)).places.map(({path}) => path.slice(root.length))).toEqual([
      '/work/.fettle/tools/a.mjs',
      '/work/.fettle/tools/n/b.ts',
    ]);
    expect((await projectTools({...session, trusted: false})).places).toEqual([]);
  });

  it('none is loaded where one of them changed since it was digested', async () => {
    const root = await scratch({'work/.fettle/tools/a.mjs': toolFile('a'), 'work/.fettle/tools/_b.mjs': '', 'home/x': ''});
    const session = await load(root, 'here');
    await writeFile(join(root, 'work/.fettle/tools/_b.mjs'), 'changed');
    const {files, notices} = await loadToolset(session);
    expect([[...files.keys()], notices]).toEqual([
      [],
      [`${join(root, 'work/.fettle/tools/_b.mjs')}: changed while it was loaded: no tool of a file is used`],
    ]);
  });
});
