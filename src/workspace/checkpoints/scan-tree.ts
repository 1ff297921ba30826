import type {Stats} from 'node:fs';
import {setImmediate as breathe} from 'node:timers/promises';
import {systemErrorCode} from '../../base/errors.ts';
import type {GitEnvironment} from '../ignore/git-settings.ts';
import {openIgnoreFolder, type IgnoreFolder} from '../ignore/ignore-folder.ts';
import {throwIfCancelled} from '../open-regular-file.ts';
import {isTemporaryName} from '../temporary-file.ts';
import {isWithin, nameOf, parentOf, shallowFirst, type BytePath} from './byte-path.ts';
import {captureKnown, statsOf, type Capture} from './capture.ts';
import {isUncovered, sameEntry, stampOf} from './entry-state.ts';
import {MAX_IGNORED_TOTAL, maxIgnoredBytes, selectIgnored, type IgnoredEntry} from './ignored-entries.ts';
import {EMPTY_INDEX, type IndexEntry, type TreeIndex} from './tree-index.ts';
import {holdsMoreThan, walkFolders} from './walk-folders.ts';

export interface ScanOptions {
  readonly capture: Capture;
  /** Selects the ignored entries that are covered, too. */
  readonly ignored: 'all' | 'small' | 'none';
  readonly env: GitEnvironment;
  /** Fettle's own folder, if it is in the tree. */
  readonly own: BytePath | undefined;
  readonly maxEntries: number;
  /** Milliseconds; contents beyond this time are read by the next scan. */
  readonly maxReadMs: number;
}

export interface Scan {
  readonly index: TreeIndex;
  /** The paths that differ from the previous scan, parents first. */
  readonly changed: readonly BytePath[];
  /** True if there are more entries than are covered, so that changes are unknown. */
  readonly isTooLarge: boolean;
}

/**
 * Scans the tree again. The content of a file is read only if its stamp changed, or if it changed so shortly before the last look
 * that another change could hide behind the same stamp (git's "racy" entries, racy-git.txt). `.git` is left out at every level, links
 * are not followed. Entries once covered stay covered, even if a new ignore rule hides them.
 */
export async function scanTree(last: TreeIndex, options: ScanOptions, signal: AbortSignal): Promise<Scan> {
  const began = Date.now();
  const until = performance.now() + options.maxReadMs;
  const walk: Walk = {...options, last, next: new Map(), hidden: [], began, until, steps: 0, signal};
  const {folder} = options.capture;
  const rules =
    options.ignored === 'all' ? undefined : await openIgnoreFolder(folder, {requireGit: false, toolFiles: false, env: options.env});
  // To read all contents up to the limit, only to give them up there, would take ten seconds around each command.
  const isFirst = last.scannedAt === 0;
  if (isFirst && (await holdsMoreThan(options.maxEntries, {folder, rules, own: options.own}, signal)))
    return {index: EMPTY_INDEX, changed: [], isTooLarge: true};
  const isTooLarge = !(await visitFolders(walk, rules));
  const selected = selectIgnored(folder, isTooLarge || options.ignored !== 'small' ? [] : walk.hidden);
  await visitIgnored(walk, selected.kept);
  if (!isTooLarge) await visitHidden(walk);
  const index: TreeIndex = {scannedAt: walk.began, entries: walk.next, unkept: walk.ignored === 'none' ? undefined : selected.unkept};
  return {index, changed: isTooLarge ? [] : differences(last, index), isTooLarge};
}

interface Walk extends ScanOptions {
  readonly last: TreeIndex;
  readonly next: Map<BytePath, IndexEntry>;
  /** Entries excluded by ignore rules. */
  readonly hidden: IgnoredEntry[];
  readonly began: number;
  readonly until: number;
  steps: number;
  readonly signal: AbortSignal;
}

