import {lstatSync} from 'node:fs';
import {chmod, lstat, readdir, readFile, readlink, rm, symlink, writeFile} from 'node:fs/promises';
import {basename, join, relative} from 'node:path';
import {isFettleError} from '../../../base/errors.ts';
import {mergeTests} from './merge-tests.ts';
import {isProduct} from './products.ts';
import {isRunnerFile, shadowsRunner} from './runner-files.ts';
import {hasRunnerSettings, withEarlierSettings} from './runner-settings.ts';

/** A file that decides what runs without being asked for, or a link. */
type Loaded =
  | {readonly kind: 'link'; readonly target: string; readonly loads: Loads | undefined}
  /** Larger than configuration is: a new one is removed whatever it holds, one of the task stays. */
  | {readonly kind: 'large'; readonly loads: 'always'}
  /** A folder that running programs have made: Python takes compiled modules from it without a look at their source (PEP 552). */
  | {readonly kind: 'products'; readonly loads: undefined}
  | {readonly kind: 'file'; readonly bytes: Buffer; readonly mode: number; readonly loads: Loads};

/**
 * `shadow`: a module of the working folder, which is the agent's own if the task begins with one or asks for it. `settings`: the agent's own, but for the
 * settings of test runners in it.
 */
type Loads = 'always' | 'shadow' | 'settings';

/** By path, relative to the tree. */
export type LoadedFiles = ReadonlyMap<string, Loaded>;

export interface LookedAt {
  /** Absolute, a real path. */
  readonly tree: string;
  /** The working folder, which interpreters look into first. */
  readonly work: string;
}

/**
 * Reads the files of a tree that test runners load by themselves, and all of its links. It looks for itself: git leaves out what `.gitignore` names, other
 * repositories, and everything where a single folder cannot be read. Folders and files that their owner cannot read are opened on the way, so
 * that an agent cannot close the tree to those who judge it. Only for a tree in which nothing runs.
 */
export async function readLoadedFiles(place: LookedAt): Promise<LoadedFiles> {
  const found = new Map<string, Loaded>();
  await look(place, '', found);
  return found;
}

async function look(place: LookedAt, folder: string, found: Map<string, Loaded>): Promise<void> {
  const at = join(place.tree, folder);
  await open(at, 0o700);
  for (const entry of await readdir(at, {withFileTypes: true})) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    // Whatever has no path that the system takes can be loaded by nobody.
    await lookAt(place, {path, isFolder: entry.isDirectory()}, found).catch(ignoreSystemError);
  }
}

async function lookAt(place: LookedAt, {path, isFolder}: {path: string; isFolder: boolean}, found: Map<string, Loaded>): Promise<void> {
  if (isProduct(path)) return void found.set(path, {kind: 'products', loads: undefined});
  if (isFolder) return mayHold(path) ? await look(place, path, found) : undefined;
  const full = join(place.tree, path);
  const loads = loadsOf(path, relative(place.work, full));
  const stats = await lstat(full);
  if (stats.isSymbolicLink()) {
    // A link to a folder would be what is in it; one to settings would be looked at elsewhere.
    const inside = isRunnerFile(`${path}/x`) ? 'always' : shadowsRunner(`${relative(place.work, full)}/__init__.py`) ? 'shadow' : undefined;
    found.set(path, {kind: 'link', target: await readlink(full), loads: loads === 'settings' ? 'always' : (loads ?? inside)});
  } else if (stats.isFile()) {
    await open(full, 0o400, stats.mode);
    if (loads === undefined) return;
    if (stats.size > MAX_BYTES) found.set(path, {kind: 'large', loads: 'always'});
    else found.set(path, {kind: 'file', bytes: await readFile(full), mode: stats.mode, loads});
  }
}

/** @param below - relative to the working folder */
function loadsOf(path: string, below: string): Loads | undefined {
  if (isRunnerFile(path)) return 'always';
  if (shadowsRunner(below)) return 'shadow';
  return hasRunnerSettings(path) ? 'settings' : undefined;
}

/** Configuration is smaller. */
const MAX_BYTES = 1024 * 1024;

/** Repositories hold nothing that is loaded, and of installed packages only their programs count. */
function mayHold(path: string): boolean {
  return !/(?:^|\/)(?:\.git|node_modules\/(?!\.bin$)[^/]+)$/.test(path);
}

async function open(path: string, bits: number, known?: number): Promise<void> {
  const mode = known ?? (await lstat(path)).mode;
  if ((mode & bits) !== bits) await chmod(path, (mode & 0o7777) | bits);
}

function ignoreSystemError(error: unknown): void {
  if (!(error instanceof Error) || isFettleError(error) || !('code' in error)) throw error;
}

/** Returns the runner files that are not as they were before the agent, sorted. A module that the prompt names is what it asks for. */
export function changedLoadedFiles(before: LoadedFiles, after: LoadedFiles, prompt: string): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths.filter((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (isSame(old, now)) return false;
    if (old?.loads === 'always' || now?.loads === 'always') return true;
    if (now?.loads === 'settings') return settingsOf(path, old, now) !== undefined;
    return now?.loads === 'shadow' && old === undefined && !isNamed(path, prompt);
  });
}

function isNamed(path: string, prompt: string): boolean {
  const name = /([^/.]+)(?:\/__init__)?\.[^/]*$/.exec(path)?.[1] ?? basename(path);
  return new RegExp(`(?<!\\w)${RegExp.escape(name)}(?!\\w)`).test(prompt);
}

function settingsOf(path: string, old: Loaded | undefined, now: Loaded): string | undefined {
  if (now.kind !== 'file') return undefined;
  return withEarlierSettings(path, {before: old?.kind === 'file' ? old.bytes.toString() : undefined, now: now.bytes.toString()});
}

interface LookedTwice {
  readonly before: LoadedFiles;
  readonly after: LoadedFiles;
}

/**
 * Brings runner files back to what they were; those that were not there are removed. Of files with settings of runners, these alone. An agent may have made
 * their folders links to other places: nothing is written or removed through one.
 */
export async function putBackFiles(tree: string, paths: readonly string[], {before, after}: LookedTwice): Promise<void> {
  for (const path of paths) {
    const full = join(tree, path);
    const folders = path.split('/').slice(0, -1);
    const [old, now] = [before.get(path), after.get(path)];
    const settings = now?.loads === 'settings' ? settingsOf(path, old, now) : undefined;
    if (old !== undefined) await mergeTests([], {root: tree, to: folders});
    else if (!areReal(tree, folders)) continue;
    await rm(full, {recursive: true, force: true});
    if (settings !== undefined) await writeFile(full, settings);
    else if (old?.kind === 'link') await symlink(old.target, full);
    else if (old?.kind === 'file') await writeFile(full, old.bytes, {mode: old.mode});
  }
}

function areReal(tree: string, folders: readonly string[]): boolean {
  return folders.every((_, index) => lstatSync(join(tree, ...folders.slice(0, index + 1)), {throwIfNoEntry: false})?.isDirectory());
}

/** Returns the folders that running programs have made, and that no verification takes over. */
export function productsOf(after: LoadedFiles): readonly string[] {
  return [...after].flatMap(([path, {kind}]) => (kind === 'products' ? [path] : []));
}

function isSame(a: Loaded | undefined, b: Loaded | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.bytes.equals(b.bytes);
  return a.kind === 'link' && b.kind === 'link' ? a.target === b.target : a.kind === b.kind;
}
