import {lstat} from 'node:fs/promises';
import {dirname, join, relative, sep} from 'node:path';
import {byteText} from './byte-text.ts';
import {findRepositoryRoot, gitDirectoryOf, readSmallBytes} from './git-directory.ts';
import {type GitEnvironment, readGitSettings} from './git-settings.ts';
import {type FolderRules, type IgnoreRules, type IgnoreVerdict, parseIgnoreRules} from './ignore-rules.ts';

export interface IgnoreOptions {
  /** .gitignore counts only inside a repository; false: everywhere. */
  readonly requireGit: boolean;
  /** Also .ignore and .rgignore, which override git's own files. */
  readonly toolFiles: boolean;
  readonly env: GitEnvironment;
}

/** The ignore rules that hold in one folder. */
export interface IgnoreFolder {
  /** A folder that is `ignored` is dead: nothing below it can be included again, so do not enter it. */
  judge(name: string, isFolder: boolean): IgnoreVerdict | undefined;
  /** Returns the rules of a folder inside. `has` tells which names it contains, which saves looking for ignore files. */
  enter(name: string, has: (name: string) => boolean): IgnoreFolder | Promise<IgnoreFolder>;
}

/**
 * Opens the rules of a folder, with those of its parents up to the repository. The folder itself was requested and is never ignored.
 * A nested repository starts afresh with its own rules. Precedence: .rgignore, .ignore, .gitignore (nearest first),
 * .git/info/exclude, core.excludesFile; within a file the last line. Sources: gitignore(5), ripgrep's guide.
 */
export async function openIgnoreFolder(path: string, options: IgnoreOptions): Promise<IgnoreFolder> {
  const chain = parentsOf(path);
  const repository = await findRepositoryRoot(path);
  const gitFrom = repository ?? (options.requireGit ? undefined : chain[0]);
  let layers = NO_LAYERS;
  let inGit = false;
  for (const folder of chain) {
    if (folder === repository) layers = {...layers, ...(await readBase(folder, options))};
    inGit ||= folder === gitFrom;
    layers = await readFiles(folder, layers, {git: inGit, tool: options.toolFiles});
    const next = chain[chain.indexOf(folder) + 1];
    if (next !== undefined) layers = descend(layers, relative(folder, next));
  }
  if (inGit && repository === undefined) layers = {...layers, ...(await readBase(path, options))};
  return folderOf(path, layers, {...options, inGit});
}

interface Layer {
  readonly rules: IgnoreRules;
  /** Path relative to the folder of the ignore file: `''` or `a/b/`, as byte text. */
  readonly folder: string;
}

/** Nearest first in each list. */
interface Layers {
  readonly rg: readonly Layer[];
  readonly ignore: readonly Layer[];
  readonly git: readonly Layer[];
  /** .git/info/exclude, then core.excludesFile. */
  readonly base: readonly Layer[];
  readonly ignoreCase: boolean;
}

const NO_LAYERS: Layers = {rg: [], ignore: [], git: [], base: [], ignoreCase: false};

interface Context extends IgnoreOptions {
  readonly inGit: boolean;
}

function folderOf(path: string, layers: Layers, context: Context): IgnoreFolder {
  const rules = [...layers.rg, ...layers.ignore, ...layers.git, ...layers.base]
    .map((layer) => layer.rules.inFolder(layer.folder))
    .filter((found): found is FolderRules => found !== undefined);
  return {
    judge(name, isFolder) {
      if (rules.length === 0) return undefined;
      const bytes = byteText(name);
      for (const rule of rules) {
        const verdict = rule(bytes, isFolder);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    },
    enter(name, has) {
      const below = path + sep + name;
      const moved = descend(layers, name);
      const git = has('.gitignore');
      const tool = context.toolFiles && (has('.ignore') || has('.rgignore'));
      if (!git && !tool && !has('.git')) return folderOf(below, moved, context);
      return enterFolder(below, moved, context);
    },
  };
}

async function enterFolder(path: string, layers: Layers, context: Context): Promise<IgnoreFolder> {
  const isRepository = (await gitDirectoryOf(path)) !== undefined;
  const opened = isRepository ? {...layers, git: [], ...(await readBase(path, context))} : layers;
  const inGit = context.inGit || isRepository;
  return folderOf(path, await readFiles(path, opened, {git: inGit, tool: context.toolFiles}), {...context, inGit});
}

function descend(layers: Layers, name: string): Layers {
  const step = `${byteText(name)}/`;
  const move = (list: readonly Layer[]): readonly Layer[] =>
    list.length === 0 ? list : list.map(({rules, folder}) => ({rules, folder: folder + step}));
  return {...layers, rg: move(layers.rg), ignore: move(layers.ignore), git: move(layers.git), base: move(layers.base)};
}

/** Reads the rules of a repository (or, without one, of a person) from files outside the tree. */
async function readBase(folder: string, {env}: IgnoreOptions): Promise<Pick<Layers, 'base' | 'ignoreCase'>> {
  const common = (await gitDirectoryOf(folder))?.commonDirectory;
  const {excludesFile, ignoreCase} = await readGitSettings(folder, common, env);
  const own = common === undefined ? [] : await readLayer(join(common, 'info', 'exclude'), ignoreCase);
  const global = excludesFile === undefined ? [] : await readLayer(excludesFile, ignoreCase);
  return {base: [...own, ...global], ignoreCase};
}

async function readFiles(folder: string, layers: Layers, which: {git: boolean; tool: boolean}): Promise<Layers> {
  const gitFile = join(folder, '.gitignore');
  const [rg, ignore, git] = await Promise.all([
    which.tool ? readLayer(join(folder, '.rgignore'), false) : [],
    which.tool ? readLayer(join(folder, '.ignore'), false) : [],
    which.git && (await isPlainFile(gitFile)) ? readLayer(gitFile, layers.ignoreCase) : [],
  ]);
  return {...layers, rg: [...rg, ...layers.rg], ignore: [...ignore, ...layers.ignore], git: [...git, ...layers.git]};
}

/** git does not follow a .gitignore that is a link. */
async function isPlainFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() === true;
}

async function readLayer(path: string, ignoreCase: boolean): Promise<Layer[]> {
  const content = await readSmallBytes(path);
  return content.length === 0 ? [] : [{rules: parseIgnoreRules(content, ignoreCase), folder: ''}];
}

/** The folder and those above it, topmost first. */
function parentsOf(path: string): string[] {
  const chain = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) chain.unshift(dirname(at));
  return chain;
}