/** Returns false if there are too many entries. */
async function visitFolders(walk: Walk, rules: IgnoreFolder | undefined): Promise<boolean> {
  return await walkFolders({
    folder: walk.capture.folder,
    rules,
    own: walk.own,
    onIgnored: (path, entry) => void walk.hidden.push({path, isFolder: entry.isDirectory()}),
    async onEntry(path) {
      await visit(walk, path);
      if (walk.next.size > walk.maxEntries) return 'stop';
      return walk.next.get(path)?.state?.kind === 'folder' ? 'enter' : 'pass';
    },
  });
}

/** Saves ignored entries within a quota; for others only the stamp is known, so that a change can be reported. */
async function visitIgnored(walk: Walk, paths: readonly BytePath[]): Promise<void> {
  let left = MAX_IGNORED_TOTAL;
  for (const path of paths) {
    if ((walk.own !== undefined && isWithin(walk.own, path)) || isTemporaryName(nameOf(path))) continue;
    await visitOneIgnored(walk, path, left);
    const state = walk.next.get(path)?.state;
    if (state?.kind === 'file' && !isUncovered(state)) left -= state.size;
  }
}

async function visitOneIgnored(walk: Walk, path: BytePath, left: number): Promise<void> {
  const maxFileBytes = Math.min(walk.capture.maxFileBytes, maxIgnoredBytes(path), left);
  await visit(walk, path, {...walk.capture, maxFileBytes});
  const seen = walk.next.get(path);
  if (seen?.state?.kind === 'file' && !isIgnoredFile(seen)) walk.next.set(path, {...seen, state: {...seen.state, ignored: true}});
}

async function visit(walk: Walk, path: BytePath, capture = walk.capture): Promise<void> {
  walk.steps += 1;
  if (walk.steps % BREATHE_EVERY === 0) {
    throwIfCancelled(walk.signal);
    await breathe();
  }
  const stats = statsOf(path, capture.folder);
  if (stats === undefined) return;
  const known = walk.last.entries.get(path);
  walk.next.set(
    path,
    stillTrue({last: walk.last, capture}, known, stats) ? known : await looked({until: walk.until, capture}, path, stats),
  );
}

const BREATHE_EVERY = 1000;

/** Clocks of file systems tick in up to two seconds. */
const RACY_MS = 2000;

function stillTrue({last, capture}: Pick<Walk, 'last' | 'capture'>, known: IndexEntry | undefined, stats: Stats): known is IndexEntry {
  if (known?.stamp !== stampOf(stats) || known.state === null) return false;
  const {state} = known;
  if (state.kind === 'folder') return stats.isDirectory() && state.mode === (stats.mode & 0o7777);
  if (known.ctime >= last.scannedAt - RACY_MS) return false;
  return !isUncovered(state) || stats.size > capture.maxFileBytes;
}

async function looked({capture, until}: Pick<Walk, 'capture' | 'until'>, path: BytePath, stats: Stats): Promise<IndexEntry> {
  const late = stats.isFile() && performance.now() > until;
  const state = await captureKnown(path, stats, late ? {...capture, maxFileBytes: -1} : capture);
  return {state, stamp: stampOf(stats), ctime: stats.ctimeMs};
}

/** Visits known entries that the walk did not reach: they are gone, or hidden by a new ignore rule or a folder's mode. Never follows a link. */
async function visitHidden(walk: Walk): Promise<void> {
  for (const path of [...walk.last.entries.keys()].sort(shallowFirst)) {
    if (walk.next.has(path)) continue;
    const parent = parentOf(path);
    if (parent !== '' && walk.next.get(parent)?.state?.kind !== 'folder') continue;
    const known = walk.last.entries.get(path);
    try {
      await (isIgnoredFile(known) ? visitOneIgnored(walk, path, MAX_IGNORED_TOTAL) : visit(walk, path));
    } catch (error) {
      if (walk.signal.aborted || known === undefined) throw error;
      if (systemErrorCode(error) !== 'EACCES') throw error;
      walk.next.set(path, known);
    }
  }
}

function isIgnoredFile(known: IndexEntry | undefined): boolean {
  return known?.state?.kind === 'file' && known.state.ignored === true;
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
