import {lstatSync, readdirSync, realpathSync, type Dirent} from 'node:fs';
import {lstat, readdir} from 'node:fs/promises';
import {dirname, isAbsolute, join, relative, resolve} from 'node:path';
import {makeItem} from '../../config/trust/read-item.ts';
import type {TrustItem} from '../../config/trust/trust-item.ts';
import type {Variables} from '../../exec/variables/child-environment.ts';
import {namesProgram, safeGitVariables, type GitSection, type GitValue} from '../../exec/process/safe-git.ts';
import {parseGitConfig} from '../../workspace/ignore/git-config.ts';
import {readSmallBytes, readSmallFile} from '../../workspace/ignore/git-directory.ts';
import {scanGitConfig} from './scan-git-config.ts';

interface Place {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Finds what git would run for the repository at this root: programs in its configuration, and its hooks. Found without git. */
export async function gitItems({root, home}: Place): Promise<TrustItem[]> {
  const directory = await gitDirectory(root);
  if (directory === undefined) return [];
  const files = await configFiles([root], home);
  const lines = files.flatMap(({path, text}) =>
    scanGitConfig(text).values.flatMap(([key, value]) => (namesProgram(key) ? [`${relative(root, path)}: ${key} = ${value}`] : [])),
  );
  const programs = lines.length === 0 ? [] : [makeItem('.git (programs)', 'git', Buffer.from(`${lines.join('\n')}\n`))];
  return [...programs, ...(await hookItems(directory.common))];
}

async function hookItems(common: string): Promise<TrustItem[]> {
  const folder = join(common, 'hooks');
  const names = (await readdir(folder).catch(() => [])).filter((name) => !name.endsWith('.sample')).sort();
  const items = await Promise.all(
    names.slice(0, MOST_HOOKS).map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      if (stats === undefined || stats.isDirectory() || (stats.mode & 0o111) === 0) return undefined;
      return makeItem(`.git/hooks/${name}`, 'git', await readSmallBytes(join(folder, name)));
    }),
  );
  return items.filter((item) => item !== undefined);
}

const MOST_HOOKS = 100;

/**
 * Returns variables with which a command in `cwd` can use git without running programs that a repository names:
 * the one of the folder, the one of the project, its submodules, and repositories inside the project. Their
 * configuration is read again for each command, so that a command does not run what the one before configured.
 */
export async function safeGitFor(cwd: string, {root, env, home}: Place): Promise<Variables> {
  const tops = [root, ...(await repositoriesAbove(cwd)), ...(await repositoriesBelow(root))];
  const [files, own] = await Promise.all([configFiles([...new Set(tops)], home), ownValues(env, home)]);
  const sections = new Map<string, GitSection>();
  const scanned = files.map(({text}) => scanGitConfig(text));
  for (const section of scanned.flatMap((file) => file.sections)) sections.set(JSON.stringify(section), section);
  const values = scanned.flatMap((file) => file.values);
  return safeGitVariables({
    sections: [...sections.values()],
    keys: new Set(values.map(([key]) => key)),
    hasOwnRemote: values.some(([key, value]) => isOwnRemote(key, value, tops)),
    own,
  });
}

