import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {parseGitConfig} from '../../../src/workspace/ignore/git-config.ts';
import {readGitSettings} from '../../../src/workspace/ignore/git-settings.ts';
import {scratch} from '../../support/scratch.ts';

describe('git-config(1), syntax', () => {
  it('sections, names without case, quotes, escapes, comments, continued lines', () => {
    const text = '[Core]\n\tExcludesFile = "~/a b" # all\n bare\n[core] x=1;2\n# c\n[remote "Or\\"igin"]\nurl = a\\\n b\n[bad\ny = z\n';
    expect(parseGitConfig(text)).toEqual([
      {key: 'core.excludesfile', value: '~/a b'},
      {key: 'core.bare', value: 'true'},
      {key: 'core.x', value: '1'},
      {key: 'remote.Or"igin.url', value: 'a b'},
      {key: 'remote.Or"igin.y', value: 'z'},
    ]);
  });
});

describe('core.excludesFile and core.ignoreCase without running git', () => {
  const quiet = {GIT_CONFIG_NOSYSTEM: '1'};

  it('the default place, the config of the person, then that of the repository', async () => {
    const home = await scratch({'r/.git/config': '[core]\nignoreCase\n'});
    const env = {...quiet, HOME: home};
    expect(await readGitSettings(home, undefined, env)).toEqual({excludesFile: join(home, '.config/git/ignore'), ignoreCase: false});
    expect(await readGitSettings(home, undefined, {...env, XDG_CONFIG_HOME: join(home, 'x')})).toEqual({
      excludesFile: join(home, 'x/git/ignore'),
      ignoreCase: false,
    });
    expect((await readGitSettings(home, join(home, 'r/.git'), env)).ignoreCase).toBe(true);
  });

  it('~ and include.path are followed, a loop of includes ends', async () => {
    const home = await scratch({
      '.gitconfig': '[include]\npath = more\n',
      more: '[core]\nexcludesFile = ~/e\n[include]\npath = ~/.gitconfig\n',
    });
    expect((await readGitSettings('/r', undefined, {...quiet, HOME: home})).excludesFile).toBe(join(home, 'e'));
  });

  it('an empty value turns it off, GIT_CONFIG_GLOBAL names another file', async () => {
    const home = await scratch({g: '[core]\nexcludesFile =\n', '.gitconfig': '[core]\nexcludesFile = x\n'});
    const env = {...quiet, HOME: home, GIT_CONFIG_GLOBAL: join(home, 'g')};
    expect((await readGitSettings('/r', undefined, env)).excludesFile).toBeUndefined();
  });
});
