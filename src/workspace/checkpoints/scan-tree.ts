import {readdirSync, type Dirent, type Stats} from 'node:fs';
import {setImmediate as breathe} from 'node:timers/promises';
import {systemErrorCode} from '../../base/errors.ts';
import type {GitEnvironment} from '../ignore/git-settings.ts';
import {openIgnoreFolder, type IgnoreFolder} from '../ignore/ignore-folder.ts';
import {throwIfCancelled} from '../open-regular-file.ts';
import {isTemporaryName} from '../temporary-file.ts';
import {below, nameOf, parentOf, pathText, shallowFirst, systemPath, type BytePath} from './byte-path.ts';
import {captureKnown, statsOf, type Capture} from './capture.ts';
import {isUncovered, sameEntry, stampOf} from './entry-state.ts';
import type {IndexEntry, TreeIndex} from './tree-index.ts';

export interface ScanOptions {
  readonly capture: Capture;
  /** Also what .gitignore files leave out. */
  readonly ignored: boolean;
  readonly env: GitEnvironment;
  /** Fettle's own folder, where it lies in the tree. */
  readonly own: BytePath | undefined;
  readonly maxEntries: number;
  /** ms; contents beyond it are taken by the next scan. */
  readonly maxReadMs: number;
}

export interface Scan {
  readonly index: TreeIndex;
  /** In which it differs from the one before, parents first. */
  readonly changed: readonly BytePath[];
  /** More entries than are covered: nothing can be said. */
  readonly isTooLarge: boolean;
}

/**
 * Looks at the tree again. The content of a file is read only where its stamp changed, or where it changed so shortly before the last look
 * that another change could hide behind the same stamp (git's "racy" entries, racy-git.txt). `.git` is left out at every level, links
 * are not followed. What once was covered stays so, also when a new ignore rule hides it.
 */
export async function scanTree(last: TreeIndex, options: ScanOptions, signal: AbortSignal): Promise<Scan> {
  const walk: Walk = {...options, last, next: new Map(), began: Date.now(), until: performance.now() + options.maxReadMs, steps: 0, signal};
  const {folder} = options.capture;
  const rules = options.ignored ? undefined : await openIgnoreFolder(folder, {requireGit: false, toolFiles: false, env: options.env});
  const isTooLarge = !(await visitFolders(walk, rules));
  if (!isTooLarge) await visitHidden(walk);
  const index: TreeIndex = {scannedAt: walk.began, entries: walk.next};
  return {index, changed: isTooLarge ? [] : differences(last, index), isTooLarge};
}

interface Walk extends ScanOptions {
  readonly last: TreeIndex;
  readonly next: Map<BytePath, IndexEntry>;
  readonly began: number;
  readonly until: number;
  steps: number;
  readonly signal: AbortSignal;
}

/** False: too many entries. */
async function visitFolders(walk: Walk, rules: IgnoreFolder | undefined): Promise<boolean> {
  const waiting: {path: BytePath; outer: IgnoreFolder | undefined}[] = [{path: '', outer: rules}];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = entriesOf(walk, folder.path);
    const here = await enter(folder.path, folder.outer, found);
    for (const entry of found) {
      const path = below(folder.path, entry.name);
      if (path === walk.own || here?.judge(pathText(entry.name), entry.isDirectory()) === 'ignored') continue;
      await visit(walk, path);
      if (walk.next.size > walk.maxEntries) return false;
      if (walk.next.get(path)?.state?.kind === 'folder') waiting.push({path, outer: here});
    }
  }
  return true;
}

/** The rules of a folder, from those of the one around it; the root brings its own. */
async function enter(path: BytePath, outer: IgnoreFolder | undefined, found: readonly Dirent[]): Promise<IgnoreFolder | undefined> {
  if (path === '' || outer === undefined) return outer;
  const entered = outer.enter(pathText(nameOf(path)), (name) => found.some((entry) => entry.name === name));
  return entered instanceof Promise ? await entered : entered;
}

/** A folder that may not be looked into keeps what was known of it: see `visitHidden`. */
function entriesOf({capture}: Walk, path: BytePath): Dirent[] {
  try {
    const found = readdirSync(systemPath(capture.folder, path), {withFileTypes: true, encoding: 'latin1'});
    return found.filter(({name}) => name.toLowerCase() !== '.git' && !isTemporaryName(name));
  } catch {
    return [];
  }
}

async function visit(walk: Walk, path: BytePath): Promise<void> {
  walk.steps += 1;
  if (walk.steps % BREATHE_EVERY === 0) {
    throwIfCancelled(walk.signal);
    await breathe();
  }
  const stats = statsOf(path, walk.capture.folder);
  if (stats === undefined) return;
  const known = walk.last.entries.get(path);
  walk.next.set(path, stillTrue(walk, known, stats) ? known : await looked(walk, path, stats));
}

const BREATHE_EVERY = 1000;

/** Clocks of file systems tick in up to two seconds. */
const RACY_MS = 2000;

function stillTrue({last, capture}: Walk, known: IndexEntry | undefined, stats: Stats): known is IndexEntry {
  if (known?.stamp !== stampOf(stats) || known.state === null) return false;
  const {state} = known;
  if (state.kind === 'folder') return stats.isDirectory() && state.mode === (stats.mode & 0o7777);
  if (known.ctime >= last.scannedAt - RACY_MS) return false;
  return !isUncovered(state) || stats.size > capture.maxFileBytes;
}

async function looked(walk: Walk, path: BytePath, stats: Stats): Promise<IndexEntry> {
  const {capture, until} = walk;
  const late = stats.isFile() && performance.now() > until;
  const state = await captureKnown(path, stats, late ? {...capture, maxFileBytes: -1} : capture);
  return {state, stamp: stampOf(stats), ctime: stats.ctimeMs};
}

/** What was there and was not seen: gone, or hidden by a new ignore rule or by the mode of a folder. Never looked for behind a link. */
async function visitHidden(walk: Walk): Promise<void> {
  for (const path of [...walk.last.entries.keys()].sort(shallowFirst)) {
    if (walk.next.has(path)) continue;
    const parent = parentOf(path);
    if (parent !== '' && walk.next.get(parent)?.state?.kind !== 'folder') continue;
    try {
      await visit(walk, path);
    } catch (error) {
      const known = walk.last.entries.get(path);
      if (walk.signal.aborted || known === undefined) throw error;
      if (systemErrorCode(error) !== 'EACCES') throw error;
      walk.next.set(path, known);
    }
  }
}

function differences(last: TreeIndex, next: TreeIndex): BytePath[] {
  const changed: BytePath[] = [];
  for (const [path, {state}] of next.entries) {
    const known = last.entries.get(path);
    if (known === undefined || (known.state !== state && !sameEntry(known.state, state))) changed.push(path);
  }
  for (const path of last.entries.keys()) if (!next.entries.has(path)) changed.push(path);
  return changed.sort(shallowFirst);
}
