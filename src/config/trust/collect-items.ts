import {lstat, readdir} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {DEFAULTS} from '../defaults.ts';
import {importedFiles, importedTexts, namedFiles} from './named-files.ts';
import {DEEPEST_IMPORT, INSTRUCTION_NAMES} from './instruction-text.ts';
import {nestedFolders} from './nested-folders.ts';
import {readItem} from './read-item.ts';
import type {ProjectContent, TrustItem, TrustKind} from './trust-item.ts';

export interface CollectRequest {
  /** Absolute, a real path. */
  readonly root: string;
  /** The working folder, the root or one below: the AGENTS.md files on the way to it count. */
  readonly cwd: string;
  /** Folders of the person that may be inside the project, such as a FETTLE_HOME: they do not belong to it. */
  readonly own: readonly string[];
  /** Names for the instruction file of a folder, besides {@link INSTRUCTION_NAMES}, strong to weak. */
  readonly instructionFiles?: readonly string[] | undefined;
  /** True if instructions may import a file of the project, by its path from the root: secrets are never read. Absent: any. */
  readonly mayImport?: ((path: string) => boolean) | undefined;
  /** Also the instruction files of all other folders: for a question, it takes its time. */
  readonly deep?: boolean | undefined;
}

/**
 * Everything in a project that Fettle, or git for it, would run or load, each file read once. Links to folders are not followed. What is
 * too much is a problem, and then nothing more is read: see {@link MOST_ITEMS}.
 */
export async function collectItems(request: CollectRequest): Promise<ProjectContent> {
  const {root, own} = request;
  const isOwn = (path: string): boolean => own.some((folder) => isBelow(join(root, path), folder));
  const problems: string[] = [];
  const items = new Map<string, TrustItem>();
  let bytes = 0;
  const add = async (path: string, kind: TrustKind): Promise<void> => {
    if (items.has(path) || isOwn(path) || bytes > MOST_BYTES || items.size > MOST_ITEMS) return;
    const read = await readItem(root, path, kind);
    if ('problem' in read) return void problems.push(read.problem);
    bytes += read.item.bytes.length;
    items.set(path, read.item);
  };
  const places = [...PLACES, ...(await hookPlaces(root)), ...(await instructionPlaces(request))];
  for (const {path, kind} of places) {
    for (const file of await filesAt({root, path, problems, depth: 0})) await add(file, kind);
  }
  for (const item of items.values()) for (const path of await namedFiles(root, item)) await add(path, 'program');
  // A set grows while it is looked through: parts of parts are found as well.
  for (const item of items.values()) for (const path of await importedFiles(root, item)) await add(path, item.kind);
  await addImports(request, items, add);
  if (items.size > MOST_ITEMS || bytes > MOST_BYTES) {
    return {items: [], problems: [`more than ${MOST_ITEMS} files or ${MOST_BYTES / 1024 / 1024} MiB would have to be trusted`]};
  }
  return {items: [...items.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), problems};
}

export const MOST_ITEMS = 1000;
const MOST_BYTES = 16 * 1024 * 1024;
const DEEPEST = 12;

/** Adds the texts that instructions import, directly or through other imports. */
async function addImports(
  {root, mayImport = () => true}: CollectRequest,
  items: ReadonlyMap<string, TrustItem>,
  add: (path: string, kind: TrustKind) => Promise<void>,
): Promise<void> {
  const depths = new Map<string, number>();
  for (const item of items.values()) {
    const depth = (depths.get(item.path) ?? 0) + 1;
    const paths = depth > DEEPEST_IMPORT ? [] : await importedTexts(root, item);
    for (const path of paths.filter(mayImport)) {
      if (!items.has(path)) depths.set(path, depth);
      await add(path, 'import');
    }
  }
}

interface Place {
  readonly path: string;
  readonly kind: TrustKind;
}

const PLACES: readonly Place[] = [
  {path: '.fettle/config.toml', kind: 'config'},
  {path: '.mcp.json', kind: 'mcp'},
  {path: '.fettle/tools', kind: 'tool'},
  {path: '.fettle/middleware', kind: 'middleware'},
  {path: '.fettle/skills', kind: 'skill'},
  {path: '.agents/skills', kind: 'skill'},
  {path: '.fettle/agents', kind: 'agent'},
  {path: '.fettle/commands', kind: 'command'},
  {path: '.fettle/rules', kind: 'rule'},
];

/** `.fettle/hooks`, `.fettle/hooks.toml` and other names with this beginning. */
async function hookPlaces(root: string): Promise<Place[]> {
  const names = await namesIn(join(root, '.fettle'));
  return names.filter((name) => name.startsWith('hooks')).map((name) => ({path: `.fettle/${name}`, kind: 'hook'}));
}

/** The instruction file of each folder from the root down to the one that is worked in. */
async function instructionPlaces({root, cwd, instructionFiles, deep}: CollectRequest): Promise<Place[]> {
  const names = relative(root, cwd)
    .split(sep)
    .filter((name) => name !== '');
  const folders = ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
  const further = deep === true ? await nestedFolders(root) : [];
  const found = await Promise.all([...new Set([...folders, ...further])].map((folder) => instructionFile(root, folder, instructionFiles)));
  return found.filter((path) => path !== undefined).map((path) => ({path, kind: 'instructions'}));
}

/**
 * The file with the instructions of a folder: the first that is there of AGENTS.override.md, AGENTS.md and the other names (AGENTS.md
 * convention; VT Code › instruction memory). An empty one switches the others off.
 * @param folder From the root, '' or with a `/` at its end; the result has the same form.
 */
export async function instructionFile(
  root: string,
  folder: string,
  others = DEFAULTS.context.instruction_files,
): Promise<string | undefined> {
  for (const name of [...INSTRUCTION_NAMES, ...others]) {
    const stats = await lstat(join(root, folder, name)).catch(() => undefined);
    if (stats !== undefined && !stats.isDirectory()) return `${folder}${name}`;
  }
  return undefined;
}

interface Walk {
  readonly root: string;
  readonly path: string;
  readonly problems: string[];
  readonly depth: number;
}

/** The file itself, or the files below a folder; in the order of their names. */
async function filesAt(walk: Walk): Promise<string[]> {
  const {root, path, problems, depth} = walk;
  const found = await lstat(join(root, path)).catch(() => undefined);
  if (found === undefined) return [];
  if (await isLinkedFolder(root, path)) {
    problems.push(`${path}: a link to a folder is not followed`);
    return [];
  }
  if (!found.isDirectory()) return [path];
  if (depth > DEEPEST) {
    problems.push(`${path}: is nested too deeply`);
    return [];
  }
  const files: string[] = [];
  for (const name of await namesIn(join(root, path))) {
    if (files.length > MOST_ITEMS) break;
    files.push(...(await filesAt({...walk, path: `${path}/${name}`, depth: depth + 1})));
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).toSorted((a, b) => (a < b ? -1 : 1));
}

/** Returns true if the path, or a folder on the way to it, is a link to a folder. */
async function isLinkedFolder(root: string, path: string): Promise<boolean> {
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const at = join(root, ...parts.slice(0, count));
    if (!(await lstat(at)).isSymbolicLink()) continue;
    if (count < parts.length || (await isFolder(at))) return true;
  }
  return false;
}

async function isFolder(path: string): Promise<boolean> {
  return await readdir(path).then(
    () => true,
    () => false,
  );
}

function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`));
}
