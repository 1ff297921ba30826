import {lstatSync, readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {secretRead} from '../../policy/places/protected-paths.ts';
import {openIgnoreFolder, type IgnoreFolder} from '../../workspace/ignore/ignore-folder.ts';
import {isTemporaryName} from '../../workspace/temporary-file.ts';
import {languageOf} from '../languages/all.ts';
import {FIRST_LINE, mayBeScript, scriptLanguage} from '../languages/script-language.ts';
import {readBeginning} from './read-source.ts';

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly language: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
}

export interface Listing {
  readonly sources: readonly SourceFile[];
  /** Settings that decide where imports lead, with their times: a change of one changes everything. */
  readonly settings: readonly string[];
  /** The rules of each folder that was entered; `''` is the root. */
  readonly folders: ReadonlyMap<string, IgnoreFolder>;
}

/**
 * The files of a repository that are indexed: those in a known language, by their name or as scripts by their first line, that git does not
 * ignore and that hold no secrets. Links are not followed. `onFolder` is told each folder before it is read. Folders that cannot be read are passed over.
 */
export async function listSources(root: string, onFolder: (path: string) => void = () => undefined): Promise<Listing> {
  const sources: SourceFile[] = [];
  const settings: string[] = [];
  const folders = new Map<string, IgnoreFolder>();
  const rules = await openIgnoreFolder(root, {requireGit: false, toolFiles: false, env: process.env});
  const waiting: {path: string; ignore: IgnoreFolder}[] = [{path: '', ignore: rules}];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const {path, ignore} = folder;
    folders.set(path, ignore);
    onFolder(path);
    for (const entry of read(join(root, path))) {
      if (ignore.judge(entry.name, entry.isDirectory()) === 'ignored') continue;
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) sources.push(...listed(sourceFile(root, below)));
      if (entry.isFile() && SETTINGS.test(entry.name)) settings.push(`${below} ${timeOf(join(root, below))}`);
      if (entry.isDirectory() && !NEVER.has(entry.name)) waiting.push({path: below, ignore: await rulesBelow(root, below, ignore)});
    }
  }
  return {sources, settings: settings.sort(), folders};
}

/** One file as it stands on the disk; undefined where it is none that is indexed. */
export function sourceFile(root: string, path: string): SourceFile | undefined {
  const known = languageOf(path);
  if (known === undefined && !mayBeScript(path)) return undefined;
  if (isTemporaryName(path.slice(path.lastIndexOf('/') + 1)) || secretRead(join(root, path)) !== undefined) return undefined;
  const info = lstatSync(join(root, path), {throwIfNoEntry: false});
  if (info?.isFile() !== true) return undefined;
  const language = known ?? (info.size > LARGEST_SCRIPT ? undefined : scriptLanguage(readBeginning(join(root, path), FIRST_LINE)));
  return language === undefined ? undefined : {path, language, size: info.size, mtime: info.mtimeMs};
}

/** Bytes: what is larger and has no extension is a program. */
const LARGEST_SCRIPT = 500_000;

async function rulesBelow(root: string, path: string, above: IgnoreFolder): Promise<IgnoreFolder> {
  const names = new Set(hiddenNames(join(root, path)));
  return await above.enter(path.slice(path.lastIndexOf('/') + 1), (name) => names.has(name));
}

function listed(source: SourceFile | undefined): SourceFile[] {
  return source === undefined ? [] : [source];
}

function timeOf(path: string): number {
  return lstatSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0;
}

/** Which files decide where imports lead. */
export const SETTINGS = /^(?:[jt]sconfig.*\.json|package\.json|go\.mod|Cargo\.toml|composer\.json)$/;

/** What others wrote, and what tools keep: never sources of the repository, also where nobody told git to ignore it. */
const NEVER: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules', 'bower_components', '__pycache__', '.venv', '.tox']);

function read(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return []; // gone meanwhile, or closed to us
  }
}

/** Only these decide about rules, and most folders have none. */
function hiddenNames(folder: string): string[] {
  return ['.git', '.gitignore'].filter((name) => lstatSync(join(folder, name), {throwIfNoEntry: false}) !== undefined);
}