/** True for a remote that is a folder of a repository, or whose programs the repository names. */
function isOwnRemote(key: string, value: string, tops: readonly string[]): boolean {
  if (/^remote\.[^]*\.(?:uploadpack|receivepack)$/.test(key)) return true;
  const [, base] = /^url\.([^]*)\.(?:push)?insteadof$/.exec(key) ?? [];
  const isAddress = /^(?:remote\.[^]*\.(?:push)?url|branch\.[^]*\.(?:push)?remote|remote\.pushdefault|submodule\.[^]*\.url)$/.test(key);
  const address = (base ?? (isAddress ? value : '')).replaceAll('"', '');
  const path = address.replace(/^file:\/\//i, '');
  // `scheme://`, and `host:path`; a name of a remote contains neither.
  if (!path.includes('/') || /^[^/]*:/.test(path)) return false;
  return !isAbsolute(path) || tops.some((top) => !relative(top, path).startsWith('..'));
}

async function repositoriesAbove(folder: string): Promise<string[]> {
  const tops: string[] = [];
  for (let at = realPath(folder); ; at = dirname(at)) {
    if (isThere(join(at, '.git'))) tops.push(at);
    if (dirname(at) === at) return tops;
  }
}

// Each command asks for this: waiting for another thread would take longer than the answer.

function isThere(path: string): boolean {
  try {
    return lstatSync(path, {throwIfNoEntry: false}) !== undefined;
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}

/** Most folders searched for repositories inside a project; further ones are only known if a command starts in them. */
const MOST_FOLDERS = 1500;

async function repositoriesBelow(root: string): Promise<string[]> {
  const known = below.get(root);
  if (known !== undefined) return await known;
  const found = walk(root);
  below.set(root, found);
  return await found;
}

/** Searched once per process: the tree may be large. */
const below = new Map<string, Promise<string[]>>();

async function walk(root: string): Promise<string[]> {
  const tops: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    for (const entry of await readdir(folder, {withFileTypes: true}).catch(() => [])) {
      if (entry.name === '.git') tops.push(folder);
      else if (entry.isDirectory() && entry.name !== 'node_modules' && folders.length < MOST_FOLDERS)
        folders.push(join(folder, entry.name));
    }
  }
  return tops;
}

interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

/** Returns every file that may configure these repositories: for the work tree, for its submodules, and the files that they include. */
async function configFiles(tops: readonly string[], home: string): Promise<ConfigFile[]> {
  const found = new Map<string, ConfigFile>();
  const add = async (path: string): Promise<void> => {
    if (found.has(path) || found.size >= MOST_FILES) return;
    const text = await readSmallFile(path);
    if (text === '') return;
    found.set(path, {path, text});
    // Includes those under a condition that does not hold now.
    for (const [key, value] of scanGitConfig(text).values) {
      if (/^include(?:if\..*)?\.path$/is.test(key)) await add(expand(value, dirname(path), home));
    }
  };
  for (const top of tops) {
    const directory = await gitDirectory(top);
    if (directory === undefined) continue;
    await add(join(directory.common, 'config'));
    await add(join(directory.own, 'config.worktree'));
    for (const path of await submoduleConfigs(join(directory.common, 'modules'), 0)) await add(path);
  }
  return [...found.values()];
}

const MOST_FILES = 500;

async function submoduleConfigs(folder: string, depth: number): Promise<string[]> {
  if (depth > 4) return [];
  const entries = entriesIn(folder);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const isRepository = entries.some((entry) => entry.name === 'HEAD');
  if (isRepository)
    return [join(folder, 'config'), join(folder, 'config.worktree'), ...(await submoduleConfigs(join(folder, 'modules'), depth + 1))];
  return (await Promise.all(names.slice(0, MOST_FILES).map((name) => submoduleConfigs(name, depth + 1)))).flat();
}

/** Resolves the target of a `.git`, wherever it is: the result is only used to remove settings. */
async function gitDirectory(top: string): Promise<{own: string; common: string} | undefined> {
  const dotGit = join(top, '.git');
  if (!isThere(dotGit)) return undefined;
  const target = /^gitdir: ([^\r\n]+)/.exec(await readSmallFile(dotGit))?.[1];
  const own = target === undefined ? dotGit : resolve(top, target);
  const common = (await readSmallFile(join(own, 'commondir'))).trim();
  return {own, common: common === '' ? own : resolve(own, common)};
}

/** Returns the git settings of the person, from their files and those of the system. Conditional ones are left out. */
async function ownValues(env: Place['env'], home: string): Promise<GitValue[]> {
  const xdg = join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'config');
  const files = ['/etc/gitconfig', xdg, join(home, '.gitconfig')];
  return (await Promise.all(files.map((path) => valuesOf(path, home, 0)))).flat();
}

async function valuesOf(path: string, home: string, depth: number): Promise<GitValue[]> {
  const values: GitValue[] = [];
  for (const {key, value} of parseGitConfig(await readSmallFile(path))) {
    values.push([key, value]);
    if (key === 'include.path' && depth < 5) values.push(...(await valuesOf(expand(value, dirname(path), home), home, depth + 1)));
  }
  return values;
}

function expand(path: string, base: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1));
  return isAbsolute(path) ? path : resolve(base, path);
}
