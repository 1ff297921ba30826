import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {grantsFile, readGrants} from '../../../src/config/grants.ts';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {forgetRule, storeRule} from '../../../src/sdk/settings/store-rule.ts';
import {scratch} from '../../support/scratch.ts';

describe('stored rules (design › permissions), changed by several at once', () => {
  it('are all there, and what was removed stays removed', async () => {
    const root = await scratch({'work/a.txt': ''});
    const home = join(root, 'home');
    const session = await loadSettings({cwd: join(root, 'work'), env: {FETTLE_HOME: home}, home});
    const texts = Array.from({length: 8}, (_, at) => `bash:echo ${at}`);
    const stored = async (): Promise<string[]> => (await readGrants(grantsFile(session.paths.configDir))).map(({text}) => text).toSorted();
    await Promise.all(texts.map(async (text) => await storeRule(session, {text, effect: 'allow', everywhere: true})));
    expect(await stored()).toEqual(texts);
    await Promise.all([
      ...texts.slice(0, 4).map(async (text) => await forgetRule(session, {text, everywhere: true})),
      storeRule(session, {text: 'bash:ls', effect: 'allow', everywhere: true}),
    ]);
    expect(await stored()).toEqual([...texts.slice(4), 'bash:ls']);
  });
});
