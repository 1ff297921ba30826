import {readdirSync, type Dirent} from 'node:fs';
import {setImmediate as breathe} from 'node:timers/promises';
import type {IgnoreFolder} from '../ignore/ignore-folder.ts';
import {throwIfCancelled} from '../open-regular-file.ts';
import {isTemporaryName} from '../temporary-file.ts';
import {below, nameOf, pathText, systemPath, type BytePath} from './byte-path.ts';

export interface FolderWalk {
  /** Absolute. */
  readonly folder: string;
  /** The rules of the root; undefined: nothing is ignored. */
  readonly rules: IgnoreFolder | undefined;
  /** Fettle's own folder, where it lies in the tree. */
  readonly own: BytePath | undefined;
  /** An entry that no rule leaves out. `enter` goes into it; `stop` ends the walk. */
  readonly onEntry: (path: BytePath, entry: Dirent) => Step | Promise<Step>;
  readonly onIgnored: (path: BytePath, entry: Dirent) => void;
}

export type Step = 'enter' | 'pass' | 'stop';

/** Goes through a tree, folders before what is in them. `.git` is left out at every level. Returns false where it was stopped. */
export async function walkFolders(walk: FolderWalk): Promise<boolean> {
  const waiting: {path: BytePath; outer: IgnoreFolder | undefined}[] = [{path: '', outer: walk.rules}];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const found = entriesOf(walk.folder, folder.path);
    const here = await enter(folder.path, folder.outer, found);
    for (const entry of found) {
      const path = below(folder.path, entry.name);
      if (path === walk.own) continue;
      if (here?.judge(pathText(entry.name), entry.isDirectory()) === 'ignored') {
        walk.onIgnored(path, entry);
        continue;
      }
      const step = walk.onEntry(path, entry);
      const next = typeof step === 'string' ? step : await step;
      if (next === 'stop') return false;
      if (next === 'enter') waiting.push({path, outer: here});
    }
  }
  return true;
}

/** Counts names alone, no further than to `most`: no file is opened, none is asked for its state. Throws CANCELLED. */
export async function holdsMoreThan(most: number, walk: Omit<FolderWalk, 'onEntry' | 'onIgnored'>, signal: AbortSignal): Promise<boolean> {
  let count = 0;
  const isWhole = await walkFolders({
    ...walk,
    onIgnored: () => undefined,
    onEntry(_, entry) {
      count += 1;
      const step: Step = count > most ? 'stop' : entry.isDirectory() ? 'enter' : 'pass';
      return count % BREATHE_EVERY === 0 ? breathe(step).then((next) => (throwIfCancelled(signal), next)) : step;
    },
  });
  return !isWhole;
}

const BREATHE_EVERY = 10_000;

/** The rules of a folder, from those of the one around it; the root brings its own. */
async function enter(path: BytePath, outer: IgnoreFolder | undefined, found: readonly Dirent[]): Promise<IgnoreFolder | undefined> {
  if (path === '' || outer === undefined) return outer;
  const entered = outer.enter(pathText(nameOf(path)), (name) => found.some((entry) => entry.name === name));
  return entered instanceof Promise ? await entered : entered;
}

/** Lists a folder; one that may not be looked into counts as empty. */
function entriesOf(folder: string, path: BytePath): Dirent[] {
  try {
    const found = readdirSync(systemPath(folder, path), {withFileTypes: true, encoding: 'latin1'});
    return found.filter(({name}) => name.toLowerCase() !== '.git' && !isTemporaryName(name));
  } catch {
    return [];
  }
}
