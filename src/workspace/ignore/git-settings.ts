import {userHome} from '../../exec/variables/user-home.ts';
import {dirname, isAbsolute, join, resolve} from 'node:path';
import {type GitIgnoreSettings, type GitSetting, parseGitConfig} from './git-config.ts';
import {readSmallFile} from './git-directory.ts';

/** The variables that lead to the settings of a person: HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM. */
export type GitEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `core.excludesFile` and `core.ignoreCase` from the configs of system, person and repository (later ones win), without running git.
 * `include.path` is followed; conditional includes are not.
 */
export async function readGitSettings(root: string, commonDirectory: string | undefined, env: GitEnvironment): Promise<GitIgnoreSettings> {
  const home = userHome(env);
  const xdg = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git');
  const person = env['GIT_CONFIG_GLOBAL'] === undefined ? [join(xdg, 'config'), join(home, '.gitconfig')] : [env['GIT_CONFIG_GLOBAL']];
  const system = env['GIT_CONFIG_NOSYSTEM'] === undefined ? ['/etc/gitconfig'] : [];
  const own = commonDirectory === undefined ? [] : [join(commonDirectory, 'config')];
  const all = await Promise.all([...system, ...person, ...own].map((path) => readConfig(path, home, 0)));
  const values = new Map(all.flat().map(({key, value}) => [key, value]));
  const excludes = values.get('core.excludesfile');
  return {
    excludesFile: excludes === undefined ? join(xdg, 'ignore') : excludes === '' ? undefined : expand(excludes, root, home),
    ignoreCase: /^(?:true|yes|on|[1-9]\d*)$/i.test(values.get('core.ignorecase') ?? ''),
  };
}

const DEEPEST_INCLUDE = 10;

async function readConfig(path: string, home: string, depth: number): Promise<GitSetting[]> {
  const settings: GitSetting[] = [];
  for (const setting of parseGitConfig(await readSmallFile(path))) {
    settings.push(setting);
    if (setting.key === 'include.path' && depth < DEEPEST_INCLUDE) {
      settings.push(...(await readConfig(expand(setting.value, dirname(path), home), home, depth + 1)));
    }
  }
  return settings;
}

function expand(path: string, base: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(base, path);
}
