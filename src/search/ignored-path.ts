import type {GitEnvironment} from '../workspace/ignore/git-settings.ts';
import type {IgnoreFolder} from '../workspace/ignore/ignore-folder.ts';
import type {GrepQuery, WalkRules} from './engine.ts';
import {openRules} from './files.ts';

/** Without what a glob took although it is ignored, where the query wants globs to narrow only. */
export async function searchable(paths: readonly string[], query: GrepQuery, env: GitEnvironment): Promise<readonly string[]> {
  if (query.globsNarrow !== true || query.globs.length === 0) return paths;
  const isIgnored = await openIgnoredPaths(query, env);
  const ignored = await Promise.all(paths.map(isIgnored));
  return paths.filter((_, index) => ignored[index] === false);
}

/** Says of paths below a root (relative, with `/`) whether a walk would pass them over as ignored; folders are looked at once. */
async function openIgnoredPaths(rules: WalkRules, env: GitEnvironment): Promise<(path: string) => Promise<boolean>> {
  const top = await openRules(rules, env);
  const folders = new Map<string, Promise<IgnoreFolder | undefined>>();
  const enter = (path: string): Promise<IgnoreFolder | undefined> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const entered = open(path);
    folders.set(path, entered);
    return entered;
  };
  /** Undefined: the folder, or one above it, is ignored. */
  const open = async (path: string): Promise<IgnoreFolder | undefined> => {
    if (path === '') return top;
    const {folder, name} = split(path);
    const above = await enter(folder);
    return above === undefined || above.judge(name, true) === 'ignored' ? undefined : above.enter(name, () => true);
  };
  return async (path) => {
    if (top === undefined) return false;
    const {folder, name} = split(path);
    const above = await enter(folder);
    return above === undefined || above.judge(name, false) === 'ignored';
  };
}

function split(path: string): {folder: string; name: string} {
  const slash = path.lastIndexOf('/');
  return {folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1)};
}
